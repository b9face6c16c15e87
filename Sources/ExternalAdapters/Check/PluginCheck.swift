public import AdapterKit
public import Files
internal import OrderedJSON
public import PageModel
public import Processes

/// A conformance check of a plug-in's protocol, with valid and invalid requests.
///
/// A run ignores harmless violations; this check does not. It blocks the calling thread most of the time.
public final class PluginCheck {
    let plugin: Plugin
    /// The name by which the check finds processes that the plug-in started and left running.
    let token = "jisui-check-\(UInt64.random(in: 0...UInt64.max))"
    private(set) var findings: [String] = []

    /// The folder into which the plug-in must not write.
    private let decoy: WorkFolder?

    private static let maximumFindings = 50

    /// - Parameter program: the program. It may be outside the plug-in folders, and other users may be able to change
    ///   it.
    /// - Throws: the error of its name or manifest.
    public init(
        _ program: String, _ launcher: PluginLauncher, _ temporaryFiles: TemporaryFiles
    ) throws(AdapterError) {
        let name = try PluginFolders.name(ofProgram: program)
        guard let real = FileName.resolved(program) else {
            throw .system(.unreadable, "cannot be opened", file: program)
        }
        decoy = try? WorkFolder(temporaryFiles)
        plugin = Plugin(real, try PluginFolders.uncheckedManifest(of: program, name: name), launcher, temporaryFiles)
    }

    public var manifest: PluginManifest { plugin.manifest }

    /// The plug-in as runs use it; nil for other roles.
    public var source: ExternalSource? { manifest.role == .source ? ExternalSource(plugin) : nil }

    /// The plug-in as runs use it; nil for other roles.
    public var transform: ExternalTransform? { manifest.role == .transform ? ExternalTransform(plugin) : nil }

    /// Returns settings that activate a transform.
    ///
    /// - Throws: `.usage` when the manifest rejects its own words.
    public func settingsThatAsk() throws(AdapterError) -> Settings {
        let id = manifest.descriptor.id
        let value =
            switch manifest.descriptor.settings.first(where: { $0.name == id })?.kind {
            case .choice(let words): words[0]
            case .integer(let range): String(range.lowerBound)
            default: "true"
            }
        return try Settings(manifest.descriptor.settings, given: [id: value])
    }

    /// Runs all checks.
    ///
    /// - Parameter files: for a source, books that it reads.
    /// - Returns: the broken promises; empty for a conforming plug-in.
    public func run(files: [String]) async -> [String] {
        startsAndAnswers()
        switch plugin.manifest.role {
        case .source: for file in files { SourceCheck(self, file).run() }
        case .sink: SinkCheck(self).run()
        case .transform: await TransformCheck(self).run()
        }
        leavesNoChildProcesses()
        return findings
    }

    func expect(_ isKept: Bool, _ finding: @autoclosure () -> String) {
        if !isKept { find(finding()) }
    }

    func find(_ finding: String) {
        if findings.count < PluginCheck.maximumFindings, !findings.contains(finding) { findings.append(finding) }
    }

    /// Runs a step; its errors become findings.
    ///
    /// - Parameter what: the step, as in "when it opens the book".
    @discardableResult
    func attempt<Value>(_ what: String, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            find(what, error)
            return nil
        }
    }

    /// Runs a step that waits; its errors become findings.
    @discardableResult
    func attempt<Value>(_ what: String, _ body: () async throws -> Value) async -> Value? {
        do {
            return try await body()
        } catch {
            find(what, error)
            return nil
        }
    }

    private func find(_ what: String, _ error: any Error) {
        switch error {
        case let fault as PluginProcess.Fault:
            let error = fault.error(for: "it") as? AdapterError
            find("\(what): \(error?.message ?? "it was given up")")
        case let error as AdapterError:
            find("\(what): it answers '\(error.code.rawValue)': \(error.description)")
        default: find("\(what): \(error)")
        }
    }

    /// Returns the input of a process with the token. The process also gets a folder for temporary files, which it may
    /// use only if its manifest requests one.
    func marked(_ work: Plugin.ProcessInput) -> Plugin.ProcessInput {
        var marked = work
        marked.variables = ["JISUI_CHECK=\(token)"]
        if !manifest.needs.contains(.scratch) { marked.scratch = decoy }
        return marked
    }

    /// Starts a process and waits for its hello.
    private func start() throws -> PluginProcess {
        try plugin.start(marked(Plugin.ProcessInput())) { false }
    }

    /// Ends a process as jisui does when it has no more requests.
    func end(_ process: PluginProcess) {
        for remark in process.remarks.sorted() { find("it \(remark)") }
        expect(process.printedCount < 1 << 20, "it prints more than a megabyte")
        // A busy machine may take longer than a run waits.
        let status = process.end(within: .seconds(3))
        expect(status != nil, "it does not end when its socket is closed")
        if let status {
            expect(
                status == 0, "it ends with \(PluginCheck.description(of: status)) when its socket is closed, not with 0"
            )
        }
    }

    static func description(of status: CInt) -> String {
        status & 0x7F == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
    }

    // MARK: The program by itself

    private func startsAndAnswers() {
        manifestIsPrinted()
        identifiesItself()
        attempt("when it is started") {
            let process = try start()
            // Keys and a request of later versions.
            let answer = try process.ask(
                ["ask": "later", "later": ["much": [1, 2, 3]]], seconds: Plugin.secondsForHello)
            expect(
                answer["error"]?.asString == AdapterError.Code.unsupported.rawValue,
                "it does not answer 'unsupported' to a request that it cannot know")
            let again = try process.ask(hello([1, 999], ["later": true]), seconds: Plugin.secondsForHello)
            expect(again["version"]?.asInteger == 1, "it does not choose version 1 of 1 and 999")
            end(process)
        }
        attempt("when it is offered only version 999") {
            let process = try bare()
            let answer = try process.ask(hello([999], []), seconds: Plugin.secondsForHello)
            expect(
                answer["error"] != nil,
                "it accepted a version that it does not support: refuse hello unless versions contains 1")
            process.end()
        }
        for (what, bytes) in [("garbage", Array("garbage\n".utf8)), ("a line of 1 MiB", PluginCheck.longLine)] {
            attempt("when it gets \(what)") {
                let process = try bare()
                do {
                    try process.send(bytes: bytes, seconds: Plugin.secondsForHello)
                    let answer = try process.answer(seconds: Plugin.secondsForHello) { _ in nil }
                    expect(answer["error"] != nil, "it answers well to \(what)")
                } catch PluginProcess.Fault.crashed {
                    // It may also end.
                }
                process.end()
            }
        }
    }

    private static let longLine =
        Array("{\"ask\":\"later\",\"text\":\"".utf8) + [UInt8](repeating: 97, count: 1 << 20) + Array("\"}\n".utf8)

    private func hello(_ versions: [Int], _ more: JSON) -> JSON {
        let members: [(key: String, value: JSON)] = [
            ("ask", "hello"), ("versions", JSON(versions.map(JSON.integer))), ("role", .string(manifest.role.rawValue)),
            ("settings", .object([])), ("limits", ["pages": 50_000, "bytes": 2_000_000_000, "pixels": 250_000_000]),
        ]
        return .object(members + (more.members ?? []))
    }

    /// Starts a process without sending anything to it.
    private func bare(_ arguments: [String] = [], isRunByJisui: Bool = true) throws -> PluginProcess {
        try PluginProcess(
            .plugin(plugin.program), plugin.launcher, arguments: arguments,
            environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "JISUI_CHECK=\(token)"]
                + (isRunByJisui ? ["JISUI_PLUGIN=1"] : []),
            files: [], policy: plugin.policy(Plugin.ProcessInput()), isCancelled: { false })
    }

    private func manifestIsPrinted() {
        attempt("when it is to print its card") {
            let process = try bare(["manifest"], isRunByJisui: false)
            let status = process.waitForEnd(seconds: Plugin.secondsForHello)
            expect(status == 0, "'\(FileName.last(of: plugin.program)) manifest' does not end with status 0")
            let printed = try PluginManifest(parsing: Array(process.printedText.utf8))
            expect(printed == manifest, "the descriptor that it prints differs from its .json file")
        }
    }

    private func identifiesItself() {
        attempt("when it is run by hand") {
            let process = try bare(isRunByJisui: false)
            guard let status = process.waitForEnd(seconds: Plugin.secondsForHello) else {
                find("run by hand, without JISUI_PLUGIN, it does not end")
                return
            }
            expect(
                status == 64 << 8,
                "run by hand, without JISUI_PLUGIN, it ends with \(PluginCheck.description(of: status)), not with 64")
            expect(process.lastWords != nil, "run by hand, it does not print a description")
        }
    }

    // MARK: Remaining processes and files

    /// Checks that all its child processes have ended with it, and that it wrote only permitted files.
    private func leavesNoChildProcesses() {
        let left = (decoy.flatMap { try? FolderListing.names(in: $0.path) } ?? []).filter { $0 != WorkFolder.mark }
        expect(left.isEmpty, "it writes files, which its card does not say that it needs (scratch): \(left.sorted())")
        for name in (try? FolderListing.names(in: "/proc")) ?? [] where name.allSatisfy(\.isNumber) {
            guard let number = Int32(name),
                let environment = ReadableFile.systemFile("/proc/\(name)/environ", upTo: 4096),
                environment.firstRange(of: Array("JISUI_CHECK=\(token)".utf8)) != nil
            else { continue }
            find("it leaves processes running")
            Signals.kill(number)
        }
    }
}
