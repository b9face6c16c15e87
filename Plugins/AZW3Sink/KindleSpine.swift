internal import Metadata
internal import PageModel

/// The record RESC: the part of the package document that the indexes do not hold. It states the side of each page, by which
/// Kindles show two pages as one spread, and the metadata.
struct KindleSpine {
    let title: String
    let metadata: BookMetadata
    let pages: [KindlePage]
    let places: [SpinePlacement.Place]

    private static let package = "http://www.idpf.org/2007/opf"

    var record: [UInt8] {
        let document = book.document + spine.fragment
        let head = Array("size=\(document.count.base32())&version=1&type=1".utf8)
        var record = KindleBook.words("RESC", [16, 1, head.count]) + head + document + [0]
        record.pad4()
        return record
    }

    private var book: XMLElement {
        var element = XMLElement(
            "metadata", nodes: OPFMetadata.elements(of: metadata, title: title).map(XMLElement.Node.element))
        element.namespaces = [
            XMLNamespace(prefix: "dc", uri: OPFMetadata.dublinCore),
            XMLNamespace(prefix: nil, uri: KindleSpine.package),
        ]
        return element
    }

    private var spine: XMLElement {
        let references = zip(pages, places).enumerated().map { index, page in
            XMLElement(
                "itemref",
                attributes: [
                    XMLAttribute("idref", "p\(page.0.number)"), XMLAttribute("linear", "yes"),
                    XMLAttribute("properties", "page-spread-\(page.1.rawValue)"), XMLAttribute("skelid", "\(index)"),
                ])
        }
        var spine = XMLElement(
            "spine", attributes: [XMLAttribute("toc", "ncx")], nodes: references.map(XMLElement.Node.element))
        spine["page-progression-direction"] = metadata.direction?.rawValue
        return spine
    }
}
