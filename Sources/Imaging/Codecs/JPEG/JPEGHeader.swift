package import PageModel

/// The description of the image in a JPEG file, up to the first scan; nothing is decoded.
package struct JPEGHeader: Hashable, Sendable {
    package let frame: Frame
    /// Bits per sample.
    package let precision: Int
    package let width: Int
    /// The height; nil if a DNL marker after the first scan declares it.
    package let height: Int?
    package let components: [Component]
    /// The color transform in an Adobe segment: 0 none (RGB, CMYK), 1 YCbCr, 2 YCCK; nil without such a segment.
    package let adobeTransform: Int?
    /// Whether a JFIF segment exists, which promises gray or YCbCr.
    package let hasJFIF: Bool
    /// The EXIF orientation, 1 to 8; nil if it is missing or out of range.
    package let exifOrientation: Int?
    /// The ICC profile, assembled from its segments; nil if it or a part of it is missing.
    package let iccProfile: [UInt8]?
    /// The pixels per inch: from JFIF if it names a unit, otherwise from EXIF.
    package let resolution: Resolution?
    /// The number of MCUs between restart markers; nil without such markers.
    package let restartInterval: Int?
    /// The offset of the first start-of-scan marker; nil if the bytes end before it.
    package let scanOffset: Int?
    /// The quantization tables by their numbers, each row by row.
    let tables: [Int: [UInt16]]
    /// The mark of pages that were merged into the file; used only if its checksum is right.
    let mergeMark: MergeMark?

    /// The size as stored; nil if the height is not known before the scan.
    package var size: PixelSize? { PixelSize(stated: width, height) }

    /// - Parameter bytes: the beginning of a JPEG file, or all of it.
    /// - Returns: nil unless they hold a JPEG's valid frame header.
    package init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes)
        guard JPEGCodec.encoding(of: reader) != nil else { return nil }
        var found: (frame: Frame, contents: ByteReader)?
        var application = JPEGApplicationData()
        var interval: Int?
        var scan: Int?
        var tables: [Int: [UInt16]] = [:]
        var merged: MergeMark?
        for segment in JPEGSegments(reader) {
            switch segment.marker {
            case 0xDA: scan = segment.offset
            case 0xDB: JPEGTables.read(segment.contents, into: &tables)
            case 0xDD: interval = segment.contents.uint16(at: 0)
            case 0xFE: merged = merged ?? MergeMark(comment: segment.contents)
            case 0xE0...0xEF: application.take(segment)
            default:
                if found == nil, let frame = Frame(rawValue: segment.marker) { found = (frame, segment.contents) }
            }
        }
        guard let (frame, contents) = found,
            let precision = contents.uint8(at: 0), let height = contents.uint16(at: 1),
            let width = contents.uint16(at: 3), width > 0,
            let components = JPEGHeader.components(contents)
        else { return nil }
        self.frame = frame
        self.precision = precision
        self.width = width
        self.height = height > 0 ? height : nil
        self.components = components
        adobeTransform = application.adobeTransform
        hasJFIF = application.hasJFIF
        exifOrientation = application.exif?.integer(.orientation).flatMap { (1...8).contains($0) ? $0 : nil }
        iccProfile = application.iccProfile
        resolution = application.resolution
        restartInterval = interval.flatMap { $0 > 0 ? $0 : nil }
        scanOffset = scan
        self.tables = tables
        mergeMark = merged?.size == PixelSize(stated: width, height) ? merged : nil
    }

    /// Returns the components of a frame header (T.81 B.2.2); nil unless all of them are present and valid.
    private static func components(_ contents: ByteReader) -> [Component]? {
        guard let count = contents.uint8(at: 5), count > 0 else { return nil }
        var components: [Component] = []
        for offset in stride(from: 6, to: 6 + 3 * count, by: 3) {
            guard let id = contents.uint8(at: offset), let sampling = contents.uint8(at: offset + 1),
                let table = contents.uint8(at: offset + 2)
            else { return nil }
            let component = Component(
                id: id, horizontal: sampling >> 4, vertical: sampling & 15, quantisationTable: table)
            guard (1...4).contains(component.horizontal), (1...4).contains(component.vertical) else { return nil }
            components.append(component)
        }
        return components
    }
}

extension JPEGHeader {
    /// The coding of the frame: the code of its start-of-frame marker (ITU-T T.81 table B.1; T.87 for JPEG-LS).
    package enum Frame: UInt8, Hashable, Sendable {
        case baseline = 0xC0
        case extended = 0xC1
        case progressive = 0xC2
        case lossless = 0xC3
        case differentialSequential = 0xC5
        case differentialProgressive = 0xC6
        case differentialLossless = 0xC7
        case arithmeticSequential = 0xC9
        case arithmeticProgressive = 0xCA
        case arithmeticLossless = 0xCB
        case arithmeticDifferentialSequential = 0xCD
        case arithmeticDifferentialProgressive = 0xCE
        case arithmeticDifferentialLossless = 0xCF
        /// JPEG-LS, which shares only its markers with JPEG.
        case nearLossless = 0xF7
    }
}

extension JPEGHeader {
    /// One color component as the frame header declares it.
    package struct Component: Hashable, Sendable {
        package var id: Int
        /// The sampling factors across and down, 1 to 4.
        package var horizontal: Int
        package var vertical: Int
        /// The number of its quantization table, 0 to 3.
        package var quantisationTable: Int
    }
}

extension JPEGHeader {
    /// The size in pixels of a minimum coded unit (MCU; ITU-T T.81, A.2).
    ///
    /// The image can be cut along MCUs without being decoded. The size is nil for kinds of JPEG that libjpeg-turbo does not read.
    /// An image of one component is stored block by block, regardless of its sampling factors.
    package var grid: PixelSize? {
        let isKnown: [Frame] = [.baseline, .extended, .progressive, .arithmeticSequential, .arithmeticProgressive]
        guard isKnown.contains(frame), precision == 8, size != nil, [1, 3, 4].contains(components.count) else {
            return nil
        }
        if components.count == 1 { return PixelSize(width: 8, height: 8) }
        return PixelSize(
            width: 8 * (components.map(\.horizontal).max() ?? 1), height: 8 * (components.map(\.vertical).max() ?? 1))
    }
}

extension JPEGHeader {
    /// Refuses a number of components that is neither gray nor three colors nor four inks.
    static func check(components count: Int) throws(PictureFault) {
        guard [1, 3, 4].contains(count) else {
            throw PictureFault("the JPEG has \(count) colors, which cannot be decoded", kind: .unsupported)
        }
    }
}

extension JPEGHeader {
    /// See `EncodedPicture.isRareJPEG`.
    var isRare: Bool { ![.baseline, .extended, .progressive].contains(frame) || precision != 8 }

    /// Whether each row is complete when it is decoded, before the next rows are.
    package var isSequential: Bool { [.baseline, .extended, .arithmeticSequential].contains(frame) }
}

extension JPEGHeader {
    /// Whether three components are red, green and blue as they are, rather than YCbCr.
    ///
    /// These are libjpeg's rules: JFIF knows YCbCr only; then Adobe's segment decides, then the names of the components.
    package var hasRGBComponents: Bool {
        guard components.count == 3, !hasJFIF else { return false }
        if let adobeTransform { return adobeTransform == 0 }
        return components.map(\.id) == "RGB".utf8.map(Int.init)
    }
}

extension JPEGHeader {
    /// See `EncodedPicture.hasMergeMark`.
    package var hasMergeMark: Bool { mergeMark != nil }

    /// Returns the key that is equal for JPEGs whose parts can be joined in one file; nil if the header lacks a part of it.
    ///
    /// Coefficients mean the same in two files if their quantization tables, the sampling and the color space are the same. The
    /// colors shown depend on the profile, too.
    ///
    /// - Parameter profile: the ICC profile that the file will have when it is joined.
    package func joinKey(profile: [UInt8]?) -> JoinKey? {
        guard grid != nil, scanOffset != nil else { return nil }
        var description = [UInt8(components.count)]
        for component in components {
            guard let table = tables[component.quantisationTable] else { return nil }
            for divisor in table {
                description.append(UInt8(divisor >> 8))
                description.append(UInt8(truncatingIfNeeded: divisor))
            }
            // A single component is stored block by block, regardless of its factors.
            let factors = components.count == 1 ? [1, 1] : [component.horizontal, component.vertical]
            description += factors.map { UInt8($0) }
        }
        description += [hasRGBComponents, adobeTransform == 2].map { $0 ? 1 : 0 }
        return JoinKey(
            coding: SHA256.hexDigest(of: description),
            profile: profile.map { SHA256.hexDigest(of: JPEGHeader.colors(of: $0)) })
    }

    /// Returns a profile without the fields that do not affect its colors.
    ///
    /// They are its date, and the digest that covers the date (ICC.1:2022, 7.2.8 and 7.2.18). Programs that write a profile for
    /// each page write a different date each time.
    private static func colors(of profile: [UInt8]) -> [UInt8] {
        guard profile.count >= 128 else { return profile }
        var colors = profile
        for index in [24..<36, 84..<100].joined() { colors[index] = 0 }
        return colors
    }
}
