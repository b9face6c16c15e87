internal import AdapterKit
internal import Files
internal import PageModel
internal import Synchronization

/// The encoded images that several outputs of a run have in common, so that each is encoded once.
///
/// The outputs are written one after the other. Images wait for the next output in a temporary file, because memory is only
/// for the pages in work. If that file cannot be written, each output encodes its images itself.
final class SharedImages: Sendable {
    private struct Entry {
        /// The result, without its bytes.
        let result: PageResult
        let offset: Int
        let count: Int
        /// The digests that making the image revealed.
        let digests: DigestRecorder.Finds
    }

    private struct State {
        var spool: SpoolFile?
        var entries: [ImageWork: Entry] = [:]
        var isUsable = true
    }

    private let state = Mutex(State())
    private let openSpool: @Sendable () -> SpoolFile?

    /// - Parameter openSpool: opens the temporary file; nil if that is impossible.
    init(openSpool: @escaping @Sendable () -> SpoolFile? = { try? SpoolFile() }) {
        self.openSpool = openSpool
    }

    /// Returns a kept image, and the digests that belong to it; nil if it was not kept or cannot be read.
    func image(_ work: ImageWork) -> (result: PageResult, digests: DigestRecorder.Finds)? {
        let (spool, entry) = state.withLock { ($0.spool, $0.entries[work]) }
        guard let spool, let entry, case .encoded(var page) = entry.result.content,
            let bytes = try? spool.read(at: entry.offset, count: entry.count)
        else { return nil }
        page.bytes = bytes
        var result = entry.result
        result.content = .encoded(page)
        return (result, entry.digests)
    }

    /// Keeps an image for the outputs that follow.
    func keep(_ result: PageResult, of work: ImageWork, _ digests: DigestRecorder.Finds) {
        guard case .encoded(var page) = result.content, let spool = openedSpool() else { return }
        guard let offset = try? spool.append(page.bytes) else {
            // The disk is full: the space is left to the outputs.
            state.withLock { $0 = State(isUsable: false) }
            return
        }
        let count = page.bytes.count
        page.bytes = []
        var rest = result
        rest.content = .encoded(page)
        let entry = Entry(result: rest, offset: offset, count: count, digests: digests)
        state.withLock { if $0.isUsable { $0.entries[work] = entry } }
    }

    private func openedSpool() -> SpoolFile? {
        state.withLock { state in
            guard state.isUsable else { return nil }
            if state.spool == nil { state.spool = openSpool() }
            state.isUsable = state.spool != nil
            return state.spool
        }
    }
}

/// The images and plans of one page that the outputs of a run share.
struct ImageSharing: Sendable {
    let images: SharedImages
    /// The planners of the outputs that are written later.
    var later: [Planner]
    private let plans = LaterPlans()
    private let digests: DigestRequest?
    /// The page; nil in the sharing of a whole book.
    private var page: Page?
    /// The work that a later output needs, too.
    private var wanted: Set<ImageWork> = []

    /// - Parameter digests: the digests that every output computes; nil for none.
    init(_ images: SharedImages, later: [Planner], _ digests: DigestRequest? = nil) {
        self.images = images
        self.later = later
        self.digests = digests
    }

    /// Returns the sharing of a page, including its parts.
    func of(_ page: Page) async -> ImageSharing {
        var sharing = self
        sharing.page = page
        for (place, planner) in later.enumerated() {
            let outputsLeft = later.count - place - 1
            for page in page.convertedPages(in: planner.capabilities) {
                let planned = await plans.current(page.id, outputsLeft) {
                    try await PlannedPage(page, planner, digests)
                }
                guard let planned else { continue }
                sharing.wanted.formUnion(planned.plans.flatMap { $0.possibleWork(on: page.id) })
            }
        }
        return sharing
    }

    /// Returns the sharing of the same page after operations were omitted: later outputs plan it without them, too.
    func plannedAgain() async -> ImageSharing {
        guard let page else { return self }
        return await of(page)
    }

    /// Returns the plans of a page that an earlier output has made for this one. Nil without plans, or if an operation was
    /// omitted meanwhile.
    func takePlans(of page: Page) -> PlannedPage? { plans.take(page.id, later.count) }

    /// Returns the image that a previous output has made, or makes it and keeps it for the next output.
    ///
    /// - Parameter recorder: gets the same digests in both cases.
    func image(
        _ work: ImageWork, _ recorder: DigestRecorder?, _ make: () async throws -> PageResult
    ) async throws -> PageResult {
        if let known = images.image(work) {
            recorder?.add(known.digests)
            return known.result
        }
        guard wanted.contains(work) else { return try await make() }
        recorder?.beginCollecting()
        let result = try await make()
        images.keep(result, of: work, recorder?.collected ?? [:])
        return result
    }
}
