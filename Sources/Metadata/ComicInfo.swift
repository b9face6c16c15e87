public import AdapterKit
public import PageModel

/// A ComicInfo.xml: what a comic archive says about itself.
///
/// The format is anansi-project/comicinfo, schema 2.0 and draft 2.1. The whole document is kept, so that what jisui
/// does not know can be written again (`ComicInfoWriter`). The order of its page list is not used: the pages come in the
/// order of their names, as in every reader but one.
public struct ComicInfo: Hashable, Sendable {
    /// The most bytes a document may have.
    public static let mostBytes = 4 << 20
    /// The name of the file, at the root of an archive or folder.
    public static let fileName = "ComicInfo.xml"
    /// `SourceDocument.format` of such documents.
    public static let format = "ComicInfo"

    /// The element `ComicInfo`.
    public let root: XMLElement

    /// Reads a document.
    ///
    /// - Throws: `.damaged` when it is no ComicInfo or not well-formed; `.tooLarge`, `.unsupported` as `XMLReader`.
    public init(_ bytes: [UInt8]) throws(AdapterError) {
        let root = try XMLReader.read(bytes, limits: XMLReader.Limits(bytes: ComicInfo.mostBytes))
        guard root.isNamed("ComicInfo") else {
            throw AdapterError(.damaged, "has \(root.name.qualified) where ComicInfo should be")
        }
        self.root = root
    }

    init(root: XMLElement = XMLElement("ComicInfo")) {
        self.root = root
    }

    /// Which of some files, given by their paths, tells of the book: that at the root if there is one, else the first.
    ///
    /// - Returns: a place in `paths`; nil when none is a ComicInfo.xml, in small letters or large.
    public static func place(in paths: [String]) -> Int? {
        let places = paths.indices.filter { FileName.last(of: paths[$0]).lowercased() == fileName.lowercased() }
        return places.first { !paths[$0].utf8.contains(UInt8(ascii: "/")) } ?? places.first
    }

    /// What a source's ComicInfo.xml says of a book, with the document itself; marks the double pages.
    ///
    /// - Parameters:
    ///   - path: the document's path in the source, for the warning.
    ///   - pages: the pages of the book in order.
    ///   - warnings: gets one when the document cannot be read; the book then has no metadata.
    ///   - read: reads the document.
    public static func metadata(
        from path: String, for pages: inout [Page], warnings: inout [Warning], read: () throws(AdapterError) -> [UInt8]
    ) -> BookMetadata {
        do throws(AdapterError) {
            let bytes = try read()
            var facts = try ComicInfo(bytes).metadata(for: &pages)
            facts.documents = [SourceDocument(format: format, bytes: bytes, firstPage: pages.first?.id ?? 1)]
            return facts
        } catch {
            warnings.append(
                Warning(code: "bad-metadata", message: "\(path) \(error.message): what it says of the book is lost"))
            return BookMetadata()
        }
    }

    /// - Throws: `.tooLarge` for a document of more bytes than are read.
    public static func checkSize(_ byteCount: Int) throws(AdapterError) {
        guard byteCount <= mostBytes else {
            throw AdapterError(.tooLarge, "is larger than \(mostBytes) bytes")
        }
    }

    // MARK: The book

    /// The elements that name who made the comic.
    static let authorElements = ["Writer", "Penciller", "Inker", "Colorist"]

    /// What the document says about the book; without an outline, which takes the pages.
    public var metadata: BookMetadata {
        var facts = BookMetadata(
            title: value("Title"), series: value("Series"), volume: number("Volume").map(String.init),
            number: value("Number"), publisher: value("Publisher"), date: date, language: value("LanguageISO"),
            direction: ComicInfo.direction(value("Manga")))
        for names in ComicInfo.authorElements.compactMap(value) {
            for author in names.split(separator: ",").compactMap({ String($0).meaningful })
            where !facts.authors.contains(author) {
                facts.authors.append(author)
            }
        }
        return facts
    }

    /// What the document says about the book whose pages, in order, are these; marks the double pages among them.
    public func metadata(for pages: inout [Page]) -> BookMetadata {
        var facts = metadata
        var bookmarks: [(image: Int, title: String)] = []
        for (image, page) in self.pages where pages.indices.contains(image) {
            if let title = page["Bookmark"]?.meaningful { bookmarks.append((image, title)) }
            // Programs write "true", "True" and "Yes".
            if ["true", "yes", "1"].contains(page["DoublePage"]?.lowercased()) { pages[image].isDoublePage = true }
        }
        facts.outline = bookmarks.sorted { $0.image < $1.image }.map {
            OutlineItem(title: $0.title, page: pages[$0.image].id, level: 0)
        }
        return facts
    }

    /// When the comic was published; nil without a year, or when there is no such date.
    private var date: BookDate? {
        guard let year = number("Year") else { return nil }
        return BookDate(year: year, month: number("Month"), day: number("Day"))
    }

    /// The number that an element gives; -1 says that it is not known.
    private func number(_ name: String) -> Int? {
        value(name).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The text of an element that says something about the book.
    func value(_ name: String) -> String? {
        root.elements.lazy.filter { $0.isNamed(name) }.compactMap { $0.text.meaningful }.first
    }

    /// "Yes" only says that it is a manga: translated ones are often mirrored.
    private static func direction(_ manga: String?) -> Direction? {
        switch manga {
        case "YesAndRightToLeft": .rightToLeft
        case "No": .leftToRight
        default: nil
        }
    }

    // MARK: The pages

    /// The entries of the page list, each with the place among all pages, from 0, that it speaks of.
    var pages: [(image: Int, element: XMLElement)] {
        let lists = root.elements.filter { $0.isNamed("Pages") }
        return lists.flatMap(\.elements).filter { $0.isNamed("Page") }.compactMap { page in
            page["Image"].flatMap { Int($0) }.map { ($0, page) }
        }
    }
}

extension XMLElement {
    /// Whether it has this name, without a prefix. ComicInfo has no namespace of its own; some programs give it one.
    func isNamed(_ local: String) -> Bool {
        name.local == local && name.prefix == nil
    }
}
