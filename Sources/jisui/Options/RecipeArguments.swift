internal import AdapterKit
internal import Conversion
internal import PageModel
internal import Work

/// A preprocessor that adds the settings of a recipe file to the arguments.
///
/// A recipe file thus gives the same run as the options that it stands for. Options that were typed override it.
struct RecipeArguments {
    /// The arguments with the settings of the file after `--recipe FILE`.
    let arguments: [String]
    /// The line about the settings in use; nil without a recipe file.
    let note: Message?

    private static let option = "--recipe"

    /// - Parameter typed: the arguments of the command. Only conversions have recipes.
    /// - Throws: an error about the file.
    init(_ typed: [String]) throws(AdapterError) {
        let isConversion = typed.first.map { !HelpCommand.subcommands.contains($0) } ?? false
        // Only inputs follow "--".
        let words = Array(typed.prefix { $0 != "--" })
        let joined = "\(Self.option)="
        guard isConversion, let place = words.firstIndex(where: { $0 == Self.option || $0.hasPrefix(joined) }),
            words[place] != Self.option || place + 1 < words.count
        else {
            (arguments, note) = (typed, nil)
            return
        }
        let isJoined = words[place] != Self.option
        let path = isJoined ? String(words[place].dropFirst(joined.count)) : words[place + 1]
        let recipe = try Self.recipe(path)
        let names = Set(words.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2).prefix { $0 != "=" }) })
        let added = recipe.values.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        var arguments = typed
        arguments.insert(
            contentsOf: added.flatMap { name, values in values.map { Self.argument(name, $0) } },
            at: place + (isJoined ? 1 : 2))
        self.arguments = arguments
        let overridden = recipe.values.keys.filter(names.contains).sorted().map { Message(verbatim: "--\($0)") }
        note =
            overridden.isEmpty
            ? "took the settings of \(path)"
            : "took the settings of \(path); the command line overrides \(overridden.listed())"
    }

    /// Reads and checks a recipe file.
    private static func recipe(_ path: String) throws(AdapterError) -> Recipe {
        let recipe = try Recipe(file: path, Convert.settings)
        do {
            try recipe.checkValues(Convert.settings, hint: hint)
        } catch {
            var named = error
            named.file = path
            throw named
        }
        return recipe
    }

    /// Returns a hint on a name that is not that of a setting.
    private static func hint(_ name: String) -> Message? {
        if BuiltInSettings.all.contains(where: { $0.name == name }) {
            return "a recipe cannot contain --\(name); give it on the command line"
        }
        return ShippedPlugin.all.first { $0.options.contains(name) }?.hint
    }

    private static func argument(_ name: String, _ value: String) -> String {
        let isFlag = Convert.settings.contains { $0.name == name && $0.kind == .flag }
        return isFlag ? "--\(name)" : "--\(name)=\(value)"
    }
}
