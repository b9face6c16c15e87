internal import PageModel

/// Why a picture cannot be decoded, changed or encoded.
public struct PictureFault: Error, Hashable, Sendable {
    /// Whose fault it is.
    public enum Kind: String, Codable, Hashable, Sendable {
        /// The data contradicts itself or ends too early, or what was asked for cannot be done to this picture.
        case damaged
        /// The picture may be sound, but jisui, or this machine's libraries, cannot do what was asked for: another
        /// program may.
        case unsupported
        /// The picture takes more memory than is allowed.
        case tooLarge
    }

    public let kind: Kind
    /// A half sentence for a person, like "the PNG ends too early".
    public let message: String

    public init(_ message: String, kind: Kind = .damaged) {
        self.kind = kind
        self.message = message
    }
}

extension PictureFault {
    static func endsTooEarly(_ encoding: ImageEncoding) -> PictureFault {
        PictureFault("the \(encoding.name) ends too early")
    }

    static func isBroken(_ encoding: ImageEncoding, _ detail: String? = nil) -> PictureFault {
        PictureFault(cannotBeDecoded(encoding, detail))
    }

    /// A picture that is sound, but of a kind that jisui or the format's library does not know.
    static func isUnknown(_ encoding: ImageEncoding, _ detail: String) -> PictureFault {
        PictureFault(cannotBeDecoded(encoding, detail), kind: .unsupported)
    }

    private static func cannotBeDecoded(_ encoding: ImageEncoding, _ detail: String?) -> String {
        "the \(encoding.name) cannot be decoded" + (detail.map { " (\($0))" } ?? "")
    }

    static func lacksMemory(_ encoding: ImageEncoding) -> PictureFault {
        PictureFault("there is not enough memory to decode the \(encoding.name)")
    }
}

extension Int {
    /// The bytes of so many pixels; the largest `Int` where that overflows.
    fileprivate func bytes(of bitsPerPixel: Int) -> Int {
        let (bits, overflow) = multipliedReportingOverflow(by: bitsPerPixel)
        return overflow ? .max : bits / 8
    }
}

extension PixelSize {
    /// What any picture may take that has no more pixels than are allowed.
    private static let harmlessBytes = 64 << 20

    /// Refuses a picture that is too large, or has no pixels.
    ///
    /// Memory is what the limit is for: a picture may have as many pixels as are allowed if each takes the three bytes
    /// of 8-bit colour, and fewer if each takes more.
    ///
    /// - Parameter bitsPerPixel: of the decoded samples; nil where they take no more than three bytes a pixel, or it is
    ///   not known yet.
    func check(_ encoding: ImageEncoding, mostPixels: Int, bitsPerPixel: Int? = nil) throws(PictureFault) {
        guard width > 0, height > 0 else { throw .isBroken(encoding, "it has no pixels") }
        guard area <= mostPixels else {
            throw PictureFault(
                "the \(encoding.name) has \(self) pixels, more than the \(mostPixels) allowed (--max-pixels allows more)",
                kind: .tooLarge)
        }
        if let bitsPerPixel, area.bytes(of: bitsPerPixel) > max(PixelSize.harmlessBytes, mostPixels.bytes(of: 24)) {
            throw PictureFault(
                "the \(encoding.name) has \(self) pixels of \(bitsPerPixel) bits, which take more memory than "
                    + "the \(mostPixels) of 24 bits allowed (--max-pixels allows more)",
                kind: .tooLarge)
        }
    }
}
