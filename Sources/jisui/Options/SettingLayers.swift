internal import AdapterKit
internal import Conversion
internal import Files
internal import PageModel
internal import Work

/// The settings that are not on the command line: defaults, presets, devices and recipes.
extension GivenOptions {
    /// The origins whose settings are defaults: those that do not fit the output are left out.
    private static let defaults: [LayeredRecipe.Origin] = [.configuration, .folder, .preset, .device]

    /// The settings of a file of defaults that name others.
    private static let references = [Setting.device, .preset]

    /// Adds the settings of all files, presets and devices, without those that an option leaves out.
    ///
    /// - Throws: `UsageError`; an `AdapterError` about a file, with the line of the fault.
    mutating func readLayers() throws {
        let files = Run.userFiles
        let named = self[.recipeWithout]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        try check(named)
        // An option that needs another one goes with it, unless the command line has that one.
        let typed = values[.commandLine].values
        let missing = Set(named).subtracting(typed.keys)
        let names = named + Convert.settings.filter { $0.needs.map(missing.contains) ?? false }.map(\.name)
        if let path = files.configuration { try read(.configuration, path, Convert.settings, names) }
        if let path = try fileInFolder() {
            try read(.folder, path, Convert.settings.filter(GivenOptions.isSafe), names)
        }
        if has(.clean) { try add(files.preset(named: GivenOptions.cleaning), without: names) }
        if let name = self[.preset] ?? reference(.preset) { try add(files.preset(named: name), without: names) }
        try readRecipe(names)
        if let name = self[.device] ?? reference(.device) {
            let profile = try DeviceCatalog.all(files).profile(named: name)
            add(profile, origin: self[.device] != nil ? .device : origin(of: .device), without: names)
        }
        if self[.recipeWithout] != nil, places.isEmpty, device == nil {
            throw UsageError("--recipe-without needs --recipe, --preset or --device")
        }
        for origin in GivenOptions.defaults {
            values[origin] = values[origin].without(GivenOptions.references.map(\.name))
        }
        try fitToOutput()
    }

    /// Adds the settings of a preset. They override those of one before.
    private mutating func add(_ preset: Preset, without names: [String]) throws(AdapterError) {
        places[.preset] = preset.place
        values[.preset] = values[.preset].overridden(
            by: try preset.recipe(Convert.settings + [.device], without: names, hint: GivenOptions.hint))
    }

    private mutating func read(
        _ origin: LayeredRecipe.Origin, _ path: String, _ settings: [Setting], _ names: [String]
    ) throws(AdapterError) {
        places[origin] = path
        values[origin] = try Recipe.checked(
            file: path, settings + GivenOptions.references, without: names, hint: GivenOptions.hint)
    }

    /// Adds the values of the recipe file that an option names.
    private mutating func readRecipe(_ names: [String]) throws(AdapterError) {
        guard let path = self[.recipe] else { return }
        places[.recipe] = path
        values[.recipe] = try Recipe.checked(file: path, Convert.settings, without: names, hint: GivenOptions.hint)
    }

    /// Checks the names that are left out.
    private func check(_ names: [String]) throws {
        guard self[.recipeWithout] != nil else { return }
        // A setting of a missing plug-in may be in the file.
        let recipe = try self[.recipe].map { try Recipe(file: $0, Convert.settings) }
        let known = Set(Convert.settings.map(\.name) + ShippedPlugin.all.flatMap(\.options))
            .union(recipe?.values.keys.map { $0 } ?? [])
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw AdapterError(
                .usage, "--recipe-without has an unknown name '\(unknown)'",
                hint: "it takes names of options without dashes, separated by commas: verify,title")
        }
    }

    /// Returns a name in a file of defaults, that of the strongest one.
    private func reference(_ setting: Setting) -> String? { values[origin(of: setting)][setting] }

    private func origin(of setting: Setting) -> LayeredRecipe.Origin {
        GivenOptions.defaults.last { values[$0][setting] != nil } ?? .standard
    }

    /// Adds the settings for a device. A file that names it overrides them.
    private mutating func add(_ profile: DeviceProfile, origin: LayeredRecipe.Origin, without names: [String]) {
        let typed = values[.commandLine][.to] ?? values[.recipe][.to] ?? Registry.jisui.format(ofOutput: self[.output])
        let format = typed ?? (origin == .device ? nil : values[origin][.to])
        let recipe = profile.recipe(Registry.jisui, format: format).without(names)
        device = GivenDevice(profile: profile, recipe: recipe, origin: origin)
        values[origin] = recipe.overridden(by: values[origin])
    }

    /// Leaves out the defaults that have no effect on the output: another format, and the options of other formats.
    private mutating func fitToOutput() throws(AdapterError) {
        let kept: [LayeredRecipe.Origin] = [.recipe, .commandLine]
        var names: Set<String> = []
        let typed = values[.commandLine][.to] ?? values[.recipe][.to]
        if typed == nil, Registry.jisui.format(ofOutput: self[.output]) != nil { names.insert(Setting.to.name) }
        // Nothing can be read back.
        if has(.dryRun) || self[.output] == "-" { names.insert(Setting.verify.name) }
        values.leaveOut(names, except: kept)
        let merged = values.merged
        names = try Registry.jisui.optionsOfOtherFormats(
            than: merged[.to], output: self[.output], merged.settings(of: Registry.jisui.settings))
        values.leaveOut(names, except: kept)
        leaveOutContradicted()
        names.formUnion(leaveOutUnusable())
        if var given = device {
            given.recipe = given.recipe.without(names)
            device = given
        }
    }

    /// Leaves out the settings of files of defaults that this run cannot use, such as trim-numbers in a run without trim.
    ///
    /// - Returns: their names.
    private mutating func leaveOutUnusable() -> Set<String> {
        leaveOut(from: [.configuration, .folder], until: GivenOptions.isUsable)
    }

    /// Leaves out the settings of a preset that transforms cannot combine with those of the command line, such as wide with
    /// --spreads split. Other contradictions stay errors: a preset that promises something keeps its promise.
    private mutating func leaveOutContradicted() {
        var preset = self
        preset.values[.commandLine] = Recipe()
        guard !values[.preset].values.isEmpty, GivenOptions.isTransformable(preset.recipe) else { return }
        contradicted = leaveOut(from: [.preset], until: GivenOptions.isTransformable).sorted()
    }

    /// Leaves out as few settings of some origins as needed for a recipe that fulfills a condition, if that is possible.
    ///
    /// - Returns: their names.
    private mutating func leaveOut(
        from origins: Set<LayeredRecipe.Origin>, until fulfills: (Recipe) -> Bool
    ) -> Set<String> {
        let others = LayeredRecipe.Origin.allCases.filter { !origins.contains($0) }
        var unusable = Set(origins.flatMap { values[$0].values.keys })
        func isUsable(without names: Set<String>) -> Bool {
            var rest = self
            rest.values.leaveOut(names, except: others)
            return fulfills(rest.recipe)
        }
        // If the other settings contradict each other, that is a mistake of the user.
        guard !unusable.isEmpty, !isUsable(without: []), isUsable(without: unusable) else { return [] }
        var isDone = false
        while !isDone {
            isDone = true
            for name in unusable.sorted() where isUsable(without: unusable.subtracting([name])) {
                unusable.remove(name)
                // Others may need this one.
                isDone = false
            }
        }
        values.leaveOut(unusable, except: others)
        return unusable
    }

    /// Whether settings go together.
    private static func isUsable(_ recipe: Recipe) -> Bool {
        (try? recipe.check(Convert.settings)) != nil && isTransformable(recipe)
    }

    /// Whether the transforms accept settings together.
    private static func isTransformable(_ recipe: Recipe) -> Bool {
        do {
            let given = recipe.settings(of: Registry.jisui.settings)
            for transform in Registry.jisui.transforms {
                _ = try transform.passes(Settings(transform.descriptor.settings, given: given))
            }
            return true
        } catch {
            return false
        }
    }

    /// Returns the file with defaults for the books of a folder; nil without one.
    ///
    /// - Throws: `.usage` if the inputs are in several folders, and one of them has such a file.
    private func fileInFolder() throws(AdapterError) -> String? {
        let folders = operands.filter { $0 != "-" }.map {
            has(.recursive) && FileStatus.isFolder($0) ? FileName.withoutSlashAtEnd($0) : FileName.parent(of: $0)
        }.unique
        let paths = folders.map { $0 == "." ? UserFiles.nameInFolder : "\($0)/\(UserFiles.nameInFolder)" }
        guard let path = paths.first(where: { FileStatus(of: $0) != nil }) else { return nil }
        guard folders.count == 1 else {
            throw AdapterError(
                .usage, "the settings are for the books in its folder, but the inputs are in \(folders.count) folders",
                hint: "convert the folders one by one", file: path)
        }
        return path
    }

    /// Whether a file among books may have a setting. Books come from strangers: their file could otherwise read and write
    /// other files, or remove the limits of a run.
    private static func isSafe(_ setting: Setting) -> Bool {
        ![.file, .newFile, .keptFile].contains(setting.kind) && setting.topic != "run" && !setting.isSecret
    }

    /// Returns a hint on a name in a file that is not that of a setting.
    private static func hint(_ name: String) -> Message? {
        if Setting.ofRun.contains(where: { $0.name == name }) {
            return "a recipe cannot contain --\(name); give it on the command line"
        }
        if Convert.settings.contains(where: { $0.name == name }) {
            return "a file among books cannot contain --\(name); give it on the command line"
        }
        return ShippedPlugin.all.first { $0.options.contains(name) }?.hint
    }
}
