public import AdapterKit
internal import Imaging
internal import Metadata
internal import PDFStructure
internal import PageModel

/// Writes PDF: each page's picture as it is, on a page of its size.
public struct PDFSink: SinkAdapter {
    public let card = AdapterCard(
        id: "pdf", summary: "PDF: JPEGs as they are, other pictures without loss", extensions: ["pdf"],
        settings: PDFOptions.settings)

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { .stream }

    /// A PDF shows parts of pictures by its crop boxes, and all orientations by matrices.
    public func capabilities(_ request: SinkRequest) throws(AdapterError) -> SinkCapabilities {
        let options = try PDFOptions(request)
        var capabilities = SinkCapabilities(
            formats: [.jpeg, .png, .jpeg2000], holdsOnlyFormats: true, showsParts: true, turning: .all,
            features: [.direction, .labels, .outline, .text, .links], metadata: [DublinCore.format],
            documents: options.copiesPages ? ["pdf"] : [],
            insteadOfDocuments: "--rebuild makes the PDF anew of pictures of its pages")
        // Fax data of a TIFF may be PDF's own.
        capabilities.bilevelFormats = [.tiff]
        return capabilities
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        try PDFSession(request, PDFOptions(request))
    }
}

/// A PDF being written: pictures wait in a spool, since what refers to them comes before them in the file.
final class PDFSession: SinkSession {
    private let request: SinkRequest
    private let options: PDFOptions
    private let output: OutputFile
    private var pictures: PictureSpool
    private var shelf: DocumentShelf
    /// The text of pages, once one has some.
    private var layers: TextLayers?
    private var pages: [PDFPage] = []
    /// What was done to pictures that could not stay as they are, by the pages' numbers.
    private var changes: [Int: Composition] = [:]
    private var shortened: [Warning] = []

    init(_ request: SinkRequest, _ options: PDFOptions) throws(AdapterError) {
        self.request = request
        self.options = options
        output = try OutputFile(at: request.destination)
        pictures = try PictureSpool(limits: request.limits, isLossless: request.isLossless)
        shelf = DocumentShelf(limits: request.limits)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let content: PDFPage.Content
        var text: TextLayers.Layer?
        switch page.content {
        case .document(let document, let framing): content = .copy(try copied(document, framing))
        case .spread(let parts, let size):
            content = .spread(
                try parts.map { part throws(AdapterError) in (try copied(part.document, part.framing), part.place) },
                size)
        case .encoded, .raster:
            let (index, layout) = try picture(page)
            content = .picture(index, layout)
            if !page.text.isEmpty {
                if layers == nil { layers = try TextLayers() }
                text = try layers?.add(page.text, on: layout.shown)
            }
        }
        pages.append(PDFPage(page: page.page, content: content, text: text, links: page.links))
        return "page \(page.number)"
    }

    private func copied(_ document: DocumentPage, _ framing: Framing) throws(AdapterError) -> CopiedPage {
        let place = try shelf.place(of: document)
        // Whether it is there shows now, while it can still be left out.
        _ = try shelf.documents[place].page(at: document.index)
        return CopiedPage(
            document: place, index: document.index, box: document.box.flatMap(PageBox.init) ?? .crop, framing: framing)
    }

    private func picture(_ page: FinishedPage) throws(AdapterError) -> (index: Int, PictureLayout) {
        let encoded = try page.encoded()
        let picture: SpooledPicture
        do throws(AdapterError) {
            picture = try pictures.add(encoded)
        } catch {
            var named = error
            named.page = page.page.name
            throw named
        }
        changes[page.number] = picture.change
        let count = encoded.encoding == .png ? PictureCount.pictures(in: encoded.bytes) : 1
        if count > 1 {
            shortened.append(
                Warning(
                    code: "first-picture-only", page: page.page.sourceID,
                    message: "\(page.page.name): only the first of its \(count) pictures is kept"))
        }
        let framing = encoded.framing ?? Framing(picture.size)
        guard framing.source == picture.size else {
            throw AdapterError(.damaged, "its size is not what it said", page: page.page.name)
        }
        let own = picture.resolution?.turned(quarters: framing.orientation.isTransposed ? 1 : 0)
        return (
            picture.index,
            PictureLayout(
                framing, resolution: page.resolution ?? options.resolution ?? own ?? PDFOptions.usualResolution,
                options.pageSize)
        )
    }

    func compose() -> SinkFindings {
        SinkFindings(compositions: changes, warnings: shelf.documents.flatMap(\.losses) + shortened)
    }

    func finish() throws {
        // What all pages come from is kept, with all that is in it besides them.
        let document = try shelf.documents.first?.file ?? PDFFile()
        try BookWriter(document, request.book, shelf.documents).write(pages, pictures, layers)
        let form = PDFFile.Form(
            packsObjects: shelf.documents.isEmpty, isLinearized: options.isLinearized, identifier: identifier)
        try document.write(form) { bytes in
            try Task.checkCancellation()
            try output.write(Array(bytes))
        }
        for document in shelf.documents { if let fault = document.file.fault { throw fault } }
        try output.publish()
    }

    /// Equal for equal books, and for hardly any others.
    private var identifier: String {
        let sources = shelf.documents.map { document in
            "\(document.file.size) \(document.file.trailer["ID"].item(0).string ?? [])"
        }
        let book = "\(request.book.title ?? "") \(request.book.authors) \(request.book.outline.map(\.title))"
        let text = [pictures.description, book] + sources + pages.map(\.description)
        return String(SHA256.hexDigest(of: Array(text.joined(separator: "\n").utf8)).prefix(32))
    }
}

/// A page of the output.
struct PDFPage {
    /// What it shows.
    enum Content {
        /// A picture, by its place in the spool.
        case picture(Int, PictureLayout)
        case copy(CopiedPage)
        /// Pages side by side, each with its place, on one of this size in pixels.
        case spread([(page: CopiedPage, place: PixelRect)], PixelSize)
    }

    let page: Page
    let content: Content
    /// The invisible text over a picture.
    let text: TextLayers.Layer?
    /// The links on a picture; a page that is copied has its own.
    let links: [PageLink]

    /// What tells it from others, in a few words.
    fileprivate var description: String {
        switch content {
        case .picture(let index, let layout):
            "\(index) \(PDFValue(layout.media)) \(String(decoding: layout.content, as: UTF8.self))"
                + (text.map { " \($0.checksum)" } ?? "") + (links.isEmpty ? "" : " \(links)")
        case .copy(let copy): "\(copy)"
        case .spread(let parts, let size): "\(parts) \(size)"
        }
    }
}
