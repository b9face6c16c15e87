public import Files
public import PageModel

/// The file by which a Kindle shows the cover of a book in its library.
///
/// A Kindle makes it only for books that it got from the cloud. For others it looks in `system/thumbnails` for a file with the
/// identifier (113) and the kind (501) in the extended header of the book.
public struct KindleCover: Sendable {
    /// The folder on the device.
    public static let folder = "system/thumbnails"

    /// The file name: "thumbnail_0f8e…_EBOK_portrait.jpg".
    public let name: String
    /// The JPEG.
    public let bytes: [UInt8]

    /// Reads the cover of a book.
    ///
    /// - Returns: nil for a book without an identifier, a kind or a thumbnail.
    /// - Throws: `.damaged`, `.unreadable`.
    public init?(of file: ReadableFile) throws(AdapterError) {
        let database = try PalmDatabase(file)
        let header = try MobiHeader(database, at: 0)
        guard let identifier = header.texts(113).first, let kind = header.texts(501).first,
            let first = header.images, let thumbnail = header.value(202),
            // It becomes a part of a path.
            [identifier, kind].allSatisfy({ $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") } })
        else { return nil }
        name = "thumbnail_\(identifier)_\(kind)_portrait.jpg"
        bytes = try database.record(first + thumbnail)
    }
}
