internal import AdapterKit
internal import Files
internal import Imaging
internal import Metadata
internal import PageModel
internal import Thumbnails

/// An AZW3 during writing.
///
/// The file begins with the text of all pages and with the offsets of all records. The images wait in a temporary file until these
/// are known.
final class AZW3Session: SinkSession {
    /// The maximum size of an image record. Kindles decode one into a buffer of that size; of a larger one they show nothing, or
    /// they close the book. A larger image is stored once more in the container of high-resolution images.
    static let maximumImageBytes = 127 << 10
    /// The box for the cover in the device's library.
    private static let thumbnailBox = FitBox(width: 330, height: 470)

    private let output: OutputFile
    private let spool: SpoolFile
    private let request: SinkRequest
    private var pages: [KindlePage] = []
    private var thumbnail: [UInt8]?
    /// The number of the images' records, and their bytes.
    private var (recordCount, byteCount) = (0, 0)
    /// The data that identify the book: a part of each image.
    private var identity = SHA256()

    init(_ request: SinkRequest) throws(AdapterError) {
        self.request = request
        try PalmDatabaseWriter.check(recordCount: request.pageCount)
        output = try OutputFile(at: request.destination)
        spool = try SpoolFile(beside: request.destination)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let picture = try page.encoded()
        guard let size = picture.framing?.rect.size else {
            throw AdapterError(.unsupported, "the image does not state its size", page: page.page.name)
        }
        let isCover = request.cover.map { $0 == page.page.id } ?? (page.number == 1)
        // The cover may have been skipped.
        if isCover || pages.isEmpty {
            thumbnail = Thumbnail.jpeg(of: picture, in: AZW3Session.thumbnailBox, request) ?? thumbnail
        }
        let bytes = picture.bytes
        var small: [UInt8]?
        if bytes.count > AZW3Session.maximumImageBytes {
            small =
                page.attachment
                ?? Thumbnail.jpeg(of: picture, maximumBytes: AZW3Session.maximumImageBytes, request)
        }
        byteCount += bytes.count + (small?.count ?? 0)
        let entry = KindlePage(
            number: page.number, id: page.page.id, isCover: isCover, size: size,
            placement: SpinePlacement.Page(
                side: page.page.side, isCover: isCover, isDouble: page.page.showsSpread(size),
                book: page.page.book),
            image: try store(small ?? bytes, small == nil ? picture.encoding : .jpeg),
            original: small == nil ? nil : try store(bytes, picture.encoding))
        pages.append(entry)
        recordCount += small == nil ? 1 : 2
        try PalmDatabaseWriter.check(recordCount: recordCount, byteCount: byteCount)
        identity.update(Array("\(size) \(bytes.count)\n".utf8) + bytes.suffix(256))
        return "image \(page.number)"
    }

    private func store(_ bytes: [UInt8], _ encoding: ImageEncoding) throws(AdapterError) -> KindlePage.Image {
        KindlePage.Image(encoding: encoding, offset: try spool.append(bytes), byteCount: bytes.count)
    }

    func finish() throws(AdapterError) {
        if !pages.isEmpty, !pages.contains(where: \.isCover) { pages[0].isCover = true }
        let title = request.book.title(orOf: request.destination.path, extensions: ["azw3"])
        let spreads = SpinePlacement(
            pages.map(\.placement), isRightToLeft: request.book.direction == .rightToLeft)
        if let effect = spreads.effect { request.effects.note(effect) }
        let digest = identity.digest()
        let book = KindleBook(
            title: title, metadata: request.book, pages: pages, places: spreads.places, thumbnail: thumbnail,
            identifier: digest.prefix(4).reduce(0) { $0 << 8 | Int($1) },
            coverID: request.settings.flag(AZW3Sink.cover.name) ? digest.prefix(16).uuid : nil)
        var writer = PalmDatabaseWriter(title: title)
        book.addRecords(to: &writer)
        try writer.write(to: output, from: spool)
        try output.publish()
    }
}

/// A page of an AZW3.
struct KindlePage {
    /// An image in the temporary file.
    struct Image {
        let encoding: ImageEncoding
        let offset: Int
        let byteCount: Int
    }

    /// The number in the book, from 1.
    let number: Int
    /// The `Page.id`.
    let id: Int
    var isCover: Bool
    /// The size as shown, which is that of the original.
    let size: PixelSize
    let placement: SpinePlacement.Page
    /// The image within the limit of the devices.
    let image: Image
    /// The unchanged image, if it exceeds that limit.
    let original: Image?
}

extension Sequence<UInt8> {
    /// The bytes in the form of a UUID: hexadecimal digits in groups.
    fileprivate var uuid: String {
        let digits = map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let ends = [4, 6, 8, 10, digits.count]
        return zip([0] + ends, ends).map { digits[$0..<$1].joined() }.joined(separator: "-")
    }
}
