internal import PageModel
internal import Work

/// The commands for presets.
enum PresetCommand {
    static let entry: CommandEntry = CommandEntry(
        name: "preset", summary: "List, show or remove the presets of --preset",
        subcommands: [
            CommandEntry(name: "preset list", summary: "List the presets") { _ in PresetList() },
            CommandEntry(
                name: "preset show", summary: "Print the settings of a preset as a recipe file", operands: [.preset]
            ) { PresetShow(name: $0.operands.first ?? "") },
            CommandEntry(
                name: "preset remove", summary: "Remove a preset that --save-preset wrote", operands: [.preset]
            ) { PresetRemove(name: $0.operands.first ?? "") },
        ]
    ) { _ in HelpCommand(entry) }
}

/// The command that lists presets.
struct PresetList: Command {
    func run() {
        let presets = Run.userFiles.presets
        let width = presets.map(\.name.count).max() ?? 0
        for preset in presets {
            let gap = String(repeating: " ", count: width - preset.name.count + 2)
            let text = preset.summary.map(Language.translated) ?? preset.file ?? ""
            Messages.answer(Message(verbatim: "\(preset.name)\(gap)\(text)"))
        }
    }
}

/// The command that prints a preset.
struct PresetShow: Command {
    let name: String

    func run() throws {
        let settings = Convert.settings + [.device]
        let recipe = try Run.userFiles.preset(named: name).recipe(settings).withoutSecrets(settings)
        print(Terminal.safeLines(recipe.lines), terminator: "")
    }
}

/// The command that removes a preset.
struct PresetRemove: Command {
    let name: String

    func run() throws { try Run.userFiles.removePreset(name) }
}

/// The command that saves the options without a conversion.
struct PresetSave: Command {
    private let given: GivenOptions

    /// - Throws: `UsageError`; an `AdapterError` about a file.
    init(_ typed: GivenOptions) throws {
        var given = typed
        try given.readLayers()
        try UsageError.check(given.recipe, Convert.settings)
        self.given = given
    }

    func run() throws {
        Messages.configure(quiet: given.has(.quiet), noColor: given.has(.noColor))
        if let note = try given.savePreset() { Messages.note(note) }
    }
}

extension GivenOptions {
    /// Saves the settings as the preset that an option names, without secret ones.
    ///
    /// - Returns: the line on the preset; nil if none is to be saved.
    func savePreset() throws(AdapterError) -> Message? {
        guard let name = self[.savePreset] else { return nil }
        let settings = Convert.settings
        let (whole, shown) = (recipe.canonical(settings), recipe.canonical(settings).withoutSecrets(settings))
        let path = try Run.userFiles.save(shown, asPreset: name, mayReplace: has(.force), Run.temporaryFiles)
        let saved: Message = "saved the preset \(name) as \(path)"
        return whole == shown ? saved : "\(saved), without the secret options"
    }
}
