internal import AdapterKit
internal import Files
internal import PageModel

/// A book that is ready to be written, with the request that is common to all its sinks.
struct PreparedBook: Sendable {
    let sequence: PageSequence
    /// The book of which this is a volume; nil for a whole book.
    let whole: PageSequence?
    /// The pages that links may target.
    let targets: LinkTargets
    /// The effects of options in the run.
    let effects: OptionEvidence
    private let request: SinkRequest

    init(
        _ sequence: PageSequence, of whole: PageSequence? = nil, _ targets: LinkTargets, _ job: Job,
        overridesSource: Bool, _ effects: OptionEvidence
    ) {
        (self.sequence, self.whole) = (sequence, whole)
        self.targets = targets
        self.effects = effects
        var request = SinkRequest(sequence, job)
        request.overridesSource = overridesSource
        request.effects = effects
        self.request = request
    }

    /// Returns the request for one of the sinks.
    func request(_ destination: Destination, _ settings: Settings) -> SinkRequest {
        var request = request
        request.destination = destination
        request.settings = settings
        return request
    }
}

extension SinkRequest {
    /// Creates the part of a job's request that is common to all sinks.
    init(_ sequence: PageSequence, _ job: Job) {
        self.init(
            // Pages that cannot be merged stay separate.
            book: sequence.book, pageCount: sequence.pages.reduce(0) { $0 + max(1, $1.parts.count) },
            cover: sequence.pages.first { $0.roles.contains(.frontCover) }?.id, destination: job.destination,
            encoding: job.encoding, isLossless: job.isLossless, limits: job.limits, width: job.width)
    }
}

/// The progress of a run, over all its outputs.
struct Progress {
    let pageCount: Int
    var done = 0
}
