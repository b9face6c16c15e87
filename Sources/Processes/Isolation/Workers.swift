package import OrderedJSON
package import PageModel

/// The registry of workers for libraries that a broken or malicious file may crash or block forever.
///
/// A run that has workers registers them here, and all code that needs them finds them. A crash then costs one page,
/// not the run. Without registered workers, the same code runs in this process.
package enum Isolation {
    @TaskLocal package static var workers: (any Workers)?
}

/// The worker processes, each sandboxed and with one request at a time.
package protocol Workers: Sendable {
    /// The maximum number of seconds for an answer about one page: `--page-timeout`.
    var seconds: Int { get }
    /// The maximum number of seconds between two progress reports of a process that works on a whole book.
    var secondsForBook: Int { get }

    /// Returns a worker. Its process is started with the first request, and started again after a crash.
    func worker(_ job: WorkerJob) -> any Worker
}

/// The description of a worker process.
package struct WorkerJob: Sendable {
    /// The kind of work: the `id` of a `WorkerService`.
    package var service: String
    /// The process's name in messages: "the process that renders its pages".
    package var name: String
    /// The first request to each process.
    package var opening: JSON?
    /// The descriptors that the process gets as 5, 6 and so on. They stay open for as long as the worker exists.
    package var files: [Int32]
    /// The files and folders that it may read in addition to the files of the programs.
    package var readable: [String]
    /// The maximum size in bytes of a file that it writes.
    package var fileBytes: Int
    /// Whether it needs the fonts of this user.
    package var drawsText = false

    /// - Parameter fileBytes: nil for the size of an image of the given number of pixels.
    package init(
        _ service: String, name: String, opening: JSON? = nil, files: [Int32] = [], readable: [String] = [],
        fileBytes: Int? = nil, pixels: Int
    ) {
        self.service = service
        self.name = name
        self.opening = opening
        self.files = files
        self.readable = readable
        self.fileBytes = fileBytes ?? 16 * min(pixels, 1 << 40) + 64 << 20
    }
}

/// A worker: a place for one process that serves one caller at a time while others wait.
package protocol Worker: Sendable {
    /// Sends a request. It waits for the answer.
    ///
    /// - Parameters:
    ///   - request: an object with an "ask".
    ///   - bytes: additional data.
    ///   - page: the page number. A page that crashed one process is not sent to another.
    ///   - seconds: the time limit for each line of the answer. It applies to the whole answer if that has one line.
    ///   - hasLines: whether the answer has lines before its end. The end is the result.
    ///   - line: receives these lines. It is not called for the end.
    /// - Returns: the end of the answer and its bytes.
    /// - Throws: the error in the answer. A process that did not answer causes `.damaged` with its exit reason. A
    ///   process that took too long causes `.tooLarge`. A canceled request throws `.cancelled`.
    func ask(
        _ request: JSON, bytes: [UInt8]?, about page: Int?, seconds: Int, hasLines: Bool,
        line: @escaping (JSON) throws(AdapterError) -> Void
    ) throws(AdapterError) -> WorkerAnswer

    /// Cancels the waiting request, which throws `.cancelled`.
    func cancel()
}

extension Worker {
    /// Sends a request that has an answer of one line.
    package func ask(
        _ request: JSON, bytes: [UInt8]? = nil, about page: Int? = nil, seconds: Int
    ) throws(AdapterError) -> WorkerAnswer {
        try ask(request, bytes: bytes, about: page, seconds: seconds, hasLines: false) {
            _ throws(AdapterError) in
        }
    }
}

/// The answer of a process.
package struct WorkerAnswer: Sendable {
    /// The line that ends the answer, an object.
    package var end: JSON
    /// The bytes that come with it.
    package var parts: [[UInt8]]

    package init(_ end: JSON, _ parts: [[UInt8]] = []) {
        self.end = end
        self.parts = parts
    }
}

extension AdapterError {
    /// The answer that reports the error to another process.
    package var asAnswer: JSON {
        let texts = [("message", message), ("hint", hint), ("cause", cause)]
        return .object(
            [("error", .string(code.rawValue))] + texts.compactMap { name, text in text.map { (name, $0.answer) } }
                + (isTemporary ? [("temporary", true)] : []))
    }

    /// Reads the error that an answer reports; nil for another answer.
    ///
    /// The error is always about the transferred file. It is never about the use of jisui or about another file,
    /// regardless of the answer's contents.
    package init?(answer: JSON) {
        guard let word = answer["error"]?.asString else { return nil }
        let transmitted: Set<Code> = [.unreadable, .damaged, .encrypted, .unsupported, .tooLarge, .unwritable]
        let code = Code(rawValue: word).flatMap { transmitted.contains($0) ? $0 : nil } ?? .damaged
        self.init(
            code, Message(answer: answer["message"]) ?? "", hint: Message(answer: answer["hint"]),
            cause: Message(answer: answer["cause"]))
        isTemporary = answer["temporary"]?.asBoolean == true
    }
}
