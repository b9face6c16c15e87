internal import Metadata
internal import PageModel

/// The record RESC of a KF8: the sides of its pages, and its metadata.
struct MobiSpine {
    /// The sides by the numbers of the skeletons, from 0.
    private(set) var sides: [Int: Side] = [:]
    let metadata: BookMetadata

    /// The maximum size of the document, which has a line for each page.
    private static let maximumBytes = 16 << 20
    private static let package = "http://www.idpf.org/2007/opf"

    /// Finds the record after the images. A book whose record cannot be read has no sides.
    ///
    /// - Parameter parts: the parts of the book, whose images need not be searched.
    /// - Throws: `.unreadable`.
    static func find(
        in database: PalmDatabase, from firstImage: Int, except parts: [PartContent]
    ) throws(AdapterError) -> MobiSpine? {
        let images = Set(parts.flatMap(\.numbers).map { firstImage + $0 - 1 })
        for number in firstImage..<database.count where !images.contains(number) {
            guard try database.record(number, beginsWith: "RESC") else { continue }
            return MobiSpine(try database.record(number))
        }
        return nil
    }

    private init?(_ record: [UInt8]) {
        guard let start = record.firstIndex(of: UInt8(ascii: "<")) else { return nil }
        var document = record[start...].prefix { $0 != 0 }
        // The declaration is that of a whole document, but the elements are those of its root, which may be missing.
        if document.starts(with: Array("<?xml".utf8)), let end = document.firstIndex(of: UInt8(ascii: ">")) {
            document = document[(end + 1)...]
        }
        let words = document.drop { $0 <= 0x20 }
        let isWhole = words.starts(with: Array("<package".utf8))
        let whole =
            isWhole
            ? Array(words) : Array("<package xmlns=\"\(MobiSpine.package)\">".utf8) + words + Array("</package>".utf8)
        let limits = XMLReader.Limits(bytes: MobiSpine.maximumBytes)
        guard let root = try? XMLReader.read(whole, limits: limits) else { return nil }
        metadata = OPFMetadata.metadata(in: root)
        for item in root.elements.first(where: { $0.name.local == "spine" })?.elements ?? [] {
            guard let number = item["skelid"].flatMap({ Int($0) }), let properties = item["properties"] else {
                continue
            }
            // Standard names and those of EPUB 3 differ by a prefix.
            let words = properties.split(whereSeparator: \.isWhitespace).map { $0.split(separator: ":").last ?? $0 }
            sides[number] =
                words.contains("page-spread-left") ? .left : words.contains("page-spread-right") ? .right : nil
        }
    }
}
