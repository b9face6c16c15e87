public import PageModel

/// A part of a transform: its change to a sequence of pages at one stage.
public struct Pass: Sendable {
    /// A change to a sequence.
    ///
    /// It throws `AdapterError` or `CancellationError`. A page without a preview is not an error: it stays as it is.
    public typealias Change = @Sendable (PageSequence, TransformRequest) async throws -> PageSequence

    public let stage: Stage
    /// The edits of every page, if the pass adds these without an analysis; empty for any other change.
    public let edits: [PageEdit]
    /// The settings among `Setting.shared` that have an effect in the pass.
    public let sharedSettings: [Setting]
    /// The use that the pass makes of the reading direction.
    public let directionUse: DirectionUse
    private let change: Change

    public init(
        _ stage: Stage, sharing sharedSettings: [Setting] = [], directionUse: DirectionUse = .none,
        change: @escaping Change
    ) {
        self.stage = stage
        edits = []
        self.sharedSettings = sharedSettings
        self.directionUse = directionUse
        self.change = change
    }

    /// Creates a pass that adds edits to every page.
    ///
    /// - Parameter effects: the events that the pass notes.
    public init(_ stage: Stage, edits: [PageEdit], noting effects: Set<Effect> = []) {
        self.stage = stage
        self.edits = edits
        sharedSettings = []
        directionUse = .none
        change = { sequence, request in
            request.effects.note(effects)
            var result = sequence
            for index in result.pages.indices { result.pages[index].edits += edits }
            return result
        }
    }

    /// Returns the changed sequence.
    public func apply(to sequence: PageSequence, _ request: TransformRequest) async throws -> PageSequence {
        try await change(sequence, request)
    }
}

extension [Pass] {
    /// The passes in the order in which they run. Passes of one stage keep their order.
    public var inOrderOfStages: [Pass] {
        Stage.allCases.flatMap { stage in filter { $0.stage == stage } }
    }
}
