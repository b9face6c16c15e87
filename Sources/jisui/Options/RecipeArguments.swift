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
    /// The path of the file; nil without one.
    let path: String?
    /// The line about the settings in use; nil without a recipe file.
    let note: Message?

    /// - Parameter typed: the arguments of the command. Only conversions have recipes.
    /// - Throws: an error about the file, or about the names of settings that are left out.
    init(_ typed: [String]) throws(AdapterError) {
        let isConversion = typed.first.map { !HelpCommand.subcommands.contains($0) } ?? false
        // Only inputs follow "--".
        let words = Array(typed.prefix { $0 != "--" })
        guard isConversion, let (path, end) = Self.value(of: "--recipe", in: words) else {
            (arguments, path, note) = (typed, nil, nil)
            return
        }
        let recipe = try Self.recipe(path, without: Self.value(of: "--recipe-without", in: words)?.text)
        let names = Set(words.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2).prefix { $0 != "=" }) })
        let added = recipe.values.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        var arguments = typed
        arguments.insert(contentsOf: added.flatMap { name, values in values.map { Self.argument(name, $0) } }, at: end)
        self.arguments = arguments
        self.path = path
        let overridden = recipe.values.keys.filter(names.contains).sorted().map { Message(verbatim: "--\($0)") }
        note =
            overridden.isEmpty
            ? "took the settings of \(path)"
            : "took the settings of \(path); the command line overrides \(overridden.listed())"
    }

    /// Returns the value of an option and the place after it; nil if the option is not given, or lacks its value.
    private static func value(of option: String, in words: [String]) -> (text: String, end: Int)? {
        let joined = "\(option)="
        guard let place = words.firstIndex(where: { $0 == option || $0.hasPrefix(joined) }) else { return nil }
        if words[place] != option { return (String(words[place].dropFirst(joined.count)), place + 1) }
        // If an option follows, argument-parser reports the missing value.
        guard place + 1 < words.count, words[place + 1] == "-" || !words[place + 1].hasPrefix("-") else { return nil }
        return (words[place + 1], place + 2)
    }

    /// Reads and checks a recipe file.
    ///
    /// - Parameter names: the names of settings that are left out, separated by commas.
    private static func recipe(_ path: String, without names: String?) throws(AdapterError) -> Recipe {
        var recipe = try Recipe(file: path, Convert.settings)
        let names = names?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        let known = Set(Convert.settings.map(\.name)).union(recipe.values.keys)
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw AdapterError(
                .usage, "--recipe-without has an unknown name '\(unknown)'",
                hint: "it takes names of options without dashes, separated by commas: verify,title")
        }
        recipe = recipe.without(names)
        // The command line may override an invalid value, so this check is not that of the complete recipe.
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
