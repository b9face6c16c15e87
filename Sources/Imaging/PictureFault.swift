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

extension PixelSize {
    /// Refuses a picture that is too large, or has no pixels.
    func check(_ encoding: ImageEncoding, mostPixels: Int) throws(PictureFault) {
        guard width > 0, height > 0 else { throw .isBroken(encoding, "it has no pixels") }
        guard area <= mostPixels else {
            throw PictureFault("the \(encoding.name) has \(self) pixels, more than the \(mostPixels) allowed")
        }
    }
}
