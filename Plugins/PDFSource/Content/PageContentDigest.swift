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
    private let time: CPUTimeLimit
    /// The bytes of unpacked content that may still be read: that of the page and of all its forms. More may be made to use up
    /// memory and time.
    private var bytesLeft = 64 << 20
    private let coversImagesOnly: Bool
    /// The digests of color tables and profiles, which images share.
    private var tables: [PDFReference: String] = [:]

    /// The maximum number of images and forms: a page of thousands of strips is still distinguished by the first ones.
    private static let maximumObjects = 1000
    private static let maximumNesting = 16
    /// A count of filters that exceeds those of a stream: its bytes are hashed as stored.
    private static let anyFilters = 64

    /// - Parameters:
    ///   - seconds: the processor time that it may use.
    ///   - coversImagesOnly: whether only the images count, with their masks and dictionaries. They are the same on a copy of the
    ///     page that is cropped, rotated or on other paper.
    /// - Throws: `.damaged` or `.tooLarge` if the content cannot be read; a fault of the file.
    static func hex(
        of page: PageNode, in file: PDFFile, _ limits: Limits, seconds: Int, coversImagesOnly: Bool = false
    ) throws(AdapterError) -> String {
        var digest = PageContentDigest(file, limits, seconds: seconds, coversImagesOnly)
        let paper = PageGeometry(page, showing: .crop).paper
        let numbers = paper.mediaBox + paper.cropBox + [Double(paper.rotation), paper.userUnit]
        if !coversImagesOnly { digest.hash.update(Array(numbers.map { "\($0)\n" }.joined().utf8)) }
        let content = try file.contents(of: page.page, limit: digest.bytesLeft)
        digest.bytesLeft -= min(content.count, digest.bytesLeft)
        if !coversImagesOnly { digest.hash.update(content) }
        try digest.addObjects(paintedBy: content, page["Resources"], depth: 0)
        return digest.hash.hexDigest()
    }

    private init(_ file: PDFFile, _ limits: Limits, seconds: Int, _ coversImagesOnly: Bool) {
        self.file = file
        self.coversImagesOnly = coversImagesOnly
        self.limits = limits
        time = CPUTimeLimit(seconds: seconds)
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
        let isForm = object["Subtype"].name == "Form"
        if !isForm || !coversImagesOnly { try addStored(object) }
        if coversImagesOnly, !isForm {
            for key in ["SMask", "Mask"] where object[key].kind == .stream { try addStored(object[key]) }
        }
        guard object["Subtype"].name == "Form", depth < PageContentDigest.maximumNesting else { return }
        let content = try file.data(of: object, limit: bytesLeft)
        bytesLeft -= min(content.count, bytesLeft)
        let own = object["Resources"]
        try addObjects(paintedBy: content, own.isNull ? resources : own, depth: depth + 1)
    }

    /// Adds the data of a stream as stored, and the entries that give them a meaning.
    private mutating func addStored(_ object: PDFObject) throws(AdapterError) {
        hash.update(
            try file.data(of: object, keepingFilters: PageContentDigest.anyFilters, limit: limits.entryBytes))
        guard coversImagesOnly else { return }
        var text = ""
        for key in [
            "Width", "Height", "BitsPerComponent", "ImageMask", "Filter", "DecodeParms", "ColorSpace", "Decode",
        ] {
            text += "\(key) " + description(of: object[key], depth: 0) + "\n"
        }
        hash.update(Array(text.utf8))
    }

    /// Returns a value in words that depend neither on the numbers of objects nor on the compression of tables and profiles.
    private mutating func description(of value: PDFObject, depth: Int) -> String {
        guard depth < 6 else { return "" }
        switch value.kind {
        case .boolean: return "\(value.boolean ?? false)"
        case .number: return "\(value.number ?? 0)"
        case .name: return "/\(value.name ?? "")"
        case .string: return "\(value.string ?? [])"
        case .array:
            return "[" + value.items.prefix(64).map { description(of: $0, depth: depth + 1) }.joined(separator: " ")
                + "]"
        case .dictionary, .stream:
            let isStream = value.kind == .stream
            let packing: Set = isStream ? ["Length", "Filter", "DecodeParms"] : ["Length"]
            let keys = value.keys.filter { !packing.contains($0) }.sorted().prefix(64)
            let entries = keys.map { "\($0) " + description(of: value[$0], depth: depth + 1) }
            return "<" + (entries + (isStream ? [digest(of: value)] : [])).joined(separator: " ") + ">"
        default: return ""
        }
    }

    /// Returns the digest of the unpacked data of a color table or a profile: a copy may compress them.
    private mutating func digest(of stream: PDFObject) -> String {
        if let reference = stream.reference, let known = tables[reference] { return known }
        let data = try? file.data(of: stream, limit: bytesLeft)
        bytesLeft -= min(data?.count ?? 0, bytesLeft)
        let digest = data.map { SHA256.hexDigest(of: $0) } ?? ""
        if let reference = stream.reference { tables[reference] = digest }
        return digest
    }
}
