public import AdapterKit
internal import Files
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
        let split = Pass(.split, directionUse: options.rotation == nil ? .arranging : .none) { sequence, request in
            try await Spreads.split(sequence, options, request)
        }
        let join: Pass.Change
        switch options.mode {
        case .pair, .split: return [split]
        case .merge: join = { try await Spreads.merged($0, options, $1) }
        case .joinArt: join = { try await Spreads.joined($0, options, $1) }
        case .rotate, .rotateLeft: join = { try await Spreads.rotated($0, options, $1) }
        }
        return [split, Pass(.join, sharing: options.sharedSettings, change: join)]
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
        return result
    }
}
