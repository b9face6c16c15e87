package import PageModel

/// A decoder in another process, because a damaged or malicious image may crash a decoder or keep it busy forever.
package protocol DecodingHost: Sendable {
    /// Whether images of a format are decoded there.
    func takes(_ encoding: ImageEncoding) -> Bool

    /// - Throws: `PictureFault`, as decoding in this process would. Its kind is `damaged` if the other process ended, and
    ///   `tooLarge` if it took too long.
    func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage
}

extension PictureDecoder {
    /// The host that decodes images for this task; nil to decode them in this process.
    @TaskLocal package static var host: (any DecodingHost)?
}
