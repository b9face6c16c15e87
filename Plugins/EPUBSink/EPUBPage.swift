internal import AdapterKit
internal import Files
internal import Metadata
internal import PageModel

/// A page of an EPUB: an XHTML document that shows an image, or a part of one.
struct EPUBPage {
    /// The number in the book, from 1.
    let number: Int
    /// The `Page.id`.
    let id: Int
    /// The number that is printed on it, if known.
    let label: String?
    let side: Side
    /// The `Page.book`.
    let book: Int
    /// Whether it shows a whole spread.
    let isDouble: Bool
    let roles: [PageRole]
    /// Whether it is the book's cover.
    var isCover: Bool
    let encoding: ImageEncoding
    /// The size of the stored image.
    let full: PixelSize
    /// The visible part of it.
    let shown: PixelRect
    var checksum: UInt32 = 0
    var byteCount = 0
    /// The numbers by which links refer to it.
    let numbers: [Int]
    let links: [PageLink]
    private let stem: String
    private var pictureStem: String
    /// Whether an earlier page stores the image.
    var sharesImage: Bool { pictureStem != stem }

    init(
        _ page: FinishedPage, _ encoding: ImageEncoding, _ framing: Framing, isCover: Bool, of pageCount: Int
    ) {
        self.isCover = isCover
        roles = page.page.roles
        number = page.number
        id = page.page.id
        (numbers, links) = (page.page.numbers, page.links)
        label = page.page.label.map(XMLText.clean).flatMap { $0.isEmpty ? nil : $0 }
        (side, book) = (page.page.side, page.page.book)
        isDouble = page.page.showsSpread(framing.rect.size)
        self.encoding = encoding
        (full, shown) = (framing.full, framing.rect)
        stem = isCover ? "cover" : FileName.number(page.number, of: pageCount)
        pictureStem = stem
    }

    /// The properties that decide its place in a spread.
    var placement: SpinePlacement.Page {
        SpinePlacement.Page(side: side, isCover: isCover, isDouble: isDouble, book: book)
    }

    /// Shows a part of the image that another page stores.
    mutating func shareImage(of other: EPUBPage) { pictureStem = other.pictureStem }

    /// The names of its parts in the package document.
    var itemID: String { "p-\(stem)" }
    var pictureID: String { pictureStem == "cover" ? pictureStem : "i-\(pictureStem)" }
    /// The paths of its parts below the package document.
    var path: String { "xhtml/\(itemID).xhtml" }
    var picturePath: String { "image/\(pictureID).\(encoding.fileExtension)" }

    /// The style of all pages: no margin anywhere, so that a page is its image.
    ///
    /// The association's style has a font size of 0, so that blanks next to the image need no space. The viewer of calibre scales
    /// images by the font size and shows them 30 pixels wide then. As a block, the image has nothing next to it.
    static let style = """
        @charset "UTF-8";
        html, body { margin: 0; padding: 0; }
        svg { display: block; margin: 0; padding: 0; }

        """

    static let xhtml = "http://www.w3.org/1999/xhtml"
    private static let svg = "http://www.w3.org/2000/svg"
    private static let xlink = "http://www.w3.org/1999/xlink"
    static let ops = "http://www.idpf.org/2007/ops"

    /// Returns the page's document. Its viewport has the visible pixels: e-readers scale it to the screen.
    ///
    /// - Parameter places: the pages' paths by the numbers in links. Links to other pages are omitted.
    func document(of title: String, _ book: BookMetadata, places: [Int: String] = [:]) -> XMLElement {
        let size = shown.size
        let head = XMLElement(
            "head", [:],
            [
                XMLElement("meta", ["charset": "UTF-8"]),
                XMLElement("title", text: "\(title), \(label ?? "\(number)")"),
                XMLElement(
                    "link", ["rel": "stylesheet", "type": "text/css", "href": "../style/fixed-layout-jp.css"]),
                XMLElement("meta", ["name": "viewport", "content": "width=\(size.width), height=\(size.height)"]),
            ])
        var image = XMLElement("image", ["width": "\(full.width)", "height": "\(full.height)"])
        // Older e-readers support only this form of a link, and not all of them support namespaces.
        image.attributes.append(
            XMLAttribute(XMLName("href", in: EPUBPage.xlink, prefix: "xlink"), "../\(picturePath)"))
        let anchors = links.compactMap { anchor($0, places) }
        var svg = XMLElement(
            "svg",
            [
                "version": "1.1", "width": "100%", "height": "100%",
                "viewBox": "\(shown.x) \(shown.y) \(size.width) \(size.height)",
            ], [image] + anchors)
        // Screen readers do not announce the contents of an image, but they must announce links.
        if anchors.isEmpty { svg["role"] = "img" }
        svg["aria-label"] = isCover ? "cover" : label
        svg.namespaces = [
            XMLNamespace(prefix: nil, uri: EPUBPage.svg), XMLNamespace(prefix: "xlink", uri: EPUBPage.xlink),
        ]
        var body = XMLElement("body", [:], [XMLElement("div", ["class": "main"], [svg])])
        if isCover { body.attributes.append(XMLAttribute(XMLName("type", in: EPUBPage.ops, prefix: "epub"), "cover")) }
        return XMLElement.html([head, body], language: book.statedLanguage)
    }

    /// Returns a link as an invisible rectangle over the image; nil without a target.
    private func anchor(_ link: PageLink, _ places: [Int: String]) -> XMLElement? {
        let (target, name): (String, String)
        switch link.target {
        case .page(let number, _):
            guard let path = places[number], let file = path.split(separator: "/").last else { return nil }
            (target, name) = (String(file), "page")
        case .address(let address): (target, name) = (address.text, address.text)
        case .other: return nil
        }
        func pixels(_ share: Double, of length: Int) -> String { EPUBPage.decimal(share * Double(length)) }
        let area = link.area
        let rect = XMLElement(
            "rect",
            [
                "x": EPUBPage.decimal(Double(shown.x) + area.left * Double(shown.width)),
                "y": EPUBPage.decimal(Double(shown.y) + area.top * Double(shown.height)),
                "width": pixels(area.width, of: shown.width), "height": pixels(area.height, of: shown.height),
                "fill": "none", "pointer-events": "all",
            ])
        var anchor = XMLElement("a", [:], [rect])
        anchor.attributes = [
            XMLAttribute(XMLName("href", in: EPUBPage.xlink, prefix: "xlink"), target),
            XMLAttribute(XMLName("title", in: EPUBPage.xlink, prefix: "xlink"), name),
            XMLAttribute("aria-label", name),
        ]
        return anchor
    }

    /// Returns a number with at most two decimals.
    private static func decimal(_ value: Double) -> String {
        let hundredths = Int(clamping: (value * 100).rounded(), to: 0...1 << 40)
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return rest == 0 ? "\(whole)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension XMLElement {
    /// Creates an element with attributes in the given order.
    init(_ name: XMLName, _ attributes: KeyValuePairs<String, String>, _ elements: [XMLElement] = []) {
        self.init(
            name, attributes: attributes.map { XMLAttribute(XMLName($0.key), $0.value) },
            nodes: elements.map(Node.element))
    }

    /// Returns an XHTML document.
    static func html(_ elements: [XMLElement], language: String) -> XMLElement {
        var html = XMLElement("html", ["lang": language, "xml:lang": language], elements)
        html.namespaces = [
            XMLNamespace(prefix: nil, uri: EPUBPage.xhtml), XMLNamespace(prefix: "epub", uri: EPUBPage.ops),
        ]
        return html
    }
}
