internal import AdapterKit
internal import Dispatch
internal import PageModel
internal import Synchronization

/// One lane's renderer: the file opened through poppler, on a thread of its own.
///
/// A damaged or hostile page can keep poppler busy for hours, and nothing can stop it. On its own thread it
/// does not keep Swift's few threads from other work, and when its time is up it is left behind.
final class DrawingLane: Sendable {
    private let path: String
    private let password: String?
    private let limit: DispatchTimeInterval
    private let queue = DispatchQueue(label: "jisui.drawing")
    private let opened = Mutex<PopplerFile?>(nil)

    /// Opens nothing yet: even opening can take for ever.
    ///
    /// - Parameter seconds: the time that one page may take.
    init(path: String, password: String?, seconds: Int) {
        self.path = path
        self.password = password
        limit = .seconds(seconds)
    }

    /// Draws what a page's crop box holds, on white.
    ///
    /// - Parameters:
    ///   - index: the page, from 0.
    ///   - size: the size of the picture in pixels.
    ///   - resolution: pixels per inch, for the file.
    /// - Throws: `.damaged`; `.tooLarge` when it takes too long.
    func draw(page index: Int, size: PixelSize, resolution: Double) async throws -> DecodedImage {
        try await onOwnThread { file throws(AdapterError) in
            try file.draw(page: index, size: size, resolution: resolution)
        }
    }

    /// The samples of a page's only picture, bilevel, as poppler decodes them; nil when it does not.
    func bilevelPicture(onPage index: Int, size: PixelSize) async throws -> DecodedImage? {
        try await onOwnThread { file throws(AdapterError) in
            try file.bilevelPicture(onPage: index, size: size)
        }
    }

    private func onOwnThread<Value: Sendable>(
        _ body: @escaping @Sendable (PopplerFile) throws(AdapterError) -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let answer = FirstAnswer(continuation)
            queue.async {
                answer.give(Result { try self.withFile(body) })
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
                answer.give(.failure(AdapterError.drawingTakesTooLong))
            }
        }
    }

    private func withFile<Value: Sendable>(
        _ body: (PopplerFile) throws(AdapterError) -> Value
    ) throws -> Value {
        try opened.withLock { opened in
            let file = try opened ?? PopplerFile(path: path, password: password)
            opened = file
            return try body(file)
        }
    }
}

/// A continuation that takes the first answer it gets.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) {
        waiting = Mutex(continuation)
    }

    func give(_ result: Result<Value, any Error>) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(with: result)
    }
}

extension AdapterError {
    fileprivate static let drawingTakesTooLong = AdapterError(
        .tooLarge, "drawing it takes too long", advice: "give it more seconds with --page-timeout")
}
