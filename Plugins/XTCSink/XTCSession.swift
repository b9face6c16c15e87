internal import AdapterKit
internal import Files
internal import Imaging
internal import Metadata
internal import PageModel

/// An XTC during writing. The bitmaps wait in a temporary file, because the file begins with a table of all pages.
final class XTCSession: SinkSession {
    private let output: OutputFile
    private let spool: SpoolFile
    private let request: SinkRequest
    private let options: XTCOptions
    /// The pages' `Page.id`, and the bytes of their bitmaps.
    private var (pages, pageSizes): ([Int], [Int]) = ([], [])
    private var compositions: [Int: Composition] = [:]

    init(_ request: SinkRequest, _ options: XTCOptions) throws(AdapterError) {
        (self.request, self.options) = (request, options)
        guard request.pageCount <= XTCBook.maximumPages else {
            throw AdapterError(
                .tooLarge, "the book has \(request.pageCount) pages, and an XTC at most \(XTCBook.maximumPages)",
                hint: "use --pages to make several books", file: request.destination.path)
        }
        output = try OutputFile(at: request.destination)
        spool = try SpoolFile(beside: request.destination)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let bytes: [UInt8]
        if let made = page.attachment {
            bytes = made
        } else {
            do throws(AdapterError) {
                bytes = try XTCPage(page.content, options, maximumPixels: request.limits.pixels).bytes
            } catch {
                throw AdapterError(error.code, error.message, hint: error.hint, page: page.page.name)
            }
        }
        _ = try spool.append(bytes)
        pages.append(page.page.id)
        pageSizes.append(bytes.count)
        compositions[page.number] = composition(of: page)
        return "page \(page.number)"
    }

    private func composition(of page: FinishedPage) -> Composition {
        var composition = options.composition
        if let size = page.size, options.shown(size) != size { composition.notes.append(Note(.scaled)) }
        if case .encoded(let picture) = page.content {
            // For a page that is a raster, the run has already reported it.
            composition.defect = PictureCheck.defect(in: picture.bytes, picture.encoding)
        }
        return composition
    }

    func compose() -> SinkFindings {
        let shortened = book.shortened
        let warning = Warning(
            code: "text-shortened",
            message: "shortened \(shortened.listed()), because an XTC has little room for texts",
            isNote: true)
        return SinkFindings(compositions: compositions, warnings: shortened.isEmpty ? [] : [warning])
    }

    func finish() throws(AdapterError) {
        try output.write(book.bytes)
        var offset = 0
        for size in pageSizes {
            try output.write(try spool.read(at: offset, count: size))
            offset += size
        }
        try output.publish()
    }

    private var book: XTCBook {
        XTCBook(
            options, title: request.book.title(orOf: request.destination.path, extensions: ["xtc", "xtch"]),
            request.book, pages: pages, pageSizes: pageSizes,
            cover: request.cover.map { pages.firstIndex(of: $0) } ?? 0)
    }
}
