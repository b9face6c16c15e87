public import AdapterKit
internal import PageModel

/// Writes books through an outside plug-in.
public struct OutsideSink: SinkAdapter {
    public var card: AdapterCard { plugin.card.card }
    private let plugin: Plugin

    /// - Precondition: the plug-in's role is that of a sink.
    public init(_ plugin: Plugin) {
        precondition(plugin.card.role == .sink)
        self.plugin = plugin
    }

    public func form(_ settings: Settings) -> OutputForm { plugin.card.form }

    public func capabilities(_ request: SinkRequest) -> SinkCapabilities {
        SinkCapabilities(
            formats: plugin.card.displays, holdsOnlyFormats: plugin.card.displays != nil,
            features: plugin.card.features)
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        try OutsideSession(plugin, request)
    }
}

/// An output that a plug-in writes.
///
/// It writes to a file, or into a folder, that jisui made and that nobody sees: what appears, and when, is jisui's to say.
final class OutsideSession: SinkSession {
    private enum Output {
        case file(OutputFile)
        case folder(OutputFolder)
    }

    private let output: Output
    private let plugin: Plugin
    private let path: String
    private let process: PluginLane
    private let features: Set<SinkCapabilities.Feature>

    /// - Parameter work: what else a process gets.
    init(_ plugin: Plugin, _ request: SinkRequest, _ work: Plugin.Work = Plugin.Work()) throws(AdapterError) {
        self.plugin = plugin
        features = plugin.card.features
        path = request.destination.path
        var work = work
        (work.settings, work.limits) = (request.settings, request.limits)
        if plugin.card.needs.contains(.scratch) { work.scratch = try WorkFolder(plugin.temporaryFiles) }
        switch plugin.card.form {
        case .folder, .collection:
            // Whose the files of an existing folder are, nobody knows but the plug-in: only an empty one is filled.
            let folder = try OutputFolder(at: request.destination) { _ in false }
            work.output = folder.temporaryPath
            output = .folder(folder)
        case .stream, .file:
            let file = try OutputFile(at: request.destination)
            work.book = file.number
            output = .file(file)
        }
        let kept = work
        // What was written stands in the output: a process that died is not started once more.
        process = PluginLane(plugin.name, DeathCount(most: 1)) { isCancelled in
            let process = try plugin.start(kept, isCancelled: isCancelled)
            process.answeredAtStart = .max
            return process
        }
        let begin = OutsideSession.begin(request, features)
        try talk { process in
            try process.send(begin, seconds: Plugin.secondsForPage)
            if let refusal = try process.answer(seconds: Plugin.secondsForPage).refusal { throw refusal }
        }
    }

    /// The request, and the outline line by line.
    private static func begin(_ request: SinkRequest, _ features: Set<SinkCapabilities.Feature>) -> [JSON] {
        let items = features.contains(.outline) ? request.book.outline : []
        let outline = items.map { item -> JSON in
            [
                "outline": .string(item.title), "page": item.page.map(JSON.integer) ?? .null,
                "level": .integer(item.level),
            ]
        }
        var members: [(key: String, value: JSON)] = [
            ("ask", "begin"), ("book", request.book.forPlugin), ("count", .integer(request.pageCount)),
            ("lossless", .boolean(request.isLossless)),
        ]
        if let cover = request.cover { members.append(("cover", .integer(cover))) }
        if !outline.isEmpty { members.append(("lines", .integer(outline.count))) }
        return [.object(members)] + outline
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let picture = try page.encoded()
        var members: [(key: String, value: JSON)] = [
            ("ask", "add"), ("id", .integer(page.page.id)), ("number", .integer(page.number)),
            ("name", .string(page.page.name)), ("encoding", .string(picture.encoding.rawValue)),
            ("bytes", .integer(picture.bytes.count)),
        ]
        if let size = page.size { members.append(("size", [.integer(size.width), .integer(size.height)])) }
        if let label = page.page.label { members.append(("label", .string(label))) }
        if page.page.side != .single { members.append(("side", .string(page.page.side.rawValue))) }
        if page.page.isDoublePage { members.append(("double", true)) }
        let texts = features.contains(.text) ? page.text.map(\.forPlugin) : []
        if !texts.isEmpty { members.append(("lines", .integer(texts.count))) }
        return try talk { process in
            try process.fill(picture.bytes)
            try process.send([.object(members)] + texts, seconds: Plugin.secondsForPage)
            let answer = try process.answer(seconds: Plugin.secondsForPage)
            if let refusal = answer.refusal { throw refusal }
            guard let name = JSON.line(answer["name"]) else {
                throw PluginProcess.Fault.broke("gave page \(page.number) no name")
            }
            return name
        }
    }

    func compose() async throws -> SinkFindings {
        try await process.perform { try OutsideSession.complete($0) }
    }

    /// Has the plug-in complete the output, on the calling thread.
    @discardableResult
    func completeNow() throws -> SinkFindings {
        try process.performNow { try OutsideSession.complete($0) }
    }

    /// It may take as long as all pages did.
    private static func complete(_ process: PluginProcess) throws -> SinkFindings {
        let answer = try process.ask(["ask": "finish"], seconds: Plugin.secondsToFinish)
        if let refusal = answer.refusal { throw refusal }
        return SinkFindings(warnings: JSON.lines(answer["warnings"]).map { Warning(code: "plug-in", message: $0) })
    }

    /// Where the output is before it appears.
    var written: String {
        switch output {
        case .file(let file): "/proc/self/fd/\(file.number)"
        case .folder(let folder): folder.temporaryPath
        }
    }

    func finish() throws(AdapterError) {
        // From here on nobody writes to it any more.
        process.close()
        switch output {
        case .file(let file): try file.publish()
        case .folder(let folder): try folder.publish()
        }
    }

    private func talk<Value: Sendable>(_ body: (PluginProcess) throws -> Value) throws(AdapterError) -> Value {
        do {
            return try process.performNow(body)
        } catch var error as AdapterError {
            error.file = error.file ?? path
            throw error
        } catch {
            throw .cancelled
        }
    }
}
