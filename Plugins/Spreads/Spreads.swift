public import AdapterKit
public import PageModel

/// A transform for facing pages: it pairs, splits, merges and rotates pages.
///
/// It works at two stages. Trimming comes between them, because it treats halves as pages and facing pages alike.
public struct Spreads: PageTransform {
    public let descriptor = AdapterDescriptor(
        id: "spreads", summary: "pairs, merges and splits facing pages", extensions: [],
        settings: SpreadOptions.settings)

    public let counts: [FindingCount] = [.split, .joined]

    public init() {}

    public func passes(_ settings: Settings) throws(AdapterError) -> [Pass] {
        guard let options = try SpreadOptions(settings) else { return [] }
        var passes = [
            Pass(.split, directionUse: options.arranges ? .arranging : .none) {
                try await Spreads.split($0, options, $1)
            }
        ]
        switch options.mode {
        case .merge:
            passes.append(
                Pass(.join, sharing: options.sharedSettings) { try await Spreads.merged($0, options, $1) })
        case .joinArt:
            passes.append(
                Pass(.join, sharing: options.sharedSettings) { try await Spreads.joined($0, options, $1) })
        case .pair, .split, .rotate, .rotateLeft: break
        }
        // Pages that were merged are wide, too.
        if options.rotation(.leftToRight) != nil {
            passes.append(Pass(.join) { try await Spreads.rotated($0, options, $1) })
        }
        return passes
    }

    /// Splits wide pages or determines the facing pages, as the mode needs it.
    private static func split(
        _ sequence: PageSequence, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> PageSequence {
        try await options.noteUse(on: sequence.pages, request)
        var result = sequence
        switch options.mode {
        // Artwork is sought on trimmed pages. By then the numbers may be cropped.
        case .joinArt: result.pages = try await sided(result, options, request)
        case .rotate, .rotateLeft: break
        case .split:
            result.pages = try await Splitter(options: options, direction: sequence.direction, effects: request.effects)
                .split(sequence.pages, request)
            result.pages = try await paired(result, options, request)
        case .pair, .merge:
            result.pages = try await paired(result, options, request)
        }
        noteSides(of: result, before: sequence, request)
        return result
    }

    /// Notes whether a step changed the sides of pages: an output may show nothing else of `--spreads`.
    static func noteSides(of result: PageSequence, before sequence: PageSequence, _ request: TransformRequest) {
        if result.sides != sequence.sides { request.effects.note(SpreadOptions.sidesChanged) }
    }
}

extension PageSequence {
    /// The side of each page in an open book. Merged pages count with each of their parts.
    fileprivate var sides: [Side] {
        pages.flatMap { $0.parts.isEmpty ? [$0.side] : $0.parts.map(\.side) }
    }
}
