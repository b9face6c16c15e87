internal import AdapterKit
internal import Dispatch
internal import Imaging
internal import LayoutAnalysis
internal import OrderedJSON
internal import PageModel
internal import Processes
internal import Synchronization

/// A page as a plug-in sees it.
struct SeenPage: Sendable {
    /// The image: gray, Netpbm.
    var file: [UInt8]
    var size: PixelSize
    /// The pixels per inch of the image, if known.
    var resolution: Double?
    /// The direction of its text lines, if that was searched and found.
    var lines: Strokes.Lines?
}

extension PreviewProvider {
    /// Returns the page in gray. Its shorter side is not reduced below that many pixels.
    func gray(_ page: Page, _ pixels: Int, findsLines: Bool = false) async throws -> SeenPage {
        let preview = try await preview(of: page, pixels: pixels, as: .brightness)
        // Operations may leave another format.
        let raster = preview.raster.gray().narrowed().widened()
        return SeenPage(
            file: PNM.file(raster), size: raster.size,
            resolution: preview.resolution.map { $0.horizontal / preview.scale.across },
            lines: findsLines ? Strokes(raster).lines(of: raster.size) : nil)
    }
}

extension PluginProcess {
    /// Answers a request for an image with the result of `body`: puts it into the shared-memory buffer and describes
    /// it.
    func show(_ body: () throws -> SeenPage) throws -> JSON {
        do {
            let seen = try body()
            try fill(seen.file)
            var members: [(key: String, value: JSON)] = [
                ("bytes", .integer(seen.file.count)),
                ("size", [.integer(seen.size.width), .integer(seen.size.height)]),
            ]
            if let lines = seen.lines { members.append(("lines", lines == .vertical ? "vertical" : "horizontal")) }
            return .object(members)
        } catch let error as AdapterError {
            return ["error": .string(error.code.rawValue), "message": JSON(error.message)]
        }
    }
}

/// The worker processes of the task that makes the value, for a task that does not inherit them.
///
/// The thread of a plug-in's worker has none. Without them, libraries would decode images in jisui itself.
struct InheritedIsolation: Sendable {
    private let workers = Isolation.workers
    private let decoder = PictureDecoder.host

    /// Runs code with these worker processes.
    func inherited<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await Isolation.$workers.withValue(workers) {
            try await PictureDecoder.$host.withValue(decoder) { try await body() }
        }
    }
}

/// Waits for the result of a task on a thread outside the task pool: that of a plug-in's worker.
///
/// It must not be called from a task: if enough tasks waited for others, all would wait forever.
func waiting<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let answer = Answer<Value>()
    Task {
        do {
            answer.give(.success(try await work()))
        } catch {
            answer.give(.failure(error))
        }
    }
    return try answer.take()
}

/// A result for which one thread waits.
private final class Answer<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ result: Result<Value, any Error>) {
        self.result.withLock { $0 = result }
        isThere.signal()
    }

    func take() throws -> Value {
        isThere.wait()
        guard let result = result.withLock({ $0 }) else { preconditionFailure("it was given before") }
        return try result.get()
    }
}
