internal import AdapterKit
internal import Files
internal import OrderedJSON
internal import PageModel
internal import Processes

/// An output that a plug-in writes.
///
/// The plug-in writes to a hidden file or folder that jisui made. jisui alone decides which files appear, and when. A
/// process that crashes, hangs or violates the protocol ends the output, because another process could not continue its
/// part.
final class ExternalSession: SinkSession {
    private enum Output {
        case file(OutputFile)
        case folder(OutputFolder)
    }

    private let output: Output
    private let plugin: Plugin
    private let path: String
    private let process: PluginWorker
    private let features: Set<SinkCapabilities.Feature>
    /// The time limit for one page.
    private let seconds: Int
    private let secondsToFinish: Int
    /// The names of pages in the output, as far as the plug-in reported them, with their numbers.
    private var names: [String: Int] = [:]
    /// The state of the output when the plug-in reported it as complete.
    private var completed: InspectedOutput?

    init(_ plugin: Plugin, _ request: SinkRequest) throws(AdapterError) {
        self.plugin = plugin
        features = plugin.manifest.features
        let pageTimeout = Plugin.pageTimeout(request.settings)
        seconds = pageTimeout ?? AnswerTime.page
        secondsToFinish = Plugin.secondsToFinish(pageTimeout: pageTimeout)
        path = request.destination.path
        var work = Plugin.ProcessInput(settings: request.settings, limits: request.limits)
        if plugin.manifest.needs.contains(.scratch) { work.scratch = try WorkFolder(plugin.temporaryFiles) }
        switch plugin.manifest.form {
        case .folder, .collection:
            // Only the plug-in could recognize its own files in an existing folder: only an empty one is filled.
            let folder = try OutputFolder(at: request.destination) { _ in false }
            work.output = folder.temporaryPath
            output = .folder(folder)
        case .stream, .file:
            let file = try OutputFile(at: request.destination)
            work.book = file.number
            output = .file(file)
        }
        let kept = work
        let crashes = CrashCounter(maximum: 1, observer: plugin.watch)
        process = PluginWorker(plugin.name, crashes, faultConsequence: .isLost) { isCancelled in
            try plugin.start(kept, isCancelled: isCancelled)
        }
        let (begin, outline) = ExternalSession.begin(request, features)
        try communicate { [seconds] process in
            if let refusal = try process.ask(begin, behind: outline, seconds: seconds).refusal { throw refusal }
        }
    }

    /// Returns the request, and the outline line by line.
    private static func begin(
        _ request: SinkRequest, _ features: Set<SinkCapabilities.Feature>
    ) -> (request: JSON, outline: [JSON]) {
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
        return (.object(members), outline)
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
        if page.page.isDoublePage { members.append(("doublePage", true)) }
        let texts = features.contains(.text) ? page.text.map(\.forPlugin) : []
        if !texts.isEmpty { members.append(("lines", .integer(texts.count))) }
        let request = JSON.object(members)
        let name = try communicate(about: page.page.name) { [seconds, names] process in
            let answer = try process.ask(request, behind: texts, picture: picture.bytes, seconds: seconds)
            if let refusal = answer.refusal { throw refusal }
            let name = answer["name"]?.asString ?? ""
            guard ExternalSession.isPlace(name) else {
                throw PluginProcess.Fault.protocolViolation("gave page \(page.number) no valid name")
            }
            if let other = names[name] {
                throw PluginProcess.Fault.protocolViolation("gave page \(page.number) the same name as page \(other)")
            }
            return name
        }
        names[name] = page.number
        return name
    }

    /// Whether a name is valid for a file in the output.
    static func isPlace(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return (1...maximumNameBytes).contains(name.utf8.count)
            && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
            && !parts.contains { ["", ".", ".."].contains($0) }
    }

    /// The maximum number of bytes of a path in Linux.
    private static let maximumNameBytes = 4096

    func compose() async throws -> SinkFindings {
        do {
            let end = try await process.perform { [secondsToFinish, written] in
                try Self.complete($0, secondsToFinish, written)
            }
            completed = end.1
            return end.0
        } catch let error as AdapterError {
            throw named(error)
        }
    }

    /// Completes the output. It may take as long as all pages did.
    private static func complete(
        _ process: PluginProcess, _ seconds: Int, _ written: String
    ) throws -> (SinkFindings, InspectedOutput) {
        let answer = try process.ask(["ask": "finish"], seconds: seconds)
        if let refusal = answer.refusal { throw refusal }
        let warnings = JSON.messages(answer["warnings"]).map { Warning(code: "plug-in", message: $0) }
        let left = try InspectedOutput(at: written)
        // Checked before the output appears: this may be an extra answer to an earlier request, not the answer to
        // "finish".
        try process.expectSilence(seconds: Plugin.secondsToEnd)
        return (SinkFindings(warnings: warnings), left)
    }

    /// The path of the output before it appears.
    private var written: String {
        switch output {
        case .file(let file): "/proc/self/fd/\(file.number)"
        case .folder(let folder): folder.temporaryPath
        }
    }

    func finish() throws(AdapterError) {
        // From here on no process writes to it.
        process.close()
        try judge(try InspectedOutput(at: written))
        switch output {
        case .file(let file): try file.publish()
        case .folder(let folder): try folder.publish()
        }
    }

    /// - Throws: `.unwritable` when the plug-in's output is invalid.
    private func judge(_ left: InspectedOutput) throws(AdapterError) {
        var objection = left.objection
        if left != completed { objection = "continued to write after it had reported that it was finished" }
        if case .folder = output,
            let name = names.sorted(by: { $0.value < $1.value }).map(\.key).first(where: { !left.hasFile(at: $0) })
        {
            objection = objection ?? "reported the file '\(name)' for a page, but did not write it"
        }
        guard let objection else { return }
        throw AdapterError(
            .unwritable, "\(plugin.name) \(objection)", hint: PluginProcess.Fault.hint, file: path)
    }

    private func communicate<Value: Sendable>(
        about page: String? = nil, _ body: (PluginProcess) throws -> Value
    ) throws(AdapterError) -> Value {
        do {
            return try process.performNow(body)
        } catch let error as AdapterError {
            throw named(error, page)
        } catch {
            throw .cancelled
        }
    }

    private func named(_ error: AdapterError, _ page: String? = nil) -> AdapterError {
        error.at(file: error.file ?? path, page: error.page ?? page)
    }
}
