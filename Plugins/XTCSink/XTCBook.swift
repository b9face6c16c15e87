internal import Metadata
internal import PageModel

/// The data before the pages of an XTC: header, metadata, chapters and page table.
///
/// CrossPoint finds the title and the author by their offsets from the start of the file. So the metadata follow the header. It
/// counts the chapters by the bytes up to the page table. So the page table follows the chapters.
struct XTCBook {
    /// The name of its metadata, which have only the fields below.
    static let metadataFormat = "XTC"
    /// The keys of the fields that it stores.
    static let storedFields: Set = ["title", "authors", "publisher", "language", "direction"]

    /// The page table and the header have 16 bits for the number of pages.
    static let maximumPages = 65_535

    private static let headerCount = 56
    private static let metadataCount = 256
    private static let chapterCount = 96
    private static let entryCount = 16
    /// The bytes of the texts. The last byte of each is 0.
    private static let (titleCount, authorCount, publisherCount, languageCount, nameCount) = (128, 64, 32, 16, 80)

    /// A chapter with its pages, counted from 0.
    struct Chapter: Equatable {
        let title: String
        let pages: ClosedRange<Int>
    }

    let options: XTCOptions
    let title: String
    let metadata: BookMetadata
    let chapters: [Chapter]
    /// The bytes of each page.
    let pageSizes: [Int]
    /// The index of the cover; nil if it is unknown.
    let cover: Int?

    /// - Parameter pages: the `Page.id` of each page.
    init(
        _ options: XTCOptions, title: String, _ metadata: BookMetadata, pages: [Int], pageSizes: [Int], cover: Int?
    ) {
        (self.options, self.title, self.metadata) = (options, title, metadata)
        (self.pageSizes, self.cover) = (pageSizes, cover)
        chapters = metadata.outline.isEmpty ? [] : XTCBook.chapters(metadata, pages, title)
    }

    /// Returns the table of contents without its levels. A chapter ends before the next.
    private static func chapters(_ metadata: BookMetadata, _ pages: [Int], _ title: String) -> [Chapter] {
        func flat(_ lines: [TableOfContents.Line]) -> [TableOfContents.Line] {
            lines.flatMap { [$0] + flat($0.lines) }
        }
        let lines = flat(TableOfContents(of: metadata, pages: pages, title: title).lines)
        return lines.indices.map { index in
            let (first, next) = (lines[index].page, index + 1 < lines.count ? lines[index + 1].page : pages.count)
            return Chapter(title: lines[index].title, pages: first...max(first, next - 1))
        }
    }

    private var authors: String { metadata.authors.joined(separator: ", ") }

    var bytes: [UInt8] {
        let chaptersOffset = XTCBook.headerCount + XTCBook.metadataCount
        let table = chaptersOffset + chapters.count * XTCBook.chapterCount
        let data = table + pageSizes.count * XTCBook.entryCount
        var bytes = header(chapters: chapters.isEmpty ? 0 : chaptersOffset, table: table, data: data)
        bytes.append(title, in: XTCBook.titleCount)
        bytes.append(authors, in: XTCBook.authorCount)
        bytes.append(metadata.publisher ?? "", in: XTCBook.publisherCount)
        bytes.append(metadata.language ?? "", in: XTCBook.languageCount)
        // The time of creation would make every run a different file.
        bytes.append(0, bytes: 4)
        bytes.append(cover ?? 0xFFFF, bytes: 2)
        bytes.append(chapters.count, bytes: 2)
        bytes.append(0, bytes: 8)
        for chapter in chapters {
            bytes.append(chapter.title, in: XTCBook.nameCount)
            // CrossPoint and xtcjs count them from 1.
            bytes.append(chapter.pages.lowerBound + 1, bytes: 2)
            bytes.append(chapter.pages.upperBound + 1, bytes: 2)
            bytes.append(0, bytes: 12)
        }
        var offset = data
        for size in pageSizes {
            bytes.append(offset, bytes: 8)
            bytes.append(size, bytes: 4)
            bytes.append(options.screen.width, bytes: 2)
            bytes.append(options.screen.height, bytes: 2)
            offset += size
        }
        return bytes
    }

    private func header(chapters: Int, table: Int, data: Int) -> [UInt8] {
        var bytes = Array((options.format == .xtc ? "XTC\0" : "XTCH").utf8)
        // Version 1.0.
        bytes += [1, 0]
        bytes.append(pageSizes.count, bytes: 2)
        // The metadata are present, thumbnails are absent.
        bytes += [metadata.direction == .rightToLeft ? 1 : 0, 1, 0, chapters == 0 ? 0 : 1]
        // The page that was read last: none.
        bytes.append(0, bytes: 4)
        for offset in [XTCBook.headerCount, table, data, 0, chapters] { bytes.append(offset, bytes: 8) }
        return bytes
    }

    /// The names of the texts that are longer than their place.
    var shortened: [Message] {
        let texts: [(Message, String, Int)] = [
            ("the title", title, XTCBook.titleCount), ("the authors", authors, XTCBook.authorCount),
            ("the publisher", metadata.publisher ?? "", XTCBook.publisherCount),
            ("the language", metadata.language ?? "", XTCBook.languageCount),
        ]
        let names = texts.compactMap { name, text, count in text.utf8.count < count ? nil : name }
        let long = chapters.count { $0.title.utf8.count >= XTCBook.nameCount }
        return names + (long == 0 ? [] : long == 1 ? ["1 chapter title"] : ["\(long) chapter titles"])
    }
}

extension [UInt8] {
    /// Appends a text in a place of that many bytes. At least the last is 0, and no character is cut in two.
    fileprivate mutating func append(_ text: String, in count: Int) {
        var bytes: [UInt8] = []
        for character in text {
            let next = character.utf8
            if bytes.count + next.count >= count { break }
            bytes += next
        }
        self += bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }
}
