public import AdapterKit
public import PageModel

/// A sink that writes books through an external plug-in.
public struct ExternalSink: SinkAdapter {
    public let descriptor: AdapterDescriptor
    private let plugin: Plugin

    /// - Precondition: the plug-in's role is that of a sink.
    public init(_ plugin: Plugin) {
        precondition(plugin.manifest.role == .sink)
        self.plugin = plugin
        var descriptor = plugin.manifest.descriptor
        descriptor.settings.append(.pageTimeout)
        self.descriptor = descriptor
    }

    public func form(_ settings: Settings) -> OutputForm { plugin.manifest.form }

    public func capabilities(_ request: SinkRequest) -> SinkCapabilities {
        SinkCapabilities(
            formats: plugin.manifest.displays, holdsOnlyFormats: plugin.manifest.displays != nil,
            features: plugin.manifest.features)
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        try ExternalSession(plugin, request)
    }
}
