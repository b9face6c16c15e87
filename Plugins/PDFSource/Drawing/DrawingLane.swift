internal import AdapterKit
internal import Dispatch
internal import Imaging
internal import PDFStructure
internal import PageModel
internal import Synchronization

/// The file that poppler draws from.
///
/// Poppler's GLib interface draws the crop box and nothing else; for another box it gets a copy of the file in
/// which that box is the crop box. The copy is made once, when the first page has to be drawn.
actor DrawnFile {
    private let source: any ByteSource
    private let box: PageBox
    private let structure: StructureLane
    private let seconds: Int
    private let pixels: Int
    private let abandoned = AbandonedDrawings()
    private var copy: SpoolFile?

    /// - Parameters:
    ///   - seconds: the time that drawing one page may take.
    ///   - pixels: the most that a picture may have.
    init(_ source: any ByteSource, box: PageBox, structure: StructureLane, seconds: Int, pixels: Int) {
        self.source = source
        self.box = box
        self.structure = structure
        self.seconds = seconds
        self.pixels = pixels
    }

    /// Opens one more lane.
    func open() async throws(AdapterError) -> DrawingLane {
        if box == .crop { return lane(source, password: structure.neededPassword) }
        if copy == nil {
            let spool = try SpoolFile()
            try await structure.writeCopy(to: spool.path(), showing: box)
            // Another lane may have waited for the same: the first copy stays.
            copy = copy ?? spool
        }
        guard let copy else { preconditionFailure("the copy was just made") }
        return lane(try ReadableFile(path: copy.path()), password: nil)
    }

    /// A lane that draws in another process, if the run has any and can hand the file over; else in this one.
    private func lane(_ source: any ByteSource, password: String?) -> DrawingLane {
        guard let workers = Isolation.workers, let file = source as? ReadableFile else {
            return DrawingLane(limit: .seconds(seconds), abandoned: abandoned) { () throws(AdapterError) in
                try PopplerFile(source, password: password)
            }
        }
        let lane = RemoteRenderer.lane(file, password: password, pixels: pixels, workers)
        // A process is ended when its time is up, and nothing is left behind: the lane's own time is longer.
        return DrawingLane(limit: .seconds(2 * seconds + 10), abandoned: abandoned, onCancel: lane.cancel) {
            () throws(AdapterError) in RemoteRenderer(file, lane, seconds: workers.seconds)
        }
    }
}

/// What draws the pages of a file that it has open: poppler, or what stands for it in a test.
protocol PageRenderer {
    /// Draws what a page's crop box holds, on white.
    ///
    /// - Parameters:
    ///   - index: the page, from 0.
    ///   - size: the size of the picture in pixels.
    ///   - resolution: pixels per inch, for the file.
    ///   - grid: where the pixels lie; nil to scale the page to the size.
    func draw(
        page index: Int, size: PixelSize, resolution: Double, _ grid: PixelGrid?
    ) throws(AdapterError) -> DecodedImage
    /// The samples of a page's only picture, when it is bilevel and `size` large; else nil.
    func bilevelPicture(onPage index: Int, size: PixelSize) throws(AdapterError) -> DecodedImage?
    /// What a page does to the pixels of a picture that lies below everything that it paints.
    func overlay(_ request: OverlayRequest) throws(AdapterError) -> PictureOverlay
    /// The text that a page's crop box holds, in the order in which it is read.
    func text(onPage index: Int) throws(AdapterError) -> [TextLine]
}

/// A renderer on a thread of its own.
///
/// A damaged or hostile page can keep poppler busy for hours, and nothing can stop it. On its own thread it
/// does not keep Swift's few threads from other work, and when its time is up it is left behind, with its lane.
final class DrawingLane: Lane {
    private let open: @Sendable () throws(AdapterError) -> sending any PageRenderer
    private let limit: DispatchTimeInterval
    private let abandoned: AbandonedDrawings
    private let cancel: @Sendable () -> Void
    private let queue = DispatchQueue(label: "jisui.drawing")
    private let opened = Mutex<(any PageRenderer)?>(nil)
    private let isGivenUp = Mutex(false)

    /// - Parameters:
    ///   - limit: the time that one page may take.
    ///   - abandoned: counts the drawings that took longer.
    ///   - onCancel: ends a drawing that nobody waits for any more, where that can be done.
    ///   - open: opens the file for the first page; even that can take for ever.
    init(
        limit: DispatchTimeInterval, abandoned: AbandonedDrawings, onCancel: @escaping @Sendable () -> Void = {},
        open: @escaping @Sendable () throws(AdapterError) -> sending any PageRenderer
    ) {
        self.limit = limit
        self.abandoned = abandoned
        cancel = onCancel
        self.open = open
    }

    /// Whether a drawing was given up: the thread is, or was, at work on it beyond its time.
    var isStuck: Bool { isGivenUp.withLock { $0 } }

    /// See `PageRenderer.draw`.
    ///
    /// - Throws: `.damaged`; `.tooLarge` when it takes too long.
    func draw(
        page index: Int, size: PixelSize, resolution: Double, _ grid: PixelGrid?
    ) async throws -> DecodedImage {
        try await onOwnThread { renderer throws(AdapterError) in
            try renderer.draw(page: index, size: size, resolution: resolution, grid)
        }
    }

    /// See `PageRenderer.bilevelPicture`.
    ///
    /// - Throws: `.damaged`; `.tooLarge` when it takes too long.
    func bilevelPicture(onPage index: Int, size: PixelSize) async throws -> DecodedImage? {
        try await onOwnThread { renderer throws(AdapterError) in
            try renderer.bilevelPicture(onPage: index, size: size)
        }
    }

    /// See `PageRenderer.overlay`.
    ///
    /// - Throws: `.unsupported`; `.damaged`; `.tooLarge` when it takes too long.
    func overlay(_ request: OverlayRequest) async throws -> PictureOverlay {
        try await onOwnThread { renderer throws(AdapterError) in try renderer.overlay(request) }
    }

    /// See `PageRenderer.text`.
    ///
    /// - Throws: `.damaged`; `.tooLarge` when it takes too long.
    func text(onPage index: Int) async throws -> [TextLine] {
        try await onOwnThread(what: "reading its text") { renderer throws(AdapterError) in
            try renderer.text(onPage: index)
        }
    }

    /// - Parameter what: what takes too long, when it does.
    private func onOwnThread<Value: Sendable>(
        what: String = "drawing it",
        _ body: @escaping @Sendable (any PageRenderer) throws(AdapterError) -> Value
    ) async throws -> Value {
        try abandoned.check()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = FirstAnswer(continuation)
                queue.async {
                    answer.give(Result { try self.withRenderer(body) }, tooLate: self.abandoned.returned)
                }
                // Whoever waits keeps the lane; the clock must not, or a batch would keep the files of all its books open that
                // were drawn from within the limit.
                DispatchQueue.global().asyncAfter(deadline: .now() + limit) { [weak self] in
                    answer.give(.failure(AdapterError.takesTooLong(what)), first: { self?.giveUp() })
                }
            }
        } onCancel: {
            cancel()
        }
    }

    private func giveUp() {
        isGivenUp.withLock { $0 = true }
        abandoned.begin()
    }

    private func withRenderer<Value: Sendable>(
        _ body: (any PageRenderer) throws(AdapterError) -> Value
    ) throws -> Value {
        try opened.withLock { opened in
            do {
                let renderer = try opened ?? open()
                opened = renderer
                return try body(renderer)
            } catch let error as AdapterError where error.code == .unreadable {
                // Poppler remembers what it could not read: who comes next opens the file afresh.
                opened = nil
                throw error
            }
        }
    }
}

/// The drawings of a book that took too long and are still going on, each with a thread of its own.
final class AbandonedDrawings: Sendable {
    private let count = Mutex(0)
    /// More would leave no processor, and perhaps no memory, for the pages that can be drawn.
    private let most: Int

    init(most: Int = 4) {
        self.most = most
    }

    /// - Throws: `.tooLarge` when there are so many that no other should be begun.
    func check() throws(AdapterError) {
        if count.withLock({ $0 >= most }) {
            throw AdapterError(
                .tooLarge, "too many pages before it are still being drawn, after their time",
                advice: "give them more seconds with --page-timeout")
        }
    }

    func begin() { count.withLock { $0 += 1 } }

    func returned() { count.withLock { $0 -= 1 } }
}

/// A continuation that takes the first answer it gets.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) {
        waiting = Mutex(continuation)
    }

    /// - Parameters:
    ///   - first: called before the answer is taken, if it is the first.
    ///   - tooLate: called if it is not.
    func give(_ result: Result<Value, any Error>, first: () -> Void = {}, tooLate: () -> Void = {}) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        guard let continuation else { return tooLate() }
        first()
        continuation.resume(with: result)
    }
}

extension AdapterError {
    fileprivate static func takesTooLong(_ what: String) -> AdapterError {
        AdapterError(.tooLarge, "\(what) takes too long", advice: "give it more seconds with --page-timeout")
    }
}
