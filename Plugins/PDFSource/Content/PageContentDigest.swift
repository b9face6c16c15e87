internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel
internal import Processes

/// The digest of a page as it is painted: its boxes, its content, and the data of the images and forms that the content paints.
///
/// Fonts and other resources do not count. Pages often share them, so they do not distinguish pages, and reading them for
/// every page would take long. Annotations do not count either, because they are not part of the print.
struct PageContentDigest {
    private let file: PDFFile
    private let limits: Limits
    private var hash = SHA256()
    private var seen: Set<PDFReference> = []
    private let time: ThreadTime
    /// The bytes of unpacked content that may still be read: that of the page and of all its forms. More may be made to use up
    /// memory and time.
    private var bytesLeft = 64 << 20

    /// The maximum number of images and forms: a page of thousands of strips is still distinguished by the first ones.
    private static let maximumObjects = 1000
    private static let maximumNesting = 16
    /// A count of filters that exceeds those of a stream: its bytes are hashed as stored.
    private static let anyFilters = 64

    /// - Parameter seconds: the processor time that it may use.
    /// - Throws: `.damaged` or `.tooLarge` if the content cannot be read; a fault of the file.
    static func hex(
        of page: PageNode, in file: PDFFile, _ limits: Limits, seconds: Int
    ) throws(AdapterError) -> String {
        var digest = PageContentDigest(file, limits, seconds: seconds)
        let paper = PageGeometry(page, showing: .crop).paper
        let numbers = paper.mediaBox + paper.cropBox + [Double(paper.rotation), paper.userUnit]
        digest.hash.update(Array(numbers.map { "\($0)\n" }.joined().utf8))
        let content = try file.contents(of: page.page, limit: digest.bytesLeft)
        digest.bytesLeft -= min(content.count, digest.bytesLeft)
        digest.hash.update(content)
        try digest.addObjects(paintedBy: content, page["Resources"], depth: 0)
        return digest.hash.hexDigest()
    }

    private init(_ file: PDFFile, _ limits: Limits, seconds: Int) {
        self.file = file
        self.limits = limits
        time = ThreadTime(seconds: seconds)
    }

    private mutating func addObjects(
        paintedBy content: [UInt8], _ resources: PDFObject, depth: Int
    ) throws(AdapterError) {
        var lexer = ContentLexer(content)
        var name: String?
        while let token = lexer.next() {
            switch token {
            case .name(let text): name = text
            case .keyword("ID"): lexer.skipInlineImage()
            case .keyword("Do"): try add(resources["XObject"][name ?? ""], resources, depth: depth)
            case .keyword, .number, .string, .compound: break
            }
        }
    }

    private mutating func add(
        _ object: PDFObject, _ resources: PDFObject, depth: Int
    ) throws(AdapterError) {
        guard !time.isOver else {
            throw AdapterError(
                .tooLarge, "analyzing the page's content takes too long",
                hint: "use --page-timeout to allow more seconds")
        }
        guard object.kind == .stream, let reference = object.reference,
            seen.count < PageContentDigest.maximumObjects, seen.insert(reference).inserted
        else { return }
        hash.update(
            try file.data(of: object, keepingFilters: PageContentDigest.anyFilters, limit: limits.entryBytes))
        guard object["Subtype"].name == "Form", depth < PageContentDigest.maximumNesting else { return }
        let content = try file.data(of: object, limit: bytesLeft)
        bytesLeft -= min(content.count, bytesLeft)
        let own = object["Resources"]
        try addObjects(paintedBy: content, own.isNull ? resources : own, depth: depth + 1)
    }
}
