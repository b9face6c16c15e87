public import AdapterKit
internal import OrderedWork
public import PageModel

/// A transform that removes the print that shines through from the other side of a leaf.
///
/// It compares each page with the next one. `BookLeaves` decides which pages are the two sides of a leaf, and
/// `RemoveShowThrough` does the work when a page is converted. With `--whiten`, `Clean` does all this, because it looks
/// at the pages anyway.
public struct Leaves: PageTransform {
    public let descriptor = AdapterDescriptor(
        id: RemoveShowThrough.id, summary: "removes the print that shines through from the other side of a leaf",
        extensions: [],
        settings: [
            Setting(
                RemoveShowThrough.id, .choice(Mode.allCases.map(\.rawValue)), default: Mode.auto.rawValue,
                implied: Mode.auto.rawValue, valueName: "mode", topic: "clean",
                help: "Remove the print that shines through from the other side",
                details:
                    "Auto removes it from pages for --whiten, where the page before or after is the other side of the leaf. "
                    + "Off keeps it. Only removes it and whitens nothing",
                followsOption: Whiten.id,
                effect: EffectRule(
                    causes: [
                        .init(
                            after: .notAnalyzed(for: RemoveShowThrough.id),
                            "no page that could be analyzed shows the print of its other side"),
                        .init(after: Leaves.alone, "no page shows the print of its other side"),
                        .init(
                            "no whitened page shows the print of its other side",
                            hint: "add --whiten, or use --show-through only"),
                    ]))
        ])

    /// No page is whitened.
    private static let alone = Effect.named("show-through-alone")

    /// The treatment of print that shines through.
    enum Mode: String, CaseIterable {
        case auto
        case off
        case only
    }

    public init() {}

    public func passes(_ settings: Settings) throws(AdapterError) -> [Pass] {
        let mode = Mode(settings)
        let isWhitened = settings[Whiten.id] != nil
        if isWhitened, mode == .only {
            throw AdapterError(.usage, "--show-through only whitens no page", hint: "remove it, or remove --whiten")
        }
        if isWhitened, mode == .off { return [Pass(.clean, edits: [], noting: [.option(RemoveShowThrough.id)])] }
        guard mode == .only else { return [] }
        return [
            Pass(.clean) { sequence, request in
                request.effects.note(Leaves.alone)
                return Leaves.changed(sequence, try await Leaves.leaves(of: sequence, request))
            }
        ]
    }

    private static func leaves(of sequence: PageSequence, _ request: TransformRequest) async throws -> BookLeaves {
        var leaves = BookLeaves()
        let scale = try await LeafScale(sequence.pages, width: request.width)
        try await forEachInOrder(sequence.pages, width: request.width) { page in
            let seen = try await request.look(
                at: page, pixels: ShowThroughLimits.full, as: .brightness, for: RemoveShowThrough.id)
            return seen.preview.flatMap { LeafView($0, scale) }
        } body: {
            leaves.append($0)
        }
        return leaves
    }

    /// Returns the pages with the removal of the print of their other sides.
    static func changed(_ sequence: PageSequence, _ leaves: BookLeaves) -> PageSequence {
        var result = sequence
        for index in sequence.pages.indices {
            guard let reverse = leaves.reverse(of: index) else { continue }
            let other = sequence.pages[reverse.index]
            // Both sides get one, because each is compared as it is before its own.
            let operation = RemoveShowThrough(
                page: OperatedPage(sequence.pages[index]), other: other.id, x: reverse.side.x, y: reverse.side.y)
            result.pages[index].edits.append(.change(operation))
            guard reverse.side.correlation >= ShowThroughLimits.ownCorrelation else {
                _ = operation.omit()
                continue
            }
            result.pages[index].findings[ShowThroughFinding.self] = ShowThroughFinding(
                page: reverse.index + 1, name: other.name, correlation: Double(reverse.side.correlation))
        }
        return result
    }
}

extension Leaves.Mode {
    init(_ settings: Settings) { self = settings[RemoveShowThrough.id].flatMap(Self.init) ?? .auto }
}

extension LeafView {
    /// Nil for a page that is too small: any few marks on it may resemble those of another.
    init?(_ preview: PagePreview, _ scale: LeafScale) {
        let size = preview.raster.size
        guard Double(min(size.width, size.height)) >= ShowThroughLimits.fine else { return nil }
        self.init(
            Plane(preview.raster, by: 1), scale: preview.scale.across, unit: scale.unit(of: preview.size))
    }
}
