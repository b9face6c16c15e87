public import AdapterKit
internal import Files
internal import Metadata
public import PageModel
internal import ZipFile

/// A sink that writes a book as a fixed-layout EPUB: one image a page.
///
/// The format is EPUB 3.3 (<https://www.w3.org/TR/epub-33/>). The layout is that of the Japanese Digital Comic Association ("EPUB
/// 3 fixed layout specification guide", version 1.0, 2012). Every page is an XHTML document with one SVG that shows one image.
/// Shops and comic readers expect that layout, and other EPUB software supports it.
///
/// Links are over the image. Text is not, though some producers put it there, transparent. Reading apps that recognize comics by
/// pages without text would treat the book as a novel, and others would show the text.
public struct EPUBSink: SinkAdapter {
    public let descriptor = AdapterDescriptor(
        id: "epub", summary: "a fixed-layout book for e-readers", extensions: ["epub"],
        settings: EPUBOptions.settings)

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { .stream }

    public func fileExtension(_ settings: Settings) -> String {
        settings["epub-for"] == EPUBReader.kobo.rawValue ? "kepub.epub" : "epub"
    }

    public func capabilities(_ request: SinkRequest) throws(AdapterError) -> SinkCapabilities {
        let options = try EPUBOptions(request)
        // Reading apps differ in whether they apply an EXIF orientation, so none may be needed.
        var capabilities = SinkCapabilities(
            formats: options.reader.formats, holdsOnlyFormats: true, honorsOrientation: false,
            showsParts: !options.bakes, features: [.direction, .labels, .outline, .doublePages, .pageRoles, .links],
            metadata: [OPFMetadata.format])
        capabilities.showsRareJPEGs = false
        capabilities.showsInkJPEGs = false
        capabilities.directionUse = .arranging
        capabilities.carriedDocuments = CarriedDocuments.formats
        return capabilities
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let options = try EPUBOptions(request)
        return try EPUBSession(ZipWriter(try OutputFile(at: request.destination)), request, options)
    }
}

/// An EPUB during writing: the pages in sequence, then the documents about all of them.
final class EPUBSession: SinkSession {
    private let archive: ZipWriter
    private let book: BookMetadata
    private let options: EPUBOptions
    private let pageCount: Int
    /// The value in `SinkRequest`.
    private let cover: Int?
    private let effects: OptionEvidence
    private let title: String
    private let path: String
    private var pages: [EPUBPage] = []
    private var carried: CarriedDocuments
    private var byteCount = 0
    /// The last stored image: several pages in sequence may show parts of it.
    private var last: (bytes: [UInt8], checksum: UInt32, page: EPUBPage)?

    init(_ archive: ZipWriter, _ request: SinkRequest, _ options: EPUBOptions) throws(AdapterError) {
        self.archive = archive
        self.options = options
        (book, pageCount, cover, path) = (request.book, request.pageCount, request.cover, request.destination.path)
        effects = request.effects
        title = book.title(orOf: path, extensions: ["epub"])
        carried = CarriedDocuments(of: request.book)
        // It comes first, uncompressed: it identifies the file (OCF, §4.2.1.1).
        try archive.add("mimetype", Array("application/epub+zip".utf8), compresses: false)
        try archive.add("META-INF/container.xml", PackageDocument.container.document, compresses: true)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let picture = try page.encoded()
        guard let framing = picture.framing else {
            throw AdapterError(.unsupported, "the image does not state its size", page: page.page.name)
        }
        let isCover = cover.map { $0 == page.page.id } ?? (page.number == 1)
        var entry = EPUBPage(page, picture.encoding, framing, isCover: isCover, of: pageCount)
        entry.byteCount = picture.bytes.count
        if let last, last.bytes == picture.bytes, last.page.encoding == picture.encoding {
            entry.shareImage(of: last.page)
            entry.checksum = last.checksum
        } else {
            entry.checksum = try archive.add("item/\(entry.picturePath)", picture.bytes, compresses: false)
            byteCount += picture.bytes.count
            last = (picture.bytes, entry.checksum, entry)
        }
        // The targets of a page's links are known only after all pages are added.
        if entry.links.isEmpty {
            try archive.add("item/\(entry.path)", entry.document(of: title, book).document, compresses: true)
        }
        pages.append(entry)
        carried.add(page)
        return "item/\(entry.picturePath)"
    }

    /// Returns the warnings about content that the chosen e-reader will not accept.
    func compose() -> SinkFindings {
        SinkFindings(warnings: options.reader.limits.warnings(of: pages, byteCount: byteCount, path: path))
    }

    func finish() throws(AdapterError) {
        // The cover may have been skipped; every book needs one.
        if !pages.isEmpty, !pages.contains(where: \.isCover) { pages[0].isCover = true }
        let places = Dictionary(pages.flatMap { page in page.numbers.map { ($0, page.path) } }) { first, _ in first }
        for page in pages where !page.links.isEmpty {
            let document = page.document(of: title, book, places: places)
            try archive.add("item/\(page.path)", document.document, compresses: true)
        }
        let spreads = SpinePlacement(pages.map(\.placement), isRightToLeft: book.direction == .rightToLeft)
        if let effect = spreads.effect { effects.note(effect) }
        var package = PackageDocument(
            title: title, book: book, pages: pages, reader: options.reader, spreads: spreads)
        let navigation = Navigation(title: title, book: book, pages: pages, identifier: package.identifier)
        let (contents, documents) = (navigation.document.document, carried.files)
        package.modified = ReleaseTime.text(
            epoch: sourceDateEpoch(),
            content: [package.document.document, contents] + documents.map(\.bytes)
                + pages.map { Array("\($0.shown) \($0.label ?? "") \($0.links)".utf8) })
        try archive.add("item/style/fixed-layout-jp.css", Array(EPUBPage.style.utf8), compresses: true)
        try archive.add("item/navigation-documents.xhtml", contents, compresses: true)
        try archive.add("item/toc.ncx", navigation.ncx.document, compresses: true)
        try archive.add("item/standard.opf", package.document.document, compresses: true)
        try add(documents, describing: package)
        if options.reader == .apple || options.reader == .any {
            try archive.add(
                "META-INF/com.apple.ibooks.display-options.xml", PackageDocument.appleOptions.document, compresses: true
            )
        }
        try archive.finish()
    }

    /// Adds the attached documents. Reading apps ignore files in this folder, and the package need not list it (OCF, §4.2.6).
    private func add(
        _ documents: [(name: String, bytes: [UInt8])], describing package: PackageDocument
    ) throws(AdapterError) {
        guard !documents.isEmpty else { return }
        let document = package.document.document
        // The limits are for untrusted documents: this one is as long as the book's metadata.
        let limits = XMLReader.Limits(bytes: document.count, elements: document.count)
        let stated = OPFMetadata.metadata(in: try XMLReader.read(document, limits: limits))
        for file in documents { try archive.add("META-INF/\(file.name)", file.bytes, compresses: true) }
        try archive.add("META-INF/jisui.json", CarriedDocuments.statement(of: stated), compresses: true)
    }
}
