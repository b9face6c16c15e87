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
        _ = try PDFOptions(request)
        return SinkCapabilities(
            formats: [.jpeg, .png, .jpeg2000], holdsOnlyFormats: true, showsParts: true, turning: .all,
            features: [.direction, .labels, .outline],
            metadata: [DublinCore.format])
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
    private var pages: [PicturePage] = []

    init(_ request: SinkRequest, _ options: PDFOptions) throws(AdapterError) {
        self.request = request
        self.options = options
        output = try OutputFile(at: request.destination)
        pictures = try PictureSpool(limits: request.limits)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let encoded = try page.encoded()
        let picture: SpooledPicture
        do throws(AdapterError) {
            picture = try pictures.add(encoded)
        } catch {
            var named = error
            named.page = page.page.name
            throw named
        }
        let framing = encoded.framing ?? Framing(picture.size)
        guard framing.source == picture.size else {
            throw AdapterError(.damaged, "its size is not what it said", page: page.page.name)
        }
        let own = picture.resolution?.turned(quarters: framing.orientation.isTransposed ? 1 : 0)
        let layout = PictureLayout(
            framing, resolution: page.resolution ?? options.resolution ?? own ?? PDFOptions.usualResolution,
            options.pageSize)
        pages.append(PicturePage(page: page.page, picture: picture.index, layout: layout))
        return "page \(page.number)"
    }

    func finish() throws {
        let document = try PDFFile()
        try BookWriter(document, request.book).write(pages, pictures)
        let form = PDFFile.Form(packsObjects: true, isLinearized: options.isLinearized, identifier: identifier)
        try document.write(form) { bytes in
            try Task.checkCancellation()
            try output.write(Array(bytes))
        }
        try output.publish()
    }

    /// Equal for equal books, and for hardly any others.
    private var identifier: String {
        let layouts = pages.map {
            "\($0.picture) \(PDFValue($0.layout.media)) \(String(decoding: $0.layout.content, as: UTF8.self))"
        }
        let book = "\(request.book.title ?? "") \(request.book.authors) \(request.book.outline.map(\.title))"
        let text = [pictures.description, book] + layouts
        return String(SHA256.hexDigest(of: Array(text.joined(separator: "\n").utf8)).prefix(32))
    }
}

/// A page that shows one picture.
struct PicturePage {
    let page: Page
    /// The picture's place in the spool.
    let picture: Int
    let layout: PictureLayout
}
