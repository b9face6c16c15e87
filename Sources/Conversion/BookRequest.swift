internal import AdapterKit
internal import PageModel

/// What every sink that a book is written to is asked alike.
struct BookRequest: Sendable {
    private let request: SinkRequest

    init(_ sequence: PageSequence, _ job: Job, overrulesSources: Bool) {
        var request = SinkRequest(
            // Pages that cannot be merged stay single.
            book: sequence.book, pageCount: sequence.pages.reduce(0) { $0 + max(1, $1.parts.count) },
            cover: sequence.pages.first { $0.roles.contains(.frontCover) }?.id, destination: job.destination,
            encoding: job.encoding, isLossless: job.isLossless, limits: job.limits, width: job.width)
        request.overrulesSources = overrulesSources
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

/// How far a run is, over all its outputs.
struct Progress {
    let pageCount: Int
    var done = 0
}
