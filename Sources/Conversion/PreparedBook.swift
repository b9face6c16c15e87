internal import AdapterKit
internal import PageModel

/// A book as it is written, and what every sink that it is written to is asked alike.
struct PreparedBook: Sendable {
    let sequence: PageSequence
    /// Where the links of its pages may lead.
    let targets: LinkTargets
    /// What happened in the run that options are about.
    let effects: Effects
    private let request: SinkRequest

    init(
        _ sequence: PageSequence, _ targets: LinkTargets, _ job: Job, overrulesSources: Bool, _ effects: Effects
    ) {
        self.sequence = sequence
        self.targets = targets
        self.effects = effects
        var request = SinkRequest(sequence, job)
        request.overrulesSources = overrulesSources
        request.effects = effects
        self.request = request
    }

    /// The request for one of the sinks.
    func request(_ destination: Destination, _ settings: Settings) -> SinkRequest {
        var request = request
        request.destination = destination
        request.settings = settings
        return request
    }
}

extension SinkRequest {
    /// What a job asks of a sink, whichever it is.
    init(_ sequence: PageSequence, _ job: Job) {
        self.init(
            // Pages that cannot be merged stay single.
            book: sequence.book, pageCount: sequence.pages.reduce(0) { $0 + max(1, $1.parts.count) },
            cover: sequence.pages.first { $0.roles.contains(.frontCover) }?.id, destination: job.destination,
            encoding: job.encoding, isLossless: job.isLossless, limits: job.limits, width: job.width)
    }
}

/// How far a run is, over all its outputs.
struct Progress {
    let pageCount: Int
    var done = 0
}
