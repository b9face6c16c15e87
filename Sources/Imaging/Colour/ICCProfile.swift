/// What the header of an ICC profile says (ICC.1 §7.2).
struct ICCProfile {
    private let bytes: ByteReader

    init(_ bytes: [UInt8]) {
        self.bytes = ByteReader(bytes)
    }

    /// The colours it is for: "GRAY", "RGB " or "CMYK", among others; nil when it is no profile.
    var colorSpace: FourCC? {
        bytes.has("acsp", at: 36) ? bytes.fourCC(at: 16) : nil
    }
}
