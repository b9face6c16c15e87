public import PageModel

/// The title and the authors in an XMP packet (ISO 16684-1), the metadata of a PDF or a picture.
///
/// Only what jisui has a place for is read; the texts stand in `rdf:li` elements.
public struct DublinCore: Hashable, Sendable {
    /// What `SinkCapabilities.metadata` calls outputs that say all of this.
    public static let format = "DublinCore"

    public let title: String?
    public let creators: [String]
    public let publisher: String?
    public let date: BookDate?

    private static let namespace = "http://purl.org/dc/elements/1.1/"
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

    /// - Parameter xmp: the packet; one that cannot be read says nothing.
    public init(xmp: [UInt8]) {
        // Packets are padded, often with more than the blanks that are allowed.
        let end = xmp.lastIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? xmp.count
        let root = try? XMLReader.read(Array(xmp[..<end]))
        title = root.map { DublinCore.items("title", in: $0) }?.first
        creators = root.map { DublinCore.items("creator", in: $0) } ?? []
        publisher = root.map { DublinCore.items("publisher", in: $0) }?.first
        date = root.map { DublinCore.items("date", in: $0) }?.first.flatMap { BookDate($0) }
    }

    /// The texts of the first element of that name, at any depth.
    private static func items(_ local: String, in root: XMLElement) -> [String] {
        guard let element = root.descendant(XMLName(local, in: namespace)) else { return [] }
        return element.descendants(XMLName("li", in: rdf)).compactMap(\.text.meaningful)
    }
}

extension XMLElement {
    /// The first element of that name in this one, at any depth, in the order of the document.
    public func descendant(_ name: XMLName) -> XMLElement? {
        for element in elements {
            if element.name == name { return element }
            if let found = element.descendant(name) { return found }
        }
        return nil
    }

    /// All elements of that name in this one, at any depth, in the order of the document; none within another.
    public func descendants(_ name: XMLName) -> [XMLElement] {
        elements.flatMap { $0.name == name ? [$0] : $0.descendants(name) }
    }
}

/// Language tags as BCP 47 (RFC 5646 §2.1) has them, as far as their shape goes.
public enum LanguageTag {
    /// Whether the text looks like a language tag: a language of two to eight letters, then subtags.
    ///
    /// Komga refuses a whole ComicInfo.xml whose language is not one.
    public static func isPlausible(_ tag: String) -> Bool {
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = parts.first, (2...8).contains(language.count), language.allSatisfy(isLetter) else {
            return false
        }
        return parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { isLetter($0) || isDigit($0) }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
