internal import AdapterKit
internal import Conversion
internal import ExternalAdapters

/// The plug-ins that this user has.
struct OutsidePlugins {
    let found: [FoundPlugin]

    /// Those in the folders where plug-ins are looked for. Only their cards were read.
    static let found = OutsidePlugins(found: PluginFolders.standard.plugins(builtIn: Registry.own.idsByRole))

    /// Starts them, in bounds that jisui puts them in by starting itself for each.
    static let launcher = PluginLauncher(trampoline: "/proc/self/exe")

    /// Those of a role that can be used.
    func plugins(_ role: PluginCard.Role) -> [Plugin] {
        found.compactMap { plugin in
            guard case .usable(let card) = plugin.state, card.role == role else { return nil }
            return Plugin(plugin.program, card, OutsidePlugins.launcher, Run.temporaryFiles)
        }
    }

    /// Why the others cannot be used, by id.
    var refusals: [String: AdapterError] {
        var refusals: [String: AdapterError] = [:]
        for plugin in found {
            guard case .refused(let error) = plugin.state, let dash = plugin.name.firstIndex(of: "-") else { continue }
            refusals[String(plugin.name[plugin.name.index(after: dash)...])] = error
        }
        return refusals
    }
}

extension PluginCard {
    /// What it claims that is jisui's own, and how it is used all the same; nil where it claims nothing of that kind.
    var claim: String? {
        let names: [String]
        let option: String
        switch role {
        case .source:
            let own = PictureName.extensions.union(Registry.own.sources.flatMap(\.card.extensions))
            names = card.extensions.filter(own.contains).map { ".\($0)" } + signaturesOfOwnFormats
            option = "--from"
        case .sink:
            let own = Set(Registry.own.sinks.flatMap(\.card.extensions))
            names = card.extensions.filter(own.contains).map { ".\($0)" }
            option = "--to"
        case .transform: return nil
        }
        if names.isEmpty { return nil }
        let verb = role == .source ? "reads" : "writes"
        return
            "jisui itself \(verb) \(names.joined(separator: ", ")): use \(option) \(card.id) to have the plug-in do it"
    }
}

extension Registry {
    /// The ids of these adapters.
    var idsByRole: [PluginCard.Role: Set<String>] {
        [
            .source: Set(sources.map(\.card.id)), .sink: Set(sinks.map(\.card.id)),
            .transform: Set(transforms.map(\.card.id)),
        ]
    }

    /// These and those that outside plug-ins are, behind them; transforms before them, since they get pages as sources have them.
    func adding(_ outside: OutsidePlugins) -> Registry {
        if outside.found.isEmpty { return self }
        return Registry(
            sources: sources,
            transforms: outside.plugins(.transform).map { OutsideTransform($0) } + transforms,
            sinks: sinks + outside.plugins(.sink).map { OutsideSink($0) },
            outsideSources: outside.plugins(.source).map { OutsideSource($0) }, refusals: outside.refusals)
    }
}
