import AdapterKit
import Files
import PageModel

/// Small books to write.
enum Sample {
    static func page(
        _ number: Int, id: Int? = nil, encoding: ImageEncoding = .jpeg, size: PixelSize? = nil, bytes: [UInt8]? = nil
    ) -> FinishedPage {
        struct Never: Error {}
        let page = Page(id: id ?? number, name: "page \(number)") { throw Never() }
        return FinishedPage(
            number: number, page: page, encoding: encoding, size: size, bytes: bytes ?? Array("picture \(number)".utf8))
    }

    /// Writes a book with a sink and returns the names of its pages.
    @discardableResult
    static func write(
        _ sink: any SinkAdapter, _ pages: [FinishedPage], to path: String, mayReplace: Bool = false,
        book: BookMetadata = BookMetadata(), _ settings: Settings = Settings()
    ) async throws -> [String] {
        let session = try sink.begin(
            SinkRequest(
                book: book, pageCount: pages.count, destination: Destination(path: path, mayReplace: mayReplace),
                settings: settings))
        let names = try pages.map { try session.add($0) }
        try await session.finish()
        return names
    }
}

extension FinishedPage {
    /// The bytes of a page that is a picture file.
    var pictureBytes: [UInt8] { (try? encoded().bytes) ?? [] }
}
