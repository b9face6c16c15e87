internal import AdapterKit
internal import Imaging
internal import PageModel

/// Few shades are lost in an encoding that is not lossless: it makes many of them again.
enum ShadesLost {
    /// What to say of a book whose pages are to have few shades; nil when they will.
    ///
    /// - Parameters:
    ///   - edits: what is asked of every page.
    ///   - request: how pictures are to be encoded.
    ///   - capabilities: of the sink; one that composes pictures of its own says how they are encoded.
    static func warning(
        of edits: [Edit], _ request: EncodingRequest, in capabilities: SinkCapabilities
    ) -> Warning? {
        let depths = edits.compactMap { edit in if case .depth(let bits) = edit { bits } else { nil } }
        guard let bits = depths.last else { return nil }
        let format: ImageEncoding
        let advice: String
        if let composition = capabilities.composition {
            guard composition.treatment == .encoded, let name = composition.notes.first?.values["format"] else {
                return nil
            }
            format = ImageEncoding(rawValue: name)
            advice = "a PNG keeps them"
        } else {
            let parameters = EncodingParameters(
                request, own: nil, isLossy: true, isDithered: true, formats: capabilities.formats)
            if parameters.isLossless { return nil }
            format = parameters.format
            advice = format == .jpeg ? "--image-format png keeps them" : "without --quality they are kept"
        }
        return Warning(
            code: "shades-lost",
            message: "the \(1 << bits) shades that were asked for become many again, since "
                + "\(format.name) is encoded with losses", advice: advice)
    }
}
