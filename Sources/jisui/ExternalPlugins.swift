internal import AdapterKit
internal import Conversion
internal import ExternalAdapters
internal import Files
internal import PageModel
internal import PageNames
internal import Processes
internal import Work

/// The external plug-ins of this user.
struct ExternalPlugins {
    let found: [FoundPlugin]

    /// The plug-ins in the standard folders. Only their descriptors were read.
    static let found = ExternalPlugins(
        found: PluginFolders.standard.plugins(
            builtIn: Registry.own.idsByRole, options: Registry.own.optionNames))

    /// The launcher of plug-ins. For each plug-in it starts jisui itself, which sets up the sandbox.
    static let launcher = PluginLauncher(trampoline: "/proc/self/exe")

    /// Returns the usable plug-ins of a role.
    func plugins(_ role: PluginManifest.Role) -> [Plugin] {
        found.compactMap { plugin in
            guard case .usable(let manifest) = plugin.state, manifest.role == role else { return nil }
            return Plugin(
                plugin.program, manifest, ExternalPlugins.launcher, Run.temporaryFiles, locale: Language.locale)
        }
    }

    /// Whether a command with these arguments may start a plug-in.
    ///
    /// It may start a source that reads an input, a named source or sink, and a plug-in one of whose options is given.
    func mayTakePart(
        in inputs: [String], from: String?, to: String? = nil, output: String? = nil, options: Set<String>
    ) -> Bool {
        let registry = Registry.jisui
        let plugins = [PluginManifest.Role.source, .sink, .transform].flatMap(plugins).map(\.manifest)
        func isPlugin(_ role: PluginManifest.Role, _ id: String?) -> Bool {
            plugins.contains { $0.role == role && $0.descriptor.id == id }
        }
        guard !plugins.isEmpty else { return false }
        if plugins.contains(where: { $0.descriptor.settings.contains { options.contains($0.name) } }) { return true }
        let sink = to ?? output.flatMap { registry.sink(forExtension: FileName.extension(of: $0))?.descriptor.id }
        if isPlugin(.sink, sink) { return true }
        if let from { return isPlugin(.source, (try? registry.source(from))?.descriptor.id) }
        let sources = self.plugins(.source).map { ExternalSource($0) }
        return inputs.contains { input in
            // The contents of standard input are not known yet.
            if input == "-" { return true }
            // The registry opens archives. Only an input that a plug-in knows by its first bytes needs that.
            guard let probe = try? Probe(path: input), sources.contains(where: { $0.recognize(probe) != .no }) else {
                return false
            }
            return isPlugin(.source, (try? registry.recognize(probe))?.descriptor.id)
        }
    }

    /// The errors of the unusable plug-ins, by id.
    var refusals: [String: AdapterError] {
        var refusals: [String: AdapterError] = [:]
        for plugin in found {
            guard case .refused(let error) = plugin.state, let dash = plugin.name.firstIndex(of: "-") else { continue }
            refusals[String(plugin.name[plugin.name.index(after: dash)...])] = error
        }
        return refusals
    }
}

extension PluginManifest {
    /// The plug-in's claims to built-in formats, with a hint on its use; nil if it has no such claims.
    var claim: Message? {
        let names: [String]
        let option: String
        switch role {
        case .source:
            let own = PictureName.extensions.union(Registry.own.sources.flatMap(\.descriptor.extensions))
            names = descriptor.extensions.filter(own.contains).map { ".\($0)" } + signaturesOfOwnFormats
            option = "--from"
        case .sink:
            let own = Set(Registry.own.sinks.flatMap(\.descriptor.extensions))
            names = descriptor.extensions.filter(own.contains).map { ".\($0)" }
            option = "--to"
        case .transform: return nil
        }
        if names.isEmpty { return nil }
        let (list, choice) = (names.commaSeparated, "\(option) \(descriptor.id)")
        return role == .source
            ? "jisui itself reads \(list); use \(choice) to use the plug-in instead"
            : "jisui itself writes \(list); use \(choice) to use the plug-in instead"
    }
}

extension Registry {
    /// The names of the options of these adapters and of jisui itself, with those of `jisui info`.
    var optionNames: Set<String> {
        Set((settings + Recipe.settings + Setting.ofRun + Info.answers + [.showHelp, .showVersion]).map(\.name))
    }

    /// The ids that plug-ins cannot have: those of these adapters. The id of a transform is also an option, so it cannot be that
    /// of another option.
    var idsByRole: [PluginManifest.Role: Set<String>] {
        [
            .source: Set(sources.map(\.descriptor.id)), .sink: Set(sinks.map(\.descriptor.id)),
            .transform: optionNames.union(transforms.map(\.descriptor.id)),
        ]
    }

    /// Returns these adapters and those of external plug-ins. External transforms come first, because they run before built-in
    /// transforms of the same stage; other external adapters come last.
    func adding(_ outside: ExternalPlugins) -> Registry {
        if outside.found.isEmpty { return self }
        return Registry(
            sources: sources,
            transforms: outside.plugins(.transform).map { ExternalTransform($0) } + transforms,
            sinks: sinks + outside.plugins(.sink).map { ExternalSink($0) },
            externalSources: outside.plugins(.source).map { ExternalSource($0) }, refusals: outside.refusals)
    }
}

/// The plug-ins that jisui ships as separate programs, for hints if they are not installed.
struct ShippedPlugin {
    let name: String
    let id: String
    /// The extensions of the files that it reads.
    var extensions: [String] = []
    var options: [String] = []

    static let all = [
        ShippedPlugin(name: "source-djvu", id: "djvu", extensions: ["djvu", "djv"]),
        ShippedPlugin(
            name: "source-unar", id: "unar",
            extensions: ["lzh", "lha", "arj", "sit", "sitx", "cab", "alz", "zoo", "lzx"],
            options: ["unar-encoding", "unar-password-visible"]),
        ShippedPlugin(name: "transform-ocr", id: "ocr", options: ["ocr", "ocr-pages", "ocr-language", "ocr-layout"]),
    ]

    /// A hint on installing it.
    var hint: Message {
        "install the package jisui-\(id), or run 'make plugins' in the source folder of jisui, then "
            + "'jisui plugin add .build/plugins/jisui-\(name)'"
    }

    /// Hints by extension, for files that only a plug-in reads.
    static var hints: [String: Message] {
        let pairs = all.flatMap { plugin in plugin.extensions.map { ($0, plugin.hint) } }
        return Dictionary(pairs) { first, _ in first }
    }
}
