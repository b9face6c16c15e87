public import AdapterKit
internal import PageModel

/// An outside plug-in, ready to be started.
public struct Plugin: Sendable {
    public let program: String
    public let card: PluginCard
    let launcher: PluginLauncher
    /// Keeps a list of the folders that processes have for their temporary files.
    let temporaryFiles: TemporaryFiles

    public init(_ program: String, _ card: PluginCard, _ launcher: PluginLauncher, _ temporaryFiles: TemporaryFiles) {
        self.program = program
        self.card = card
        self.launcher = launcher
        self.temporaryFiles = temporaryFiles
    }

    /// What it is called in messages.
    var name: String { FileName.last(of: program) }

    /// The seconds that a process may take for its first words, for the next line of a list, and for the end of an output.
    static let secondsForHello = 5
    static let secondsForList = 60
    static let secondsToFinish = 600
    /// How long a sink that finished its output may take to end, while jisui listens: one answer too many shows that some answer was
    /// taken for another's. A machine that is busy may need it.
    static let secondsToEnd = 10
    /// How long everything else may take, unless `--page-timeout` says more.
    static let secondsForPage = 15

    /// What a process works on.
    struct Work: Sendable {
        var settings = Settings()
        var limits = Limits()
        /// The input's path; nil for a sink or a transform.
        var input: String?
        /// The folder to be filled; nil for anything else.
        var output: String?
        /// The descriptor that it gets as 5, open at least until the process has ended.
        var book: Int32?
        /// What it may write to besides its output.
        var writable: [String] = []
        /// Variables of the environment besides those that the protocol names.
        var variables: [String] = []
        /// A folder for temporary files; there where the card asks for one.
        var scratch: WorkFolder?
    }

    /// Starts a process and says hello.
    ///
    /// - Throws: `PluginProcess.Fault`; `AdapterError`: `.unsupported` when it does not speak the protocol.
    func start(_ work: Work, isCancelled: @escaping @Sendable () -> Bool) throws -> sending PluginProcess {
        let process = try PluginProcess(
            .plugin(program), launcher, environment: environment(work), files: [work.book].compactMap { $0 },
            bounds: bounds(work), isCancelled: isCancelled)
        let settings = card.card.settings.compactMap { setting in
            work.settings[setting.name].map { (key: setting.name, value: JSON.string($0)) }
        }
        let answer = try process.ask(
            [
                "ask": "hello", "versions": [.integer(PluginCard.version)], "role": .string(card.role.rawValue),
                "settings": .object(settings),
                "limits": [
                    "pages": .integer(work.limits.pages), "bytes": .integer(work.limits.entryBytes),
                    "pixels": .integer(work.limits.pixels),
                ],
            ], seconds: Plugin.secondsForHello)
        if let refusal = answer.refusal { throw refusal }
        guard answer["version"]?.asInteger == PluginCard.version else {
            throw PluginProcess.Fault.broke("chose a version of the protocol that it was not offered")
        }
        process.answeredAtStart = process.answered
        return process
    }

    private func environment(_ work: Work) -> [String] {
        var list = [
            "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/nonexistent", "JISUI_PLUGIN=1",
        ]
        if let input = work.input { list.append("JISUI_INPUT=\(Plugin.whole(input))") }
        if let output = work.output { list.append("JISUI_OUTPUT=\(Plugin.whole(output))") }
        if let scratch = work.scratch { list.append("TMPDIR=\(Plugin.whole(scratch.path))") }
        return list + work.variables
    }

    /// A path that leads to the same from any folder: the process has another current one.
    private static func whole(_ path: String) -> String { FileName.resolved(path) ?? path }

    func bounds(_ work: Work) -> PluginLauncher.Bounds {
        var bounds = PluginLauncher.Bounds()
        if card.role != .sink {
            bounds.fileBytes = work.scratch == nil ? work.limits.entryBytes : work.limits.totalBytes
        }
        bounds.memoryBytes = PluginLauncher.Bounds.memory(pixels: work.limits.pixels)
        bounds.mayStartPrograms = card.needs.contains(.exec)
        if let input = work.input.map(Plugin.whole) {
            bounds.readable.append(card.needs.contains(.siblings) ? FileName.parent(of: input) : input)
        }
        bounds.writable = ([work.output, work.scratch?.path].compactMap { $0 } + work.writable).map(Plugin.whole)
        return bounds
    }
}

extension JSON {
    /// The error that an answer ends in; nil for one that went well.
    var refusal: AdapterError? {
        guard let code = self["error"] else { return nil }
        return AdapterError(
            code.asString.flatMap(AdapterError.Code.init) ?? .damaged,
            JSON.line(self["message"]) ?? "is refused by the plug-in, which does not say why",
            advice: JSON.line(self["advice"]))
    }

    /// A text for people; nil where there is none.
    static func line(_ json: JSON?) -> String? {
        json?.asString.map { $0.onOneLine(most: 1000) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The first 10,000 characters of a text of several such lines.
    static func paragraphs(_ json: JSON?) -> String? {
        let lines = (json?.asString ?? "").prefix(10_000)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let text = lines.map { String($0).onOneLine(most: 1000) }.joined(separator: "\n")
        return text.contains { !$0.isNewline } ? text : nil
    }

    /// A list of such texts.
    static func lines(_ json: JSON?) -> [String] {
        (json?.elements ?? []).prefix(100).compactMap { line($0) }
    }
}

extension AdapterError {
    /// What a plug-in gave although it is more than it was allowed to give.
    static func beyondLimit(_ message: String) -> AdapterError {
        AdapterError(.tooLarge, message, cause: ownCause)
    }

    private static let ownCause = "the plug-in should have refused it"

    /// Whether jisui found that out, and not the plug-in.
    var isOwn: Bool { cause == AdapterError.ownCause }
}

extension String {
    /// Its beginning on one line: what a plug-in says ends no line of a message, and does nothing to a terminal.
    func onOneLine(most: Int) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(most) {
            shown.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(shown)
    }
}
