internal import PageModel

/// The segments of a JPEG file from its beginning to its first scan, or from a scan to the next (ITU-T T.81 Annex B).
struct JPEGSegments: Sequence, IteratorProtocol {
    struct Segment {
        /// The second byte of the marker.
        let marker: UInt8
        /// The offset of the marker's first byte.
        let offset: Int
        /// The contents without their length.
        let contents: ByteReader
    }

    private let bytes: ByteReader
    private var offset: Int
    private var reachedScan = false

    /// - Parameters:
    ///   - bytes: a JPEG file from its first byte.
    ///   - offset: the offset of the first segment: the beginning of the file, or the end of a scan.
    init(_ bytes: ByteReader, from offset: Int = 2) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Returns the next segment; the last is the header of the next scan. Returns nil if the bytes end before that.
    ///
    /// Bytes between segments are skipped, as in libjpeg.
    mutating func next() -> Segment? {
        guard !reachedScan else { return nil }
        while let found = bytes.firstOffset(of: 0xFF, from: offset), let code = bytes.uint8(at: found + 1) {
            switch code {
            case 0xFF:
                offset = found + 1
            case 0x00, 0x01, 0xD0...0xD7:
                offset = found + 2
            case 0xD8, 0xD9:
                return nil
            default:
                guard let length = bytes.uint16(at: found + 2), length >= 2,
                    let contents = bytes.part(at: found + 4, count: length - 2)
                else { return nil }
                offset = found + 2 + length
                reachedScan = code == 0xDA
                return Segment(marker: UInt8(truncatingIfNeeded: code), offset: found, contents: contents)
            }
        }
        return nil
    }
}

/// JPEG: ITU-T T.81.
enum JPEGCodec: PictureCodec {
    static let encodings: [ImageEncoding] = [.jpeg]

    static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        try JPEGDecoder.decode(file, maximumPixels: request.maximumPixels)
    }

    /// Returns the bytes of the coefficients of a progressive JPEG, 16 bits each.
    static func decodingBytesPerPixel(_ picture: EncodedPicture) -> Double? { picture.isGray ? 2 : 4 }

    static let end: [UInt8] = [0xFF, 0xD9]

    static let signatures = [PictureSignature(.jpeg, [0xFF, 0xD8, 0xFF])]

    /// Returns the size. A height of 0 means that a marker after the first scan (DNL) has it: unknown without reading the scan.
    static func size(in bytes: ByteReader) -> PixelSize? {
        for segment in JPEGSegments(bytes) where JPEGHeader.Frame(rawValue: segment.marker) != nil {
            return PixelSize(stated: segment.contents.uint16(at: 3), segment.contents.uint16(at: 1))
        }
        return nil
    }

    /// Returns the bits of a pixel. CMYK becomes RGB, but is decoded first.
    static func bitsPerPixel(in bytes: ByteReader) -> Int? {
        for segment in JPEGSegments(bytes) where JPEGHeader.Frame(rawValue: segment.marker) != nil {
            return segment.contents.uint8(at: 5).map { 8 * $0 }
        }
        return nil
    }

    static func exifOrientation(in bytes: ByteReader) -> Int? {
        var application = JPEGApplicationData()
        for segment in JPEGSegments(bytes) { application.take(segment) }
        return application.exif?.integer(.orientation)
    }

    static func isComplete(_ bytes: ByteReader) -> Bool {
        guard var start = firstScan(in: bytes) else { return false }
        let tail = bytes.countWithoutPadding - end.count
        if tail >= start, bytes.has(end, at: tail) { return true }
        // Data follow the end marker, or it is missing: only the scans themselves can show that.
        return end(of: bytes, from: &start) != nil
    }

    /// Returns the offset of the data of the first scan; nil if the bytes end before it.
    static func firstScan(in bytes: ByteReader) -> Int? {
        JPEGSegments(bytes).first { $0.marker == 0xDA }.map { $0.offset + 4 + $0.contents.count }
    }

    /// Returns the number of bytes of the image that some bytes begin, up to its end marker; nil if it is missing.
    static func end(of bytes: ByteReader) -> Int? {
        guard bytes.has([0xFF, 0xD8]), var start = firstScan(in: bytes) else { return nil }
        return end(of: bytes, from: &start)
    }

    /// Returns a remark if the coded data are too short for the stated size.
    ///
    /// A Huffman-coded scan has at least one bit for the DC coefficient of each block of 8 × 8 pixels (ITU-T T.81, F.1.2.1 and
    /// G.1.2.1). A file with fewer bits states a size that its data cannot fill.
    static func damage(_ bytes: ByteReader) -> Message? {
        guard let frame = JPEGSegments(bytes).first(where: { (0xC0...0xC2).contains($0.marker) }),
            let height = frame.contents.uint16(at: 1), let width = frame.contents.uint16(at: 3)
        else { return nil }
        let blocks = ((width + 7) / 8) * ((height + 7) / 8)
        guard blocks > 8 * bytes.countWithoutPadding else { return nil }
        return "the JPEG states \(width)x\(height) pixels, more than its \(bytes.countWithoutPadding) bytes can hold"
    }

    /// Looks for the end marker after the scans and skips the tables between them. Without it, `offset` becomes the place where
    /// the search continues in the bytes that follow.
    static func end(of bytes: ByteReader, from offset: inout Int) -> Int? {
        while let found = bytes.firstOffset(of: 0xFF, from: offset) {
            offset = found
            guard let code = bytes.uint8(at: found + 1) else { return nil }
            switch code {
            case 0xD9:
                return found + 2
            case 0xC4, 0xCC, 0xDA...0xDF, 0xE0...0xEF, 0xFE:
                guard let length = bytes.uint16(at: found + 2) else { return nil }
                offset = found + 2 + length
            case 0xFF:
                offset = found + 1
            default:
                offset = found + 2
            }
        }
        offset = max(offset, bytes.count)
        return nil
    }
}

/// The contents of the application segments of a JPEG: JFIF, EXIF, ICC, Adobe.
struct JPEGApplicationData {
    private(set) var hasJFIF = false
    private(set) var adobeTransform: Int?
    private(set) var exif: TIFFDirectory?
    private var density: Resolution?
    private var profile: [Int: ByteReader] = [:]
    /// The number of parts the profile claims to have; nil if the parts contradict each other.
    private var profileCount: Int? = 0

    private static let exifName: [UInt8] = Array("Exif\0\0".utf8)
    private static let iccName: [UInt8] = Array("ICC_PROFILE\0".utf8)

    /// Reads a segment of a known kind and ignores any other. If there are two EXIF segments, the first counts.
    mutating func take(_ segment: JPEGSegments.Segment) {
        let contents = segment.contents
        switch segment.marker {
        case 0xE0 where contents.has("JFIF\0"):
            hasJFIF = true
            density = JPEGApplicationData.density(contents)
        case 0xE1 where contents.has(JPEGApplicationData.exifName) && exif == nil:
            exif = contents.part(from: JPEGApplicationData.exifName.count).flatMap { TIFFDirectory($0) }
        case 0xE2 where contents.has(JPEGApplicationData.iccName):
            takeProfile(contents)
        case 0xEE where contents.has("Adobe"):
            adobeTransform = contents.uint8(at: 11) ?? adobeTransform
        default:
            break
        }
    }

    /// JFIF's density if it has a unit (ITU-T T.871 §10.1), otherwise EXIF's resolution.
    var resolution: Resolution? {
        if let density { return density }
        guard let exif, let horizontal = exif.fraction(.xResolution), let vertical = exif.fraction(.yResolution) else {
            return nil
        }
        // 2 is inches, which is also the default; 3 is centimeters; 1 means that only the ratio counts.
        switch exif.integer(.resolutionUnit) ?? 2 {
        case 2: return Resolution(horizontal: horizontal, vertical: vertical)
        case 3: return Resolution(horizontal: horizontal * 2.54, vertical: vertical * 2.54)
        default: return nil
        }
    }

    /// The profile assembled from its parts (ICC.1 Annex B.4); nil unless each part is present exactly once.
    var iccProfile: [UInt8]? {
        guard let profileCount, profileCount > 0, profile.count == profileCount else { return nil }
        var bytes: [UInt8] = []
        for number in 1...profileCount {
            guard let part = profile[number] else { return nil }
            bytes += part.array
        }
        return bytes
    }

    private mutating func takeProfile(_ contents: ByteReader) {
        let start = JPEGApplicationData.iccName.count
        guard let number = contents.uint8(at: start), let count = contents.uint8(at: start + 1),
            let part = contents.part(from: start + 2), let known = profileCount,
            known == 0 || known == count, profile[number] == nil
        else {
            profileCount = nil
            return
        }
        profileCount = count
        profile[number] = part
    }

    private static func density(_ contents: ByteReader) -> Resolution? {
        guard let unit = contents.uint8(at: 7), let horizontal = contents.uint16(at: 8),
            let vertical = contents.uint16(at: 10), horizontal > 0, vertical > 0
        else { return nil }
        let perInch = [1: 1.0, 2: 2.54][unit]
        return perInch.map { Resolution(horizontal: Double(horizontal) * $0, vertical: Double(vertical) * $0) }
    }
}
