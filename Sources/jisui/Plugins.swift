internal import AdapterKit
internal import Conversion
internal import ExternalAdapters
internal import OrderedJSON
internal import PageModel
internal import Processes

/// The commands that list and change the external plug-ins.
enum Plugins {
    static let entry: CommandEntry = CommandEntry(
        name: "plugin", summary: "List, add, remove and check external plug-ins",
        subcommands: [PluginList.entry, PluginAdd.entry, PluginRemove.entry, PluginCheckCommand.entry]
    ) { _ in HelpCommand(entry) }
}

/// The command that lists the plug-ins in the standard folders.
struct PluginList: Command {
    static let entry = CommandEntry(
        name: "plugin list", summary: "List the plug-ins that were found, those that are refused, and why",
        own: { [.json] }
    ) { PluginList(json: $0.has(.json)) }

    let json: Bool

    func run() {
        let (found, layers) = (ExternalPlugins.found.found, ExternalPlugins.launcher.layers)
        if json {
            let list: JSON = [
                "jisui": .string(Jisui.version), "pluginList": 1, "plugins": JSON(found.map(PluginList.json)),
                "folders": JSON(PluginFolders.standard.paths.map(JSON.string)),
                "sandbox": JSON(layers.map(JSON.string)),
            ]
            print(list.text)
            return
        }
        if found.isEmpty {
            Messages.answer("No plug-ins are in \(PluginFolders.standard.paths.commaSeparated).")
        }
        for plugin in found { PluginList.lines(plugin).forEach(Messages.answer) }
        Messages.answer("Plug-ins and worker processes (--isolate) run in a sandbox. \(PluginList.bounds)")
    }

    private static var bounds: Message {
        let missing = ExternalPlugins.launcher.lacks
        return missing.isEmpty
            ? "They see only the files they are given, and no network."
            : "This system cannot make sure that they \(missing.listed())."
    }

    private static func lines(_ plugin: FoundPlugin) -> [Message] {
        let text: Message
        switch plugin.state {
        case .usable(let manifest):
            let summary = Message(pattern: manifest.descriptor.summary)
            text = manifest.needs.isEmpty ? summary : "\(summary); \(manifest.needsText)"
        case .shadowed(let other): text = "not used, because \(other) comes first"
        case .refused(let error): text = "refused: \(error.text)"
        }
        var claim: Message?
        if case .usable(let manifest) = plugin.state { claim = manifest.claim }
        return ["\(plugin.name): \(text)", "    \(plugin.program)"] + (claim.map { ["    \($0)"] } ?? [])
    }

    private static func json(_ plugin: FoundPlugin) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("name", .string(plugin.name)), ("program", .string(plugin.program)),
        ]
        switch plugin.state {
        case .usable(let manifest):
            members += [
                ("state", "usable"), ("summary", .string(manifest.descriptor.summary)),
                ("needs", JSON(manifest.needs.map(\.rawValue).sorted().map(JSON.string))),
            ]
            if let claim = manifest.claim { members.append(("claim", .string(claim.english))) }
        case .shadowed(let other): members += [("state", "shadowed"), ("shadowedBy", .string(other))]
        case .refused(let error):
            members += [("state", "refused"), ("reason", .string(error.description)), ("hint", JSON(error.hint))]
        }
        return .object(members)
    }
}

extension PluginManifest {
    /// The plug-in's permissions, for people.
    var needsText: Message {
        let words: [Need: Message] = [
            .siblings: "reads files next to its input", .exec: "starts other programs",
            .scratch: "writes temporary files",
        ]
        return needs.compactMap { words[$0] }.sorted { $0.english < $1.english }.joined(separator: ", ")
    }
}

/// The command that installs a plug-in for this user.
struct PluginAdd: Command {
    static let entry = CommandEntry(
        name: "plugin add", summary: "Copy a plug-in and its manifest to your own plug-in folder",
        details: "jisui does not run the program. Its descriptor is the file of the same name that ends in .json.",
        operands: [.addedProgram], own: { [.replaced] }
    ) { PluginAdd(program: $0.operands[0], force: $0.has(.replaced)) }

    let program: String
    let force: Bool

    func run() throws {
        let manifest = try PluginInstallation.add(program, mayReplace: force, options: Registry.own.optionNames)
        Messages.answer("\(manifest.name) is added: \(Message(pattern: manifest.descriptor.summary)).")
        if !manifest.needs.isEmpty { Messages.answer("It \(manifest.needsText).") }
        if let claim = manifest.claim { Messages.answer("\(claim).") }
    }
}

/// The command that removes a plug-in of this user.
struct PluginRemove: Command {
    static let entry = CommandEntry(
        name: "plugin remove", summary: "Remove a plug-in that was added",
        operands: [.plugin]
    ) { PluginRemove(name: $0.operands[0]) }

    let name: String

    func run() throws {
        try PluginInstallation.remove(name)
    }
}

/// The command that checks whether a plug-in conforms to the protocol.
struct PluginCheckCommand: Command {
    static let entry = CommandEntry(
        name: "plugin check", summary: "Check that a plug-in follows the protocol",
        details:
            "The program is run in a sandbox with the permissions that its manifest requests. A "
            + "source needs one or two books that it can read.",
        operands: [.checkedProgram, .checkedBooks]
    ) { PluginCheckCommand(program: $0.operands[0], files: Array($0.operands.dropFirst())) }

    let program: String
    let files: [String]

    func run() async throws {
        let check = try PluginCheck(program, ExternalPlugins.launcher, Run.temporaryFiles)
        if check.manifest.role == .source, files.isEmpty {
            throw AdapterError(
                .usage, "a source is checked with a book that it reads", hint: "add the path of a book")
        }
        // Images from an unknown program are decoded in other processes, as in a conversion.
        let findings = try await OwnWorkers.run(
            .auto, ExternalPlugins.launcher, seconds: nil, pixels: Limits().pixels, memory: Limits().memory
        ) {
            await check.run(files: files)
        }
        for finding in findings { print(Terminal.safe("- \(finding)")) }
        if let claim = check.manifest.claim { Messages.answer("\(claim).") }
        let count = findings.count
        print(count == 0 ? "\(check.manifest.name) follows the protocol." : "\(check.manifest.name): \(count) found.")
        if count > 0 { throw ExitStatus.failed }
    }
}
