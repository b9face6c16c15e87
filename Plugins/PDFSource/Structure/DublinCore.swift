/// The title and the authors in a PDF's XMP packet (ISO 16684-1), found without an XML parser.
///
/// Only `dc:title` and `dc:creator` are wanted, whose texts stand in `rdf:li` elements. Nothing is resolved,
/// nothing expanded, and what cannot be found is not there.
struct DublinCore {
    let title: String?
    let creators: [String]

    init(_ packet: [UInt8]) {
        let text = Substring(String(decoding: packet, as: UTF8.self))
        title = DublinCore.items(of: "dc:title", in: text).first
        creators = DublinCore.items(of: "dc:creator", in: text)
    }

    private static func items(of element: String, in text: Substring) -> [String] {
        guard let start = text.firstRange(of: "<\(element)>"),
            let end = text[start.upperBound...].firstRange(of: "</\(element)>")
        else { return [] }
        var rest = text[start.upperBound..<end.lowerBound]
        var found: [String] = []
        while let open = rest.firstRange(of: "<rdf:li"),
            let begin = rest[open.upperBound...].firstIndex(of: ">"),
            let close = rest[begin...].firstRange(of: "</rdf:li>")
        {
            let item = unescaped(rest[rest.index(after: begin)..<close.lowerBound])
            if let item = PDFText.meaningful(item) { found.append(item) }
            rest = rest[close.upperBound...]
        }
        return found
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = String(text)
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            result = result.replacing(entity, with: character)
        }
        return result
    }
}
