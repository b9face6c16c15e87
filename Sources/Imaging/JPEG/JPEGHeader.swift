public import PageModel

/// Everything a JPEG file says before its first scan; nothing is decoded.
public struct JPEGHeader: Hashable, Sendable {
    public let frame: Frame
    /// Bits per sample.
    public let precision: Int
    public let width: Int
    /// The height; nil when it is left to a DNL marker behind the first scan.
    public let height: Int?
    public let components: [Component]
    /// What an Adobe segment says of the colours: 0 none (RGB, CMYK), 1 YCbCr, 2 YCCK; nil without such a segment.
    public let adobeTransform: Int?
    public let hasJFIF: Bool
    /// The EXIF orientation, 1 to 8; nil when there is none or it is out of range.
    public let exifOrientation: Int?
    /// The ICC profile; nil when there is none or a part of it is missing.
    public let iccProfile: [UInt8]?
    /// From JFIF where it names a unit, else from EXIF.
    public let resolution: Resolution?
    /// The number of MCUs between restart markers; nil when there are none.
    public let restartInterval: Int?
    /// The offset of the first start-of-scan marker; nil when the bytes end before it.
    public let scanOffset: Int?
    /// The quantisation tables by their numbers, each row by row.
    let tables: [Int: [UInt16]]
    /// What a note says of pages that were merged into it; believed only where its checksum is right.
    let mergeMark: MergeMark?

    /// The size as stored; nil when the height is not known before the scan.
    public var size: PixelSize? { PixelSize(stated: width, height) }

    /// - Parameter bytes: the beginning of a JPEG file, or all of it.
    /// - Returns: nil when it is no JPEG, or the frame header is broken, missing or further back than the bytes reach.
    public init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes)
        guard JPEGFormat.encoding(of: reader) != nil else { return nil }
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

    /// The components of a frame header (T.81 B.2.2); nil unless all of them are there and make sense.
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
