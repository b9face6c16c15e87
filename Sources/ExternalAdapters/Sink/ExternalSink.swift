package import AdapterKit
package import PageModel

/// A sink that writes books through an external plug-in.
package struct ExternalSink: SinkAdapter {
    package let descriptor: AdapterDescriptor
    private let plugin: Plugin

    /// - Precondition: the plug-in's role is that of a sink.
    package init(_ plugin: Plugin) {
        precondition(plugin.manifest.role == .sink)
        self.plugin = plugin
        var descriptor = plugin.manifest.descriptor
        descriptor.settings.append(.pageTimeout)
        self.descriptor = descriptor
    }

    package func form(_ settings: Settings) -> OutputForm { plugin.manifest.form }

    package func capabilities(_ request: SinkRequest) -> SinkCapabilities {
        SinkCapabilities(
            formats: plugin.manifest.displays, holdsOnlyFormats: plugin.manifest.displays != nil,
            features: plugin.manifest.features)
    }

    package func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        try ExternalSession(plugin, request)
    }
}
