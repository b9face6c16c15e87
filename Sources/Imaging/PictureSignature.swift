package import PageModel

/// The bytes with which files of an image format begin.
package struct PictureSignature: Sendable {
    package let encoding: ImageEncoding
    /// The first bytes of such files, with 0 for bytes that differ from file to file.
    package let head: [UInt8]
    /// The places of the bytes that differ.
    private let gap: Range<Int>

    init(_ encoding: ImageEncoding, _ head: [UInt8], gap: Range<Int> = 0..<0) {
        self.encoding = encoding
        self.head = head
        self.gap = gap
    }

    /// Creates a signature of ASCII text, in which dots stand for bytes that differ.
    init(_ encoding: ImageEncoding, _ text: StaticString) {
        let dot = UInt8(ascii: ".")
        let bytes = text.withUTF8Buffer { Array($0) }
        let first = bytes.firstIndex(of: dot) ?? 0
        let gap = first..<(bytes.lastIndex(of: dot).map { $0 + 1 } ?? first)
        self.init(encoding, bytes.map { $0 == dot ? 0 : $0 }, gap: gap)
    }

    /// The signatures of all formats that jisui recognizes. The codecs of some formats require more.
    package static let all: [PictureSignature] = PictureCodecs.all.flatMap { $0.signatures }

    /// Whether these bytes begin with the signature.
    func begins(_ bytes: ByteReader) -> Bool {
        bytes.has(head[..<gap.lowerBound]) && bytes.has(head[gap.upperBound...], at: gap.upperBound)
    }
}
