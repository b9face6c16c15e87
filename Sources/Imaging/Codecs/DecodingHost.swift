public import PageModel

/// Decodes pictures for this process in another, since a broken or hostile picture may crash a decoder or keep it busy for ever.
public protocol DecodingHost: Sendable {
    /// Whether pictures of a format are to be decoded there.
    func takes(_ encoding: ImageEncoding) -> Bool

    /// - Throws: `PictureFault`, as decoding it here would; and of the kind `damaged` when the other process ended, `tooLarge`
    ///   when it took too long.
    func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage
}

extension PictureDecoder {
    /// Who decodes pictures for this task; nil for nobody: they are decoded here.
    @TaskLocal public static var host: (any DecodingHost)?
}
