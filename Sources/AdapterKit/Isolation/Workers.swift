/// Where the work of libraries is done that a broken or hostile file may crash, or keep busy for ever.
///
/// A run that has workers says so here, and everything that is done for it finds them: a crash then costs one page, not the
/// run. Without a word of the run the same work is done in this process.
public enum Isolation {
    @TaskLocal public static var workers: (any Workers)?
}

/// Processes that work for this one, each in bounds and one request at a time.
public protocol Workers: Sendable {
    /// The seconds that an answer about one page may take: `--page-timeout`.
    var seconds: Int { get }
    /// The seconds that may pass before a process tells how it gets on with a whole book.
    var secondsForBook: Int { get }

    /// A place for one process. It is started when it is first asked for something, and anew when it died.
    func lane(_ job: WorkerJob) -> any WorkerLane
}

/// What a process is started for.
public struct WorkerJob: Sendable {
    /// The kind of work: the `id` of a `WorkerService`.
    public var service: String
    /// What it does, for messages: "the process that draws its pages".
    public var name: String
    /// What each process is asked before anything else.
    public var opening: JSON?
    /// Descriptors that it finds open as 5, 6 and so on. They stay open for as long as the lane is there.
    public var files: [Int32]
    /// Files and folders that it may read, besides what programs are made of.
    public var readable: [String]
    /// The most bytes of a file that it may write.
    public var fileBytes: Int
    /// The most pixels of a picture; how much memory it may take follows from them.
    public var pixels: Int
    /// Whether it needs fonts, wherever this user has them.
    public var drawsText = false

    /// - Parameter fileBytes: nil for what a picture of so many pixels may take.
    public init(
        _ service: String, name: String, opening: JSON? = nil, files: [Int32] = [], readable: [String] = [],
        fileBytes: Int? = nil, pixels: Int
    ) {
        self.service = service
        self.name = name
        self.opening = opening
        self.files = files
        self.readable = readable
        self.fileBytes = fileBytes ?? 16 * min(pixels, 1 << 40) + 64 << 20
        self.pixels = pixels
    }
}

/// A place for one process, which serves one caller at a time: others wait.
public protocol WorkerLane: Sendable {
    /// Asks for something, and waits for the answer.
    ///
    /// - Parameters:
    ///   - request: an object with an "ask".
    ///   - bytes: what the process gets besides.
    ///   - page: the page that it is about; what cost one process its life is not given to another.
    ///   - seconds: the time that each line of the answer may take, or all of an answer of one line.
    ///   - hasLines: whether there are lines before the end.
    ///   - line: gets them.
    /// - Returns: the end of the answer, and the bytes that came with it.
    /// - Throws: the error that the process answered with; `.damaged` with how it ended when it did not answer, and `.tooLarge`
    ///   when it took too long; `.cancelled`.
    func ask(
        _ request: JSON, bytes: [UInt8]?, about page: Int?, seconds: Int, hasLines: Bool,
        line: (JSON) throws(AdapterError) -> Void
    ) throws(AdapterError) -> WorkerAnswer

    /// Has who waits for an answer give up, with `.cancelled`.
    func cancel()
}

extension WorkerLane {
    /// Asks for something that is answered with one line.
    public func ask(
        _ request: JSON, bytes: [UInt8]? = nil, about page: Int? = nil, seconds: Int
    ) throws(AdapterError) -> WorkerAnswer {
        try ask(request, bytes: bytes, about: page, seconds: seconds, hasLines: false) {
            _ throws(AdapterError) in
        }
    }
}

/// What a process answered.
public struct WorkerAnswer: Sendable {
    /// The line that ends the answer, an object.
    public var end: JSON
    /// The bytes that come with it.
    public var parts: [[UInt8]]

    public init(_ end: JSON, _ parts: [[UInt8]] = []) {
        self.end = end
        self.parts = parts
    }
}

extension AdapterError {
    /// The answer that tells another process of an error.
    public var asAnswer: JSON {
        let texts = [
            ("error", code.rawValue), ("message", message), ("advice", advice), ("cause", cause),
        ]
        return .object(texts.compactMap { name, text in text.map { (name, .string($0)) } })
    }

    /// The error that such an answer tells of; nil for another answer.
    ///
    /// It is about the file that was handed over, and neither about how jisui is used nor about another file, whatever the answer says.
    public init?(answer: JSON) {
        guard let word = answer["error"]?.asString else { return nil }
        let told: Set<Code> = [.unreadable, .damaged, .encrypted, .unsupported, .tooLarge, .unwritable]
        let code = Code(rawValue: word).flatMap { told.contains($0) ? $0 : nil } ?? .damaged
        self.init(
            code, answer["message"]?.asString ?? "", advice: answer["advice"]?.asString,
            cause: answer["cause"]?.asString)
    }
}
