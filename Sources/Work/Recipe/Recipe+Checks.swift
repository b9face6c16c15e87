public import AdapterKit
public import Conversion
public import PageModel

/// The validation of recipes. The command line, recipe files and programs that use this library share it.
extension Recipe {
    /// Checks that each name is that of a setting, and that each value is one that its setting takes.
    ///
    /// - Parameters:
    ///   - settings: all settings that a recipe may have.
    ///   - hint: returns a hint on a name that is not among them.
    /// - Throws: `.usage` for the first fault.
    public func checkValues(
        _ settings: [Setting], hint: (String) -> Message? = { _ in nil }
    ) throws(AdapterError) {
        let names = settings.map(\.name)
        if let name = values.keys.sorted().first(where: { !names.contains($0) }) {
            throw .unknownSetting(name, among: names, hint: hint(name))
        }
        for setting in settings {
            let values = list(setting)
            if values.count > 1, !setting.isRepeatable {
                throw AdapterError(.usage, "--\(setting.name) takes one value, not \(values.count)")
            }
            for value in values {
                if setting.kind == .flag, value != "true" {
                    throw AdapterError(.usage, "--\(setting.name) takes no value but true, not '\(value)'")
                }
                if let objection = setting.objection(to: value) { throw AdapterError(.usage, objection) }
            }
        }
    }

    /// Checks names and values, and the settings that need or exclude each other.
    ///
    /// - Parameter settings: all settings that a recipe may have.
    /// - Throws: `.usage` for the first fault.
    public func check(_ settings: [Setting]) throws(AdapterError) {
        try checkValues(settings)
        let given = values.compactMapValues(\.last)
        for setting in settings {
            guard let objection = setting.objection(among: given) else { continue }
            let missing = setting.needs.flatMap { given[$0] == nil ? $0 : nil }
            throw AdapterError(.usage, objection, hint: missing.map { "add --\($0)" })
        }
        if has(.guess), has(.combine) {
            throw AdapterError(.usage, "--guess uses the name of one file and cannot be combined with --combine")
        }
        if self[.targetSize] != nil { try checkTargetSize() }
        guard self[.quality] != nil else { return }
        if let format = encoding.format, !format.hasQuality {
            throw AdapterError(.usage, "--quality has no effect on \(format.name), which keeps every pixel")
        }
        if has(.lossless) { throw AdapterError(.usage, "--quality and --lossless exclude each other") }
    }

    private func checkTargetSize() throws(AdapterError) {
        if let format = encoding.format, !format.hasQuality {
            throw AdapterError(.usage, "--target-size has no effect on \(format.name), which keeps every pixel")
        }
        if has(.lossless) { throw AdapterError(.usage, "--target-size and --lossless exclude each other") }
        if self[.quality] != nil { throw AdapterError(.usage, "--target-size and --quality exclude each other") }
    }
}

extension Registry {
    /// All settings that a recipe for these adapters may have.
    public var recipeSettings: [Setting] {
        Recipe.settings.map { setting in
            switch setting {
            case .to:
                setting.taking(sinks.map(\.descriptor.id)) { id throws(AdapterError) in _ = try writableSink(id) }
            case .from:
                setting.taking(sources.map(\.descriptor.id)) { id throws(AdapterError) in _ = try source(id) }
            default: setting
            }
        } + settings
    }
}

extension Setting {
    /// Returns this setting for the ids of some adapters.
    ///
    /// - Parameter check: throws an error for any other value. The error of an adapter that cannot be used is left to
    ///   the run, because it is not about the value.
    fileprivate func taking(
        _ ids: [String], check: @escaping @Sendable (String) throws(AdapterError) -> Void
    ) -> Setting {
        var setting = self
        setting.kind = .form(
            ValueForm(name, words: ids, canonical: { ids.contains($0.lowercased()) ? $0.lowercased() : $0 }) { id in
                do throws(AdapterError) {
                    try check(ids.contains(id.lowercased()) ? id.lowercased() : id)
                    return nil
                } catch {
                    return error.code == .usage ? error.text : nil
                }
            })
        return setting
    }
}
