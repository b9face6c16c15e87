internal import AdapterKit
internal import Files
internal import PageModel
internal import Work

/// The options and operands of a command.
struct GivenOptions: Sendable {
    var values = LayeredRecipe()
    var operands: [String] = []
    /// The files and presets whose settings are among the values, by origin.
    var places: [LayeredRecipe.Origin: String] = [:]
    /// The values with those that `--recipe-without` names.
    var complete = LayeredRecipe()
    /// The names of settings that `--recipe-without` leaves out because they work only with those that it names.
    var dependents: [String] = []
    /// The names of a preset's settings that contradict the command line, and do not count.
    var contradicted: [String] = []
    /// The device, with the origin of its settings; nil for none.
    var device: GivenDevice?

    /// The value of an option of the command line, or else its default.
    subscript(setting: Setting) -> String? { values[.commandLine][setting] ?? setting.defaultValue }

    func has(_ flag: Setting) -> Bool { values[.commandLine].has(flag) }

    /// Everything that a recipe can have.
    var recipe: Recipe { values.merged.without(Setting.ofRun.map(\.name)) }

    /// The files and presets from which the values of options come, by the names of the options.
    var optionPlaces: [String: String] {
        let named = recipe.values.keys.compactMap { name in places[values.origin(of: name)].map { (name, $0) } }
        return Dictionary(uniqueKeysWithValues: named)
    }

    /// The names of options that were not given for this run: they come from defaults, a preset or a device.
    var implied: Set<String> {
        Set(recipe.values.keys.filter { ![.recipe, .commandLine].contains(values.origin(of: $0)) })
    }

    /// The end of the name of an output next to its input that would be the input itself: the device or the preset. An output
    /// of a format on the command line has none, because the format alone changes nothing.
    var suffix: String? {
        guard ![.recipe, .commandLine].contains(values.origin(of: Setting.to.name)) else { return nil }
        let preset = places[.preset].map { FileName.stem(of: $0.replacing("preset ", with: ""), extensions: ["json"]) }
        return (device?.profile.id ?? preset).map { "-\($0)" }
    }

    /// The files that the settings come from.
    var files: [String] {
        [self[.recipe]].compactMap { $0 } + places.values.filter { $0.hasSuffix(".json") }
    }

    /// The lines on the settings that are not on the command line, with the options that override them.
    var notes: [Message] {
        let origins: [LayeredRecipe.Origin] = [.folder, .preset, .recipe]
        let notes = origins.compactMap { origin -> Message? in
            guard let place = places[origin] else { return nil }
            if origin == .preset, has(.clean) { return cleaningNote(place) }
            return "took the settings of \(place)\(overriding(origin))"
        }
        let options = dependents.map { Message(verbatim: "--\($0)") }.listed()
        let leftOut: Message? = dependents.isEmpty ? nil : "--recipe-without also left out \(options)"
        return notes + [device.map { $0.note(values) }, leftOut].compactMap { $0 }
    }

    /// The preset for which `--clean` stands.
    static let cleaning = "clean-scan"

    /// The line on the options for which `--clean` stands, as far as they count.
    ///
    /// - Parameter place: the preset; another one if both were given.
    private func cleaningNote(_ place: String) -> Message {
        let options = values[.preset].values.sorted { $0.key < $1.key }
            .filter { values.origin(of: $0.key) == .preset }
            .map { Message(verbatim: GivenOptions.option($0.key, $0.value)) }.joined(separator: " ")
        let source: Message = place == "preset \(GivenOptions.cleaning)" ? "--clean" : "--clean and \(place)"
        return "\(source): \(options)\(overriding(.preset))"
    }

    /// The origin of each value that is not on the command line, for `--verbose`.
    var origins: [Message] {
        let shown = recipe.withoutSecrets(Convert.settings)
        return shown.values.sorted { $0.key < $1.key }.compactMap { name, value in
            let origin = values.origin(of: name)
            guard origin != .commandLine else { return nil }
            let isOfDevice = device?.isOrigin(of: name, values) ?? false
            let place = isOfDevice ? device?.profile.name ?? "" : places[origin] ?? ""
            let option = Message(verbatim: GivenOptions.option(name, value))
            return "\(option): from \(place)"
        }
    }

    private func overriding(_ origin: LayeredRecipe.Origin) -> Message {
        var overriding = values.overriding(origin)
        if origin == .preset, !contradicted.isEmpty {
            let names = overriding.last.flatMap { $0.origin == .commandLine ? $0.names : nil } ?? []
            overriding.removeAll { $0.origin == .commandLine }
            overriding.append((.commandLine, (names + contradicted).sorted()))
        }
        return GivenOptions.text(overriding)
    }

    /// Returns the end of a line about overridden options: "; the command line overrides --fit".
    static func text(_ overriding: [(origin: LayeredRecipe.Origin, names: [String])]) -> Message {
        overriding.map { origin, names -> Message in
            let options = names.map { Message(verbatim: "--\($0)") }.listed()
            return switch origin {
            case .commandLine: "; the command line overrides \(options)"
            case .recipe: "; the recipe overrides \(options)"
            case .device: "; the device overrides \(options)"
            case .preset: "; the preset overrides \(options)"
            case .folder, .configuration, .standard: "; a file of defaults overrides \(options)"
            }
        }.joined()
    }

    /// Returns an option as it is typed.
    static func option(_ name: String, _ values: [String]) -> String {
        let setting = Convert.settings.first { $0.name == name }
        return setting?.kind == .flag ? "--\(name)" : values.map { "--\(name) \($0)" }.joined(separator: " ")
    }
}

/// A device whose settings are among those of a run.
struct GivenDevice: Sendable {
    let profile: DeviceProfile
    /// The settings for the device that fit the output.
    var recipe: Recipe
    /// The origin of the device's name.
    let origin: LayeredRecipe.Origin

    /// Whether the value that counts is that of the device.
    func isOrigin(of name: String, _ values: LayeredRecipe) -> Bool {
        recipe.values[name] != nil && values.origin(of: name) == origin
            && values[origin].values[name] == recipe.values[name]
    }

    /// The line on the settings of the device.
    func note(_ values: LayeredRecipe) -> Message {
        let names = recipe.values.keys.sorted()
        let set = names.filter { isOrigin(of: $0, values) }
        let others = names.filter { !set.contains($0) }
        let overriding = LayeredRecipe.Origin.allCases.compactMap { stronger in
            let names = others.filter { values.origin(of: $0) == stronger }
            return names.isEmpty ? nil : (stronger, names)
        }
        let options = set.map { Message(verbatim: GivenOptions.option($0, recipe.values[$0] ?? [])) }
        let service = profile.formats.first { [$0.id] == values.merged.values["to"] }?.service
        let list: Message = options.isEmpty ? "no options" : options.joined(separator: " ")
        let text: Message = "\(profile.name): \(list)\(GivenOptions.text(overriding))"
        return service.map { "\(text); send it with \($0)" } ?? text
    }
}
