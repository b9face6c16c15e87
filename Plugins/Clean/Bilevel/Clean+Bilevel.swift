internal import AdapterKit
internal import OrderedWork
internal import PageModel

extension Clean {
    /// Adds to each page an operation of its own, because a page that is black and white already omits it.
    static func bilevel(
        _ sequence: PageSequence, _ boxes: [FitBox?], _ request: TransformRequest
    ) -> PageSequence {
        var result = sequence
        for index in result.pages.indices {
            let page = OperatedPage(result.pages[index])
            result.pages[index].edits.append(.change(Bilevel(page: page, box: boxes[index])))
        }
        request.effects.note(option: "bilevel")
        return result
    }

    static func mixed(
        _ sequence: PageSequence, _ boxes: [FitBox?], _ request: TransformRequest
    ) async throws -> PageSequence {
        var result = sequence
        var index = 0
        try await forEachInOrder(sequence.pages, width: request.width) { page in
            // The dots of a screen may be one pixel.
            ToneReading(try await request.look(at: page, pixels: .max, as: .color, for: "bilevel"))
        } body: { reading in
            let (page, box) = (OperatedPage(result.pages[index]), boxes[index])
            result.pages[index].findings[ToneFinding.self] = reading.finding
            switch reading.edit {
            case .whole: result.pages[index].edits.append(.change(Bilevel(page: page, box: box)))
            case .around(let tones):
                result.pages[index].edits.append(.change(MixedBilevel(page: page, tones: tones, box: box)))
            case nil: break
            }
            if reading.edit != nil { request.effects.note(option: "bilevel") }
            index += 1
        }
        return result
    }

    /// Returns the box into which each page is enlarged, nil for a page that keeps its size, and the pages with their
    /// findings.
    ///
    /// - Parameter resolution: the wanted number of pixels per inch; nil without the option.
    static func enlarged(
        _ sequence: PageSequence, to resolution: Int?, _ request: TransformRequest
    ) async throws -> (sequence: PageSequence, boxes: [FitBox?]) {
        guard let resolution else { return (sequence, sequence.pages.map { _ in nil }) }
        var result = sequence
        var boxes: [FitBox?] = []
        var unknown = 0
        try await forEachInOrder(sequence.pages, width: request.width) { page in
            Enlargement(
                try await request.look(at: page, pixels: 1, as: .brightness, for: "bilevel-dpi"), to: resolution)
        } body: { enlargement in
            result.pages[boxes.count].findings[EnlargementFinding.self] = enlargement.finding
            boxes.append(enlargement.box)
            if enlargement.isUnknown { unknown += 1 }
            if enlargement.box != nil { request.effects.note(option: "bilevel-dpi") }
        }
        if unknown > 0 {
            request.report(
                Warning(
                    code: "resolution-unknown",
                    message: unknown == 1
                        ? "--bilevel-dpi: 1 page keeps its size, because its resolution is unknown"
                        : "--bilevel-dpi: \(unknown) pages keep their size, because their resolution is unknown",
                    isNote: true))
        }
        return (result, boxes)
    }
}
