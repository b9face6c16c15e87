package import AdapterKit
package import PageModel

extension AdapterDescriptor {
    /// Returns the values of the adapter's settings for one run. No other function makes them of the values that a user gave.
    ///
    /// - Parameter given: the values for settings of any adapter.
    /// - Throws: `.usage` with the objection to the first invalid value.
    package func values(given: [String: String]) throws(AdapterError) -> Settings {
        try Settings(settings, given: given)
    }
}

extension SinkAdapter {
    /// Returns the capabilities of an output with settings as a user gave them.
    ///
    /// - Throws: `.usage` for invalid settings.
    package func capabilities(
        _ request: SinkRequest, given settings: [String: String]
    ) throws(AdapterError) -> SinkCapabilities {
        var request = request
        request.settings = try descriptor.values(given: settings)
        return try capabilities(request)
    }

    /// Returns the form of an output with settings as a user gave them.
    ///
    /// - Throws: likewise.
    package func form(given settings: [String: String]) throws(AdapterError) -> OutputForm {
        form(try descriptor.values(given: settings))
    }
}
