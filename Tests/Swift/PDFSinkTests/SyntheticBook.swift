import AdapterKit
import Files
import Imaging
import PDFSink
import PDFSource
import PDFStructure
import PageModel
import Scratch
import Testing

/// Small books made into PDFs.
struct SyntheticBook {
    let scratch: ScratchFolder
    var book = BookMetadata()
    var settings: [String: String] = [:]
    var isLossless = false
    let effects = OptionEvidence()

    init() throws {
        scratch = try ScratchFolder()
    }

    /// Writes pages; the path of the PDF.
    func write(_ pages: [FinishedPage], name: String = "book.pdf") async throws -> String {
        let sink = PDFSink()
        var request = SinkRequest(
            book: book, pageCount: pages.count, destination: Destination(path: scratch(name), mayReplace: true),
            settings: try Settings(sink.descriptor.settings, given: settings), isLossless: isLossless)
        request.effects = effects
        _ = try sink.capabilities(request)
        let session = try sink.begin(request)
        for page in pages { _ = try session.add(page) }
        try await session.finish()
        return scratch(name)
    }

    func open(_ path: String) throws -> PDFFile { try PDFFile(ReadableFile(path: path), password: nil) }

    /// Writes pages and opens what came of it, with the dictionaries of its pages.
    func written(_ pages: [FinishedPage]) async throws -> (file: PDFFile, pages: [PageNode]) {
        let file = try open(try await write(pages))
        return (
            file,
            try PageTree(file, maximumPages: 1000).paths.map { path throws(AdapterError) in try file.page(at: path) }
        )
    }
}

/// What other people's programs find in PDFs.
extension SyntheticBook {
    /// The words that pdftotext finds, with their places in points.
    func words(_ path: String) throws -> [(text: String, box: [Double])] {
        let outcome = try Program.outcome("pdftotext -cropbox -bbox '\(path)' -")
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.errorText)")
        let pattern = /<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)<\/word>/
        return outcome.outputText.matches(of: pattern).map { match in
            let numbers = [match.1, match.2, match.3, match.4].map { Double($0) ?? .nan }
            return (String(match.5), numbers)
        }
    }
}

/// Pages of PDFs, to be copied whole.
extension SyntheticBook {
    /// What is known of a book, and its pages at two pixels a point.
    ///
    /// - Parameter given: the options of the source.
    func pages(
        _ path: String, _ given: [String: String] = [:]
    ) async throws -> (book: BookMetadata, pages: [(Page, DocumentPage, PixelSize)]) {
        let source = PDFSource()
        let settings = try Settings(source.descriptor.settings, given: given)
        let opened = try await source.open(Input(path: path), settings: settings, limits: Limits())
        var pages: [(Page, DocumentPage, PixelSize)] = []
        for page in opened.sequence.pages {
            let picture = try await page.examine()
            let document = try #require(picture.document)
            pages.append((page, document, PixelSize(width: Int(document.width) * 2, height: Int(document.height) * 2)))
        }
        return (opened.sequence.book, pages)
    }

    func copied(_ number: Int, _ page: (Page, DocumentPage, PixelSize), _ edits: [Edit] = []) throws
        -> FinishedPage
    {
        let framing = try #require(Framing(page.2, edits: edits))
        return FinishedPage(number: number, page: page.0, content: .document(page.1, framing))
    }
}

extension FinishedPage {
    private struct Never: Error {}

    /// A page that is a picture file.
    static func made(
        _ number: Int, _ encoding: ImageEncoding, _ bytes: [UInt8], id: Int? = nil, label: String? = nil,
        resolution: Resolution? = nil, framing: (Framing) -> Framing = { $0 }
    ) throws -> FinishedPage {
        let header = PictureHeader(bytes)
        let page = Page(id: id ?? number, name: "page \(number)", label: label) { throw Never() }
        let whole = header?.size.map { Framing($0, header?.orientation ?? .upright) }
        return FinishedPage(
            number: number, page: page,
            content: .encoded(EncodedPage(encoding: encoding, bytes: bytes, framing: whole.map(framing))),
            resolution: resolution)
    }

    static func fixture(_ number: Int, _ name: String, _ encoding: ImageEncoding) throws -> FinishedPage {
        try made(number, encoding, try Files.read("\(BuiltJisui.fixtures)/good/Imaging/\(name)"))
    }
}

extension PageNode {
    /// The image that the page shows.
    var image: PDFObject { self["Resources"]["XObject"]["I"] }
    func box(_ key: String) -> [Double] { (self[key].numbers ?? []).map { ($0 * 1000).rounded() / 1000 } }
}

/// Rasters in which every pixel differs from its neighbors.
enum SyntheticRaster {
    static let size = PixelSize(width: 83, height: 121)

    static func of(_ format: PixelFormat, resolution: Resolution? = nil) -> Raster {
        let row = Raster.bytesPerRow(width: size.width, format: format)
        var samples = [UInt8](repeating: 0, count: row * size.height)
        for index in samples.indices {
            let (y, x) = index.quotientAndRemainder(dividingBy: row)
            samples[index] = UInt8(truncatingIfNeeded: x * 7 + y * 3 + x * y / 16)
        }
        return Raster(size: size, format: format, samples: samples, resolution: resolution)
    }

    /// A palette of as many colors as there are indexes.
    static func palette(bits: Int) -> PixelFormat {
        .palette(bits: bits, colors: (0..<3 << bits).map { UInt8(truncatingIfNeeded: $0 * 41 + 17) })
    }

    /// A black bar with ragged edges, which fax makes small.
    static let bars: Raster = {
        let row = Raster.bytesPerRow(width: size.width, format: .gray(bits: 1))
        var samples = [UInt8](repeating: 0, count: row * size.height)
        var (left, right, state) = (20, 60, 1)
        for y in 0..<size.height {
            state = state * 75 % 65_537
            left = min(38, max(4, left + state % 5 - 2))
            right = min(78, max(42, right + state / 8 % 5 - 2))
            for x in 0..<size.width where x < left || x >= right {
                samples[y * row + x / 8] |= 0x80 >> UInt8(x % 8)
            }
        }
        return Raster(size: size, format: .gray(bits: 1), samples: samples)
    }()
}
