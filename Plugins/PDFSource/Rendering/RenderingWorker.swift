internal import Dispatch
internal import Imaging
internal import PageModel
internal import Synchronization

/// A renderer on a thread of its own.
///
/// A damaged or malicious page can keep poppler busy for hours, and nothing can stop it. On its own thread it does not keep
/// Swift's few threads from other work. When its time is up, the thread is abandoned with its worker.
final class RenderingWorker: PDFWorker {
    private let open: @Sendable () throws(AdapterError) -> sending any PageRenderer
    private let limit: DispatchTimeInterval
    private let abandoned: AbandonedRenderings
    private let cancel: @Sendable () -> Void
    private let queue = DispatchQueue(label: "jisui.drawing")
    private let opened = Mutex<(any PageRenderer)?>(nil)
    private let isGivenUp = Mutex(false)

    /// - Parameters:
    ///   - limit: the time limit for one page.
    ///   - abandoned: a counter of longer renderings.
    ///   - onCancel: a function that ends a rendering. It is called if the rendering is no longer needed. It may do nothing.
    ///   - open: a function that opens the file for the first page. Even that may never return.
    init(
        limit: DispatchTimeInterval, abandoned: AbandonedRenderings, onCancel: @escaping @Sendable () -> Void = {},
        open: @escaping @Sendable () throws(AdapterError) -> sending any PageRenderer
    ) {
        self.limit = limit
        self.abandoned = abandoned
        cancel = onCancel
        self.open = open
    }

    /// Whether a rendering was abandoned: the thread is, or was, still busy with it.
    var isStuck: Bool { isGivenUp.withLock { $0 } }

    /// See `PageRenderer.draw`.
    ///
    /// - Throws: `.damaged`; `.tooLarge` if it takes too long.
    func draw(
        page index: Int, of file: [UInt8]? = nil, size: PixelSize, resolution: Double, _ grid: PixelGrid?
    ) async throws -> DecodedImage {
        try await onOwnThread { renderer throws(AdapterError) in
            try renderer.draw(page: index, of: file, size: size, resolution: resolution, grid)
        }
    }

    /// See `PageRenderer.bilevelPicture`.
    ///
    /// - Throws: `.damaged`; `.tooLarge` if it takes too long.
    func bilevelPicture(onPage index: Int, size: PixelSize) async throws -> DecodedImage? {
        try await onOwnThread { renderer throws(AdapterError) in
            try renderer.bilevelPicture(onPage: index, size: size)
        }
    }

    /// See `PageRenderer.overlay`.
    ///
    /// - Throws: `.unsupported`; `.damaged`; `.tooLarge` if it takes too long.
    func overlay(_ request: OverlayRequest) async throws -> OverlayPixels {
        try await onOwnThread { renderer throws(AdapterError) in try renderer.overlay(request) }
    }

    /// See `PageRenderer.text`.
    ///
    /// - Throws: `.damaged`; `.tooLarge` if it takes too long.
    func text(onPage index: Int, of file: [UInt8]? = nil) async throws -> [TextLine] {
        try await onOwnThread(what: "reading its text") { renderer throws(AdapterError) in
            try renderer.text(onPage: index, of: file)
        }
    }

    /// - Parameter what: the task that takes too long, for the message.
    private func onOwnThread<Value: Sendable>(
        what: String = "rendering it",
        _ body: @escaping @Sendable (any PageRenderer) throws(AdapterError) -> Value
    ) async throws -> Value {
        try abandoned.check()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = FirstAnswer(continuation)
                queue.async { [weak self, abandoned] in
                    // This thread lets go of the worker before the answer. Otherwise it might close the file, with poppler, when
                    // the process already ends.
                    let result = Result {
                        guard let self else { throw CancellationError() }
                        return try self.withRenderer(body)
                    }
                    answer.give(result, tooLate: abandoned.returned)
                }
                // The waiting task keeps the worker alive; the timer must not. Otherwise a batch would keep the files of all
                // recently rendered books open.
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
                // Poppler remembers objects that it could not read: the next request opens the file again.
                opened = nil
                throw error
            }
        }
    }
}

/// The renderings of a book that took too long and are still running, each with a thread of its own.
final class AbandonedRenderings: Sendable {
    private let count = Mutex(0)
    /// The limit: more would leave no processor, and perhaps no memory, for the other pages.
    private let maximumCount: Int

    init(maximumCount: Int = 4) {
        self.maximumCount = maximumCount
    }

    /// - Throws: `.tooLarge` if so many exist that no other should start.
    func check() throws(AdapterError) {
        if count.withLock({ $0 >= maximumCount }) {
            throw AdapterError(
                .tooLarge, "too many earlier pages are still being rendered after their time limit",
                hint: "use --page-timeout to allow more seconds")
        }
    }

    func begin() { count.withLock { $0 += 1 } }

    func returned() { count.withLock { $0 -= 1 } }
}

/// A continuation that accepts only the first answer.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) {
        waiting = Mutex(continuation)
    }

    /// - Parameters:
    ///   - first: a function for the first answer, called before it is accepted.
    ///   - tooLate: a function called for a later answer.
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
        AdapterError(.tooLarge, "\(what) takes too long", hint: "use --page-timeout to allow more seconds")
    }
}
