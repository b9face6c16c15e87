public import AdapterKit
public import PageModel

/// Lays all pages side by side into one long picture, or into slices or tiles of it.
public struct StripSink: SinkAdapter {
    public let card = AdapterCard(
        id: "strip", summary: "one long picture of all pages", extensions: ["png", "jpg", "jpeg", "webp"],
        settings: StripOptions.settings)
    public let form = OutputForm.file
    public let displays: Set<ImageEncoding>? = nil
    public let makesPictures = true

    public init() {}

    /// Slices and tiles are many files, and only a folder of them appears at once.
    public func form(_ settings: Settings) -> OutputForm {
        settings["strip-max"] != nil || settings.flag("tiles") ? .folder : .file
    }

    public func foresight(_ request: SinkRequest) throws(AdapterError) -> Remake? {
        try StripOptions(request, form: form(request.settings)).foresight
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let options = try StripOptions(request, form: form(request.settings))
        return try StripSession(request, options)
    }
}
