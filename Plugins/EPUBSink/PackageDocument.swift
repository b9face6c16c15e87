internal import Metadata
internal import PageModel

/// The package document (`standard.opf`): the book's metadata, its files, and the order of its pages (EPUB 3.3, §5).
struct PackageDocument {
    let title: String
    let book: BookMetadata
    let pages: [EPUBPage]
    let reader: EPUBReader
    let spreads: SpinePlacement
    /// The time at which this state of the book was made, in the form of `dcterms:modified`.
    var modified = ReleaseTime.none

    /// An identifier of the book that does not change with its pages' metadata.
    var identifier: String { BookIdentifier.urn(of: pages) }

    /// The document in which reading apps find the package document (OCF, §4.2.6.3.1).
    static let container: XMLElement = {
        var container = XMLElement(
            "container", ["version": "1.0"],
            [
                XMLElement(
                    "rootfiles", [:],
                    [
                        XMLElement(
                            "rootfile",
                            ["full-path": "item/standard.opf", "media-type": "application/oebps-package+xml"])
                    ])
            ])
        container.namespaces = [XMLNamespace(prefix: nil, uri: "urn:oasis:names:tc:opendocument:xmlns:container")]
        return container
    }()

    /// The options for versions of Apple Books that predate EPUB 3's own vocabulary.
    static let appleOptions = XMLElement(
        "display_options", [:],
        [
            XMLElement(
                "platform", ["name": "*"],
                [
                    XMLElement("option", attributes: [XMLAttribute("name", "fixed-layout")], nodes: [.text("true")]),
                    XMLElement("option", attributes: [XMLAttribute("name", "open-to-spread")], nodes: [.text("false")]),
                ])
        ])

    private static let prefixes = [
        "rendition: http://www.idpf.org/vocab/rendition/#", "ebpaj: http://www.ebpaj.jp/",
        "fixed-layout-jp: http://www.digital-comic.jp/",
    ]

    /// Whether it states the type of any page.
    private var statesRoles: Bool { pages.contains { !properties(of: $0).isEmpty } }

    /// Returns the page types for the spine; covers are marked in the list of files.
    private func properties(of page: EPUBPage) -> [String] {
        page.isCover && page.roles == [.frontCover] ? [] : PageRoleProperty.properties(of: page.roles)
    }

    var document: XMLElement {
        var package = XMLElement(
            "package",
            [
                "version": "3.0", "unique-identifier": "unique-id", "xml:lang": book.statedLanguage,
                "prefix": (PackageDocument.prefixes + (statesRoles ? [PageRoleProperty.declaration] : []))
                    .joined(separator: " "),
            ], [metadata, manifest, spine])
        package.namespaces = [XMLNamespace(prefix: nil, uri: "http://www.idpf.org/2007/opf")]
        return package
    }

    // MARK: Metadata

    private var metadata: XMLElement {
        var elements = OPFMetadata.elements(of: book, title: title, identifier: identifier)
        func meta(_ property: String, _ text: String) {
            elements.append(XMLElement("meta", attributes: [XMLAttribute("property", property)], nodes: [.text(text)]))
        }
        meta("dcterms:modified", modified)
        meta("rendition:layout", "pre-paginated")
        meta("rendition:spread", "landscape")
        meta("rendition:orientation", "auto")
        meta("fixed-layout-jp:viewport", "width=\(usualSize.width), height=\(usualSize.height)")
        meta("ebpaj:guide-version", "1.1.3")
        meta("schema:accessMode", "visual")
        meta("schema:accessibilityFeature", "none")
        meta("schema:accessibilityHazard", "unknown")
        elements += namedMetas
        var metadata = XMLElement("metadata", [:], elements)
        metadata.namespaces = [XMLNamespace(prefix: "dc", uri: OPFMetadata.dublinCore)]
        return metadata
    }

    /// The metadata that older reading apps, and Amazon's and Kobo's, read as pairs of name and content.
    private var namedMetas: [XMLElement] {
        var pairs = pages.filter(\.isCover).map { ("cover", $0.pictureID) }
        if reader == .any || reader == .kindle {
            pairs += [
                ("fixed-layout", "true"), ("original-resolution", "\(usualSize.width)x\(usualSize.height)"),
                ("book-type", "comic"), ("orientation-lock", "none"), ("RegionMagnification", "false"),
                ("zero-gutter", "true"), ("zero-margin", "true"),
            ]
            if let direction = book.direction {
                pairs.append(
                    ("primary-writing-mode", direction == .rightToLeft ? "horizontal-rl" : "horizontal-lr"))
            }
        }
        // calibre's own names for a series, which other programs support as well.
        if let series = book.series.map(XMLText.clean), !series.isEmpty {
            pairs.append(("calibre:series", series))
            if let position = OPFMetadata.position(of: book), Double(position) != nil {
                pairs.append(("calibre:series_index", position))
            }
        }
        return pairs.map { XMLElement("meta", ["name": $0.0, "content": $0.1]) }
    }

    /// The size that most pages have.
    private var usualSize: PixelSize {
        PixelSize.mostCommon(of: pages.map(\.shown.size)) ?? PixelSize(width: 1, height: 1)
    }

    // MARK: Files and order

    private var manifest: XMLElement {
        func item(_ id: String, _ path: String, _ type: String, _ more: KeyValuePairs<String, String> = [:])
            -> XMLElement
        {
            var item = XMLElement("item", ["id": id, "href": path, "media-type": type])
            item.attributes += more.map { XMLAttribute(XMLName($0.key), $0.value) }
            return item
        }
        var items = [
            item("toc", "navigation-documents.xhtml", "application/xhtml+xml", ["properties": "nav"]),
            item("ncx", "toc.ncx", "application/x-dtbncx+xml"),
            item("fixed-layout-jp", "style/fixed-layout-jp.css", "text/css"),
        ]
        let covers = Set(pages.filter(\.isCover).map(\.pictureID))
        for page in pages where !page.sharesImage {
            items.append(
                item(
                    page.pictureID, page.picturePath, page.encoding.mediaType,
                    covers.contains(page.pictureID) ? ["properties": "cover-image"] : [:]))
        }
        for page in pages {
            items.append(
                item(
                    page.itemID, page.path, "application/xhtml+xml",
                    ["properties": "svg", "fallback": page.pictureID]))
        }
        return XMLElement("manifest", [:], items)
    }

    private var spine: XMLElement {
        var spine = XMLElement(
            "spine", ["toc": "ncx"],
            zip(pages, spreads.places).map { page, place in
                // Kobos support only the name with the prefix. The center has only this form, not an unprefixed name.
                let isNamed = reader == .kobo || place == .center
                let sides = [(isNamed ? "rendition:" : "") + "page-spread-\(place.rawValue)"]
                let properties = sides + self.properties(of: page)
                return XMLElement(
                    "itemref",
                    ["idref": page.itemID, "linear": "yes", "properties": properties.joined(separator: " ")])
            })
        spine["page-progression-direction"] = book.direction?.rawValue
        return spine
    }
}
