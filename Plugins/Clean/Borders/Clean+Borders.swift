internal import AdapterKit
internal import OrderedWork
internal import PageModel

extension Clean {
    /// Makes paper of the borders of the scan and of the punch holes of each page.
    static func bordersFilled(
        _ sequence: PageSequence, _ decisions: CleanDecisions, _ request: TransformRequest
    ) async throws -> PageSequence {
        let kept = Set(sequence.pages.filter { !decisions.fillsBorders($0) }.map(\.id))
        var result = sequence
        var index = 0
        try await forEachInOrder(sequence.pages, width: request.width) {
            page -> (operation: FillBorders?, finding: BorderFinding) in
            guard !kept.contains(page.id) else { return (operation: nil, finding: .kept) }
            let pixels = PaperLimits.minimumPixels
            switch try await request.look(at: page, pixels: pixels, as: .color, for: "borders") {
            case .unseen(let reason, let damage, _):
                return (operation: nil, finding: BorderFinding(unseen: reason, damage: damage))
            case .seen(let preview):
                let hasCorners = page.edits.contains { $0.operation?.fillsCorners ?? false }
                let reading = BorderReading(preview.raster, hasFilledCorners: hasCorners)
                let operation = reading.surface.map {
                    FillBorders(areas: reading.pixels.areas(of: BorderLimits.cell), surface: $0)
                }
                return (operation: operation, finding: BorderFinding(reading))
            }
        } body: { read in
            result.pages[index].findings[BorderFinding.self] = read.finding
            if let operation = read.operation {
                result.pages[index].edits.append(.change(operation))
                request.effects.note(option: "borders")
            }
            index += 1
        }
        return result
    }
}
