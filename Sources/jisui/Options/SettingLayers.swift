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

    /// The settings that `--recipe-without` names.
    private var unwanted: [String] {
        self[.recipeWithout]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    /// Whether `--recipe-without` names a setting, or the missing plug-in that has it: "ocr" for "ocr-pages".
    private func isUnwanted(_ name: String) -> Bool {
        let isMissing = { name in !Convert.settings.contains { $0.name == name } }
        return unwanted.contains(name)
            || isMissing(name) && unwanted.contains { isMissing($0) && name.hasPrefix("\($0)-") }
    }

    /// Adds the settings of all files, presets and devices, without those that an option leaves out.
    ///
    /// - Throws: `UsageError`; an `AdapterError` about a file, with the line of the fault.
    mutating func readLayers() throws {
        let files = Run.userFiles
        try checkUnwanted()
        if let path = files.configuration { try read(.configuration, path, Convert.settings) }
        if let path = try fileInFolder() { try read(.folder, path, Convert.settings.filter(GivenOptions.isSafe)) }
        if has(.clean) { try add(files.preset(named: GivenOptions.cleaning)) }
        if let name = self[.preset] ?? reference(.preset) { try add(files.preset(named: name)) }
        if let path = self[.recipe] { try read(.recipe, path, Convert.settings) }
        if let name = self[.device] ?? reference(.device) {
            let profile = try DeviceCatalog.all(files).profile(named: name)
            add(profile, origin: self[.device] != nil ? .device : origin(of: .device))
        }
        if self[.recipeWithout] != nil, places.isEmpty, device == nil {
            throw UsageError("--recipe-without needs --recipe, --preset or --device")
        }
        leaveOutDependents()
        for origin in GivenOptions.defaults {
            values[origin] = values[origin].without(GivenOptions.references.map(\.name))
        }
        try fitToOutput()
    }

    /// Adds the settings of a preset. They override those of one before.
    private mutating func add(_ preset: Preset) throws(AdapterError) {
        let recipe = try preset.recipe(Convert.settings + [.device], except: isUnwanted, hint: GivenOptions.hint)
        add(recipe, .preset, of: preset.place)
    }

    /// Adds the settings of a file. A recipe names no preset and no device.
    private mutating func read(
        _ origin: LayeredRecipe.Origin, _ path: String, _ settings: [Setting]
    ) throws(AdapterError) {
        let references = origin == .recipe ? [] : GivenOptions.references
        let recipe = try Recipe.checked(
            file: path, settings + references, except: isUnwanted, hint: GivenOptions.hint)
        add(recipe, origin, of: path)
    }

    private mutating func add(_ recipe: Recipe, _ origin: LayeredRecipe.Origin, of place: String) {
        places[origin] = place
        complete[origin] = complete[origin].overridden(by: recipe)
        values[origin] = values[origin].overridden(by: wanted(recipe))
    }

    private func wanted(_ recipe: Recipe) -> Recipe { recipe.without(recipe.values.keys.filter(isUnwanted)) }

    /// Checks the names that are left out.
    private func checkUnwanted() throws {
        guard self[.recipeWithout] != nil else { return }
        // A setting of a missing plug-in may be in the file.
        let recipe = try self[.recipe].map { try Recipe(file: $0, Convert.settings) }
        let known = Set(Convert.settings.map(\.name) + ShippedPlugin.all.flatMap(\.options))
            .union(recipe?.values.keys.map { $0 } ?? [])
        if let unknown = unwanted.first(where: { !known.contains($0) }) {
            throw AdapterError(
                .usage, "--recipe-without has an unknown name '\(unknown)'",
                hint: "it takes names of options without dashes, separated by commas: verify,title")
        }
    }

    /// Leaves out the settings that work only with those that the option names. On the command line, they stay mistakes.
    private mutating func leaveOutDependents() {
        complete[.commandLine] = values[.commandLine]
        guard complete != values else { return }
        let typed = values[.commandLine].values.keys
        let names = unusable(values).subtracting(unusable(complete)).subtracting(typed)
        values.leaveOut(names)
        if let recipe = device?.recipe { device?.recipe = recipe.without(names) }
        let ofMissing = complete.merged.values.keys.filter { isUnwanted($0) && !unwanted.contains($0) }
        dependents = names.union(ofMissing).sorted()
    }

    /// Returns the settings that do not go together with others.
    ///
    /// Each setting is added once those are there that it needs. Settings of the command line come first, because they stay.
    private func unusable(_ layers: LayeredRecipe) -> Set<String> {
        var whole = self
        whole.values = layers
        let given = whole.recipe
        let typed = layers[.commandLine].values.keys
        var rest = given.values.keys.sorted()
        rest = rest.filter(typed.contains) + rest.filter { !typed.contains($0) }
        var usable = Recipe()
        var count = 0
        repeat {
            count = rest.count
            rest.removeAll { name in
                let more = usable.overridden(by: Recipe([name: given.values[name] ?? []]))
                guard GivenOptions.isUsable(more), fits(more) else { return false }
                usable = more
                return true
            }
        } while rest.count < count
        return Set(rest)
    }

    /// Whether no setting belongs to another format than that of the output.
    private func fits(_ recipe: Recipe) -> Bool { (try? optionsOfOtherFormats(recipe))?.isEmpty ?? false }

    private func optionsOfOtherFormats(_ recipe: Recipe) throws(AdapterError) -> Set<String> {
        let settings = recipe.settings(of: Registry.jisui.settings)
        let others = try Registry.jisui.optionsOfOtherFormats(than: recipe[.to], output: self[.output], settings)
        return others.intersection(settings.keys)
    }

    /// Returns a name in a file of defaults, that of the strongest one.
    private func reference(_ setting: Setting) -> String? { values[origin(of: setting)][setting] }

    private func origin(of setting: Setting) -> LayeredRecipe.Origin {
        GivenOptions.defaults.last { values[$0][setting] != nil } ?? .standard
    }

    /// Adds the settings for a device. A file that names it overrides them.
    private mutating func add(_ profile: DeviceProfile, origin: LayeredRecipe.Origin) {
        let typed = values[.commandLine][.to] ?? values[.recipe][.to] ?? Registry.jisui.format(ofOutput: self[.output])
        let format = typed ?? (origin == .device ? nil : values[origin][.to])
        let recipe = profile.recipe(Registry.jisui, format: format)
        let wanted = wanted(recipe)
        device = GivenDevice(profile: profile, recipe: wanted, origin: origin)
        complete[origin] = recipe.overridden(by: complete[origin])
        values[origin] = wanted.overridden(by: values[origin])
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
        names = try optionsOfOtherFormats(values.merged)
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
