package import AdapterKit
internal import Imaging
package import PageModel

/// The loss of reduced gray levels in a lossy encoding, which brings back many levels.
package enum DitheringLoss {
    /// Returns a warning if the requested gray levels will be lost; nil otherwise. A sink that composes its own images states
    /// their encoding in its capabilities.
    ///
    /// - Parameter edits: the edits of pages.
    package static func warning(
        of edits: [PageEdit], _ request: EncodingRequest, in capabilities: SinkCapabilities
    ) -> Warning? {
        guard let levels = edits.lazy.compactMap({ $0.operation?.grayLevels }).first else { return nil }
        let format: ImageEncoding
        let hint: Message
        if let composition = capabilities.composition {
            guard composition.treatment == .encoded, let name = composition.notes.first?.values["format"] else {
                return nil
            }
            format = ImageEncoding(rawValue: name)
            hint = "a PNG keeps them"
        } else {
            let parameters = EncodingParameters(
                request, own: nil, isLossy: true, isDithered: true, formats: capabilities.formats)
            if parameters.isLossless { return nil }
            format = parameters.format
            hint = format == .jpeg ? "use --image-format png to keep them" : "remove --quality to keep them"
        }
        return Warning(
            code: "shades-lost",
            message: "the \(levels) requested gray levels are lost, because "
                + "\(format.name) is encoded with losses", hint: hint)
    }
}
