package import AdapterKit
package import PageModel

/// A source that reads books through an external plug-in.
package struct ExternalSource: SourceAdapter {
    package let descriptor: AdapterDescriptor
    private let plugin: Plugin

    /// - Precondition: the plug-in's role is that of a source.
    package init(_ plugin: Plugin) {
        precondition(plugin.manifest.role == .source)
        self.plugin = plugin
        var descriptor = plugin.manifest.descriptor
        descriptor.settings += [.dpi, .pageTimeout]
        self.descriptor = descriptor
    }

    /// Tests the file's first bytes as the manifest specifies. Without such tests, the file extension counts, after all
    /// sources that know more.
    package func recognize(_ probe: Probe) -> Recognition {
        if probe.isFolder { return .no }
        let magic = plugin.manifest.magic
        if magic.contains(where: { $0.allSatisfy { $0.holds(probe.head) } }) { return .certain }
        return magic.isEmpty && descriptor.extensions.contains(probe.pathExtension) ? .maybe(1) : .no
    }

    package func open(
        _ input: Input, settings: Settings, limits: Limits
    ) async throws(AdapterError) -> OpenedBook {
        do {
            return try await ExternalBook(plugin, input, settings, limits).opened()
        } catch let error as AdapterError {
            throw error
        } catch {
            throw .cancelled
        }
    }
}
