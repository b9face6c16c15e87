public import AdapterKit
internal import PageModel

/// A sink that writes books through an external plug-in.
public struct OutsideSink: SinkAdapter {
    public let card: AdapterCard
    private let plugin: Plugin

    /// - Precondition: the plug-in's role is that of a sink.
    public init(_ plugin: Plugin) {
        precondition(plugin.card.role == .sink)
        self.plugin = plugin
        var card = plugin.card.card
        card.settings.append(.pageTimeout)
        self.card = card
    }

    public func form(_ settings: Settings) -> OutputForm { plugin.card.form }

    public func capabilities(_ request: SinkRequest) -> SinkCapabilities {
        SinkCapabilities(
            formats: plugin.card.displays, holdsOnlyFormats: plugin.card.displays != nil,
            features: plugin.card.features)
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        try OutsideSession(plugin, request)
    }
}
