package import AdapterKit
package import PageModel

extension SinkAdapter {
    /// Returns the capabilities of an output with settings as a user gave them. A run asks for them once, at its start.
    ///
    /// - Throws: `.usage` for invalid settings.
    package func capabilities(
        _ request: SinkRequest, given settings: [String: String]
    ) throws(AdapterError) -> SinkCapabilities {
        var request = request
        request.settings = try Settings(descriptor.settings, given: settings)
        return try capabilities(request)
    }
}
