internal import AdapterKit
internal import PageModel
internal import Work

/// The options and operands of a command.
struct GivenOptions: Sendable {
    var values = LayeredRecipe()
    var operands: [String] = []

    /// The value of an option of the command line, or else its default.
    subscript(setting: Setting) -> String? { values[.commandLine][setting] ?? setting.defaultValue }

    func has(_ flag: Setting) -> Bool { values[.commandLine].has(flag) }

    /// Everything that a recipe can have.
    var recipe: Recipe { values.merged.without(Setting.ofRun.map(\.name)) }

    /// Adds the values of the recipe file that an option names, without those that another option leaves out.
    ///
    /// - Throws: `UsageError`; an `AdapterError` about the file, or about the names of settings that are left out.
    mutating func readRecipe() throws {
        let names = self[.recipeWithout]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let path = self[.recipe] else {
            if names != nil { throw UsageError("--recipe-without needs --recipe") }
            return
        }
        let recipe = try Recipe(file: path, Convert.settings)
        let known = Set(Convert.settings.map(\.name)).union(recipe.values.keys)
        if let unknown = names?.first(where: { !known.contains($0) }) {
            throw AdapterError(
                .usage, "--recipe-without has an unknown name '\(unknown)'",
                hint: "it takes names of options without dashes, separated by commas: verify,title")
        }
        values[.recipe] = recipe.without(names ?? [])
        // The command line may override an invalid value, so this check is not that of the complete recipe.
        do {
            try values[.recipe].checkValues(Convert.settings, hint: GivenOptions.hint)
        } catch {
            var named = error
            named.file = path
            throw named
        }
    }

    /// The line about the recipe file; nil without one.
    var recipeNote: Message? {
        guard let path = self[.recipe] else { return nil }
        let overridden = values.overridden(from: .recipe).map { Message(verbatim: "--\($0)") }
        if overridden.isEmpty { return "took the settings of \(path)" }
        return "took the settings of \(path); the command line overrides \(overridden.listed())"
    }

    /// Returns a hint on a name in a recipe that is not that of a setting.
    private static func hint(_ name: String) -> Message? {
        if Setting.ofRun.contains(where: { $0.name == name }) {
            return "a recipe cannot contain --\(name); give it on the command line"
        }
        return ShippedPlugin.all.first { $0.options.contains(name) }?.hint
    }
}
