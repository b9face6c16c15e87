internal import PageModel

/// The first directory of a TIFF structure, as in a TIFF file and in a JPEG's EXIF segment (TIFF 6.0 §2).
struct TIFFDirectory {
    struct Tag: Hashable {
        let number: Int

        static let imageWidth = Tag(number: 256)
        static let imageLength = Tag(number: 257)
        static let bitsPerSample = Tag(number: 258)
        static let samplesPerPixel = Tag(number: 277)
        static let photometric = Tag(number: 262)
        static let inkSet = Tag(number: 332)
        static let stripOffsets = Tag(number: 273)
        static let stripByteCounts = Tag(number: 279)
        static let orientation = Tag(number: 274)
        static let xResolution = Tag(number: 282)
        static let yResolution = Tag(number: 283)
        static let resolutionUnit = Tag(number: 296)
        static let tileOffsets = Tag(number: 324)
        static let tileByteCounts = Tag(number: 325)
        static let iccProfile = Tag(number: 34675)
    }

    /// The number format of a TIFF structure.
    struct Layout: Equatable {
        var order: ByteReader.Order
        /// Whether it is a BigTIFF, whose offsets and counts have 64 bits.
        var isBig: Bool
    }

    private struct Entry {
        var type: Int
        var count: Int
        /// The offset of the value, or of the pointer to it if the value is longer than the entry.
        var place: Int
    }

    private let bytes: ByteReader
    private let layout: Layout
    private var entries: [Tag: Entry] = [:]

    /// - Returns: nil if these bytes do not begin a TIFF structure.
    static func order(of bytes: ByteReader) -> Layout? {
        let order: ByteReader.Order
        if bytes.has("II") {
            order = .little
        } else if bytes.has("MM") {
            order = .big
        } else {
            return nil
        }
        switch bytes.uint16(at: 2, order) {
        case 42: return Layout(order: order, isBig: false)
        case 43 where bytes.uint16(at: 4, order) == 8: return Layout(order: order, isBig: true)
        default: return nil
        }
    }

    /// - Returns: nil if the bytes end before the directory does.
    init?(_ bytes: ByteReader) {
        guard let layout = TIFFDirectory.order(of: bytes) else { return nil }
        self.bytes = bytes
        self.layout = layout
        let order = layout.order
        let start = layout.isBig ? bytes.uint64(at: 8, order) : bytes.uint32(at: 4, order)
        guard let start, let count = layout.isBig ? bytes.uint64(at: start, order) : bytes.uint16(at: start, order)
        else { return nil }
        let width = layout.isBig ? 20 : 12
        let first = start + (layout.isBig ? 8 : 2)
        guard count <= bytes.count / width, bytes.part(at: first, count: count * width) != nil else { return nil }
        for place in stride(from: first, to: first + count * width, by: width) {
            guard let tag = bytes.uint16(at: place, order), let type = bytes.uint16(at: place + 2, order),
                let count = layout.isBig ? bytes.uint64(at: place + 4, order) : bytes.uint32(at: place + 4, order)
            else { continue }
            let entry = Entry(type: type, count: count, place: place + (layout.isBig ? 12 : 8))
            // The first of two entries with one tag counts, as in libtiff.
            if entries[Tag(number: tag)] == nil { entries[Tag(number: tag)] = entry }
        }
    }

    func has(_ tag: Tag) -> Bool { entries[tag] != nil }

    /// Returns the single whole number of a tag.
    func integer(_ tag: Tag) -> Int? {
        guard let entry = entries[tag], entry.count == 1 else { return nil }
        return number(entry.type, at: entry.place)
    }

    /// Returns all whole numbers of a tag; nil if the value is outside the bytes or has another type.
    func integers(_ tag: Tag) -> [Int]? {
        guard let entry = entries[tag], let width = TIFFDirectory.widths[entry.type],
            let start = start(of: entry, width: width)
        else { return nil }
        var numbers: [Int] = []
        for index in 0..<entry.count {
            guard let number = number(entry.type, at: start + index * width) else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// Returns the single fraction of a tag (type RATIONAL); nil also if it is not positive.
    func fraction(_ tag: Tag) -> Double? {
        guard let entry = entries[tag], entry.type == 5, entry.count == 1, let start = start(of: entry, width: 8),
            let numerator = bytes.uint32(at: start, layout.order),
            let denominator = bytes.uint32(at: start + 4, layout.order),
            numerator > 0, denominator > 0
        else { return nil }
        return Double(numerator) / Double(denominator)
    }

    /// The bytes of one value of each whole-number type: BYTE, SHORT, LONG, LONG8 and IFD8.
    private static let widths = [1: 1, 3: 2, 4: 4, 16: 8, 18: 8]

    /// Returns the offset of an entry's values; nil unless all of them are within the bytes.
    private func start(of entry: Entry, width: Int) -> Int? {
        guard entry.count <= bytes.count / width else { return nil }
        let total = entry.count * width
        let offset =
            if total <= (layout.isBig ? 8 : 4) {
                entry.place
            } else if layout.isBig {
                bytes.uint64(at: entry.place, layout.order)
            } else {
                bytes.uint32(at: entry.place, layout.order)
            }
        guard let offset, bytes.part(at: offset, count: total) != nil else { return nil }
        return offset
    }

    private func number(_ type: Int, at offset: Int) -> Int? {
        switch TIFFDirectory.widths[type] {
        case 1: bytes.uint8(at: offset)
        case 2: bytes.uint16(at: offset, layout.order)
        case 4: bytes.uint32(at: offset, layout.order)
        case 8: bytes.uint64(at: offset, layout.order)
        default: nil
        }
    }
}

/// TIFF 6.0 and BigTIFF: <https://www.loc.gov/preservation/digital/formats/fdd/fdd000022.shtml>.
enum TIFFCodec: PictureCodec {
    static let encodings: [ImageEncoding] = [.tiff]

    static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        try TIFFDecoder.decode(
            file, directory: request.directory, maximumPixels: request.maximumPixels, keepsInks: request.keepsInks)
    }

    static func isLossless(_ bytes: ByteReader) -> Bool { true }

    static func pictureCount(_ bytes: ByteReader) -> Int { TIFFPages(bytes.array)?.pages.count ?? 1 }

    static let signatures = [
        PictureSignature(.tiff, Array("II".utf8) + [42, 0]), PictureSignature(.tiff, Array("MM".utf8) + [0, 42]),
    ]

    /// Recognizes BigTIFF, too.
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        TIFFDirectory.order(of: bytes) == nil ? nil : .tiff
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        guard let directory = TIFFDirectory(bytes) else { return nil }
        return PixelSize(stated: directory.integer(.imageWidth), directory.integer(.imageLength))
    }

    static func bitsPerPixel(in bytes: ByteReader) -> Int? {
        guard let directory = TIFFDirectory(bytes) else { return nil }
        // One bit and one sample, unless a tag declares other values.
        let bits = directory.has(.bitsPerSample) ? directory.integers(.bitsPerSample)?.max() : 1
        let samples = directory.has(.samplesPerPixel) ? directory.integer(.samplesPerPixel) : 1
        guard let bits, let samples, (1...64).contains(bits), (1...16).contains(samples) else { return nil }
        return bits * samples
    }

    /// Whether the samples are exactly cyan, magenta, yellow and black of 8 or 16 bits each (TIFF 6.0 §16).
    static func isCMYK(_ bytes: ByteReader) -> Bool {
        let separated = 5
        guard let directory = TIFFDirectory(bytes), directory.integer(.photometric) == separated,
            directory.integer(.samplesPerPixel) == 4, let bits = directory.integers(.bitsPerSample)
        else { return false }
        let isUsual = !directory.has(.inkSet) || directory.integer(.inkSet) == 1
        return isUsual && [[8, 8, 8, 8], [16, 16, 16, 16]].contains(bits)
    }

    /// Whether 0 is white or black (TIFF 6.0, PhotometricInterpretation), and the decoder makes gray samples of it.
    static func isGray(_ bytes: ByteReader) -> Bool {
        guard let directory = TIFFDirectory(bytes), let photometric = directory.integer(.photometric),
            (0...1).contains(photometric)
        else { return false }
        let bits = directory.has(.bitsPerSample) ? directory.integers(.bitsPerSample) : [1]
        return bits?.allSatisfy { [1, 2, 4, 8, 16].contains($0) } ?? false
    }

    static func exifOrientation(in bytes: ByteReader) -> Int? {
        TIFFDirectory(bytes)?.integer(.orientation)
    }

    /// Returns a remark if strips or tiles end after the file's end.
    ///
    /// Their byte counts alone are not evidence: writers get them wrong in files that every program reads.
    static func damage(_ bytes: ByteReader) -> Message? {
        guard let directory = TIFFDirectory(bytes) else { return nil }
        let parts: [(TIFFDirectory.Tag, TIFFDirectory.Tag)] = [
            (.stripOffsets, .stripByteCounts), (.tileOffsets, .tileByteCounts),
        ]
        let reachesOut = parts.contains { offsets, counts in
            guard let offsets = directory.integers(offsets), let counts = directory.integers(counts) else {
                return false
            }
            return zip(offsets, counts).contains { $0 + $1 > bytes.count }
        }
        return reachesOut ? decodingDamage(bytes, .tiff) : nil
    }

    /// Whether the first directory and its strips or tiles begin within the file.
    static func isComplete(_ bytes: ByteReader) -> Bool {
        guard let directory = TIFFDirectory(bytes) else { return false }
        for tag in [TIFFDirectory.Tag.stripOffsets, .tileOffsets] where directory.has(tag) {
            guard let offsets = directory.integers(tag), offsets.allSatisfy({ $0 < bytes.count }) else { return false }
        }
        return true
    }
}
