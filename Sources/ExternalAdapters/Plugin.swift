internal import AdapterKit
package import Files
internal import OrderedJSON
internal import PageModel
package import Processes

/// An external plug-in, ready to be started.
package struct Plugin: Sendable {
    package let program: String
    package let manifest: PluginManifest
    let launcher: PluginLauncher
    /// The list of the folders for temporary files of its processes.
    let temporaryFiles: TemporaryFiles
    /// The language tag of the user's system, such as "de-AT"; nil if it has none.
    let locale: String?
    /// The observer of its processes during a check; nil in a run.
    var watch: PluginWatch?

    package init(
        _ program: String, _ manifest: PluginManifest, _ launcher: PluginLauncher, _ temporaryFiles: TemporaryFiles,
        locale: String? = nil
    ) {
        self.program = program
        self.manifest = manifest
        self.launcher = launcher
        self.temporaryFiles = temporaryFiles
        self.locale = locale
    }

    /// The name in messages.
    var name: String { FileName.last(of: program) }

    /// The maximum number of seconds for a process's first answer.
    static let secondsForHello = 5
    /// Returns the maximum number of seconds for the next line of a list. A transform may analyze all pages first.
    ///
    /// - Parameter pageTimeout: the value of `--page-timeout`; nil without the option.
    static func secondsForList(pageTimeout: Int?) -> Int { max(AnswerTime.list, pageTimeout ?? 0) }
    /// Returns the maximum number of seconds for the text or the changed image of a page: a page of a newspaper takes
    /// long.
    ///
    /// - Parameter pageTimeout: the value of `--page-timeout`; nil without the option.
    static func secondsForWholePage(pageTimeout: Int?) -> Int { max(300, pageTimeout ?? 0) }
    /// The maximum number of seconds for a sink to end after it finished its output.
    ///
    /// Meanwhile jisui listens. An extra answer shows that an earlier answer belonged to another request. A busy
    /// machine may need this long.
    static let secondsToEnd = 10
    /// Returns the maximum number of seconds for the end of an output, which may take as long as many pages.
    ///
    /// - Parameter pageTimeout: the value of `--page-timeout`; nil without the option.
    static func secondsToFinish(pageTimeout: Int?) -> Int { pageTimeout.map { max(60, 10 * $0) } ?? 600 }

    /// Returns the value of `--page-timeout`; nil without the option, which has a default for other operations.
    static func pageTimeout(_ settings: Settings) -> Int? {
        settings.given[Setting.pageTimeout.name].flatMap { Int($0) }
    }

    /// The input of a process.
    struct ProcessInput: Sendable {
        var settings = Settings()
        var limits = Limits()
        /// The input's path; nil for a sink or a transform.
        var input: String?
        /// The folder to be filled; nil for other outputs.
        var output: String?
        /// The descriptor that it gets as 5, open at least until the process has ended.
        var book: Int32?
        /// The files and folders that it may write in addition to its output.
        var writable: [String] = []
        /// The environment variables in addition to those that the protocol names.
        var variables: [String] = []
        /// The folder for temporary files, if the manifest requests one.
        var scratch: WorkFolder?
    }

    /// Starts a process and exchanges hellos.
    ///
    /// - Throws: `PluginProcess.Fault`; `AdapterError`: `.unsupported` when it does not support the protocol.
    func start(_ work: ProcessInput, isCancelled: @escaping @Sendable () -> Bool) throws -> sending PluginProcess {
        let work = watch?.watched(work, manifest) ?? work
        let process = try PluginProcess(
            .plugin(program), launcher, environment: environment(work), files: [work.book].compactMap { $0 },
            policy: policy(work), isCancelled: isCancelled)
        process.observer = watch
        watch?.started(process.number)
        let settings = manifest.descriptor.settings.compactMap { setting in
            work.settings[setting.name].map { (key: setting.name, value: JSON.string($0)) }
        }
        let hello: JSON =
            [
                "ask": "hello", "versions": [.integer(PluginManifest.version)], "role": .string(manifest.role.rawValue),
                "settings": .object(settings),
                "limits": [
                    "pages": .integer(work.limits.pages), "bytes": .integer(work.limits.entryBytes),
                    "pixels": .integer(work.limits.pixels),
                ],
            ]
        let answer: JSON
        do {
            answer = try process.ask(hello, seconds: Plugin.secondsForHello)
        } catch PluginProcess.Fault.slow(let seconds, _) {
            throw PluginProcess.Fault.slow(seconds, isFixed: true)
        }
        if let refusal = answer.refusal { throw refusal }
        guard answer["version"]?.asInteger == PluginManifest.version else {
            throw PluginProcess.Fault.protocolViolation("chose a version of the protocol that it was not offered")
        }
        process.answeredAtStart = process.answered
        return process
    }

    private func environment(_ work: ProcessInput) -> [String] {
        var list = [
            "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/nonexistent", "JISUI_PLUGIN=1",
        ]
        if let input = work.input { list.append("JISUI_INPUT=\(Plugin.whole(input))") }
        if let output = work.output { list.append("JISUI_OUTPUT=\(Plugin.whole(output))") }
        if let scratch = work.scratch { list.append("TMPDIR=\(Plugin.whole(scratch.path))") }
        return list + work.variables
    }

    /// Returns the absolute form of a path: the process has another current folder.
    private static func whole(_ path: String) -> String { FileName.resolved(path) ?? path }

    func policy(_ work: ProcessInput) -> PluginLauncher.SandboxPolicy {
        var policy = PluginLauncher.SandboxPolicy()
        if manifest.role != .sink {
            policy.fileBytes = work.scratch == nil ? work.limits.entryBytes : work.limits.totalBytes
        }
        policy.memoryBytes = PluginLauncher.SandboxPolicy.memory(pixels: work.limits.pixels)
        policy.mayStartPrograms = manifest.needs.contains(.exec)
        if let input = work.input.map(Plugin.whole) {
            policy.readable.append(manifest.needs.contains(.siblings) ? FileName.parent(of: input) : input)
        }
        policy.writable = ([work.output, work.scratch?.path].compactMap { $0 } + work.writable).map(Plugin.whole)
        return policy
    }
}

extension JSON {
    /// The error that an answer ends with; nil for a successful one.
    var refusal: AdapterError? {
        guard let code = self["error"] else { return nil }
        return AdapterError(
            code.asString.flatMap(AdapterError.Code.init) ?? .damaged,
            JSON.message(self["message"], self["values"]) ?? "was refused by the plug-in, which gave no reason",
            hint: JSON.message(self["hint"], self["values"]))
    }

    /// Returns a text for people; nil if it is missing.
    static func line(_ json: JSON?) -> String? {
        json?.asString.map { $0.onOneLine(maximumLength: 1000) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the first 10,000 characters of a text of several such lines.
    static func paragraphs(_ json: JSON?) -> String? {
        let lines = (json?.asString ?? "").prefix(10_000)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let text = lines.map { String($0).onOneLine(maximumLength: 1000) }.joined(separator: "\n")
        return text.contains { !$0.isNewline } ? text : nil
    }

    /// Returns a list of such texts.
    static func lines(_ json: JSON?) -> [String] {
        (json?.elements ?? []).prefix(100).compactMap { line($0) }
    }

    /// Returns such a text as a message, which is translated like one of jisui's own.
    ///
    /// - Parameter values: the values for the places in the text.
    static func message(_ json: JSON?, _ values: JSON? = nil) -> Message? {
        let values = (values?.elements ?? []).prefix(100).map { Message.Value.text(line($0) ?? "") }
        return line(json).map { Message(pattern: $0, values: values) }
    }

    /// Returns a list of such messages.
    static func messages(_ json: JSON?) -> [Message] {
        lines(json).map(Message.init(verbatim:))
    }
}

extension AdapterError {
    /// Returns the error for an answer that exceeds the plug-in's limit.
    static func beyondLimit(_ message: Message) -> AdapterError {
        AdapterError(.tooLarge, message, cause: ownCause)
    }

    private static let ownCause: Message = "the plug-in should have refused it"

    /// Whether jisui found the error, and not the plug-in.
    var isOwn: Bool { cause == AdapterError.ownCause }
}
