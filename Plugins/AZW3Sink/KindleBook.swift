internal import Metadata
internal import PageModel

/// The contents of an AZW3: its records in their order.
struct KindleBook {
    let title: String
    let metadata: BookMetadata
    let pages: [KindlePage]
    let places: [SpinePlacement.Place]
    /// The cover for the device's library.
    let thumbnail: [UInt8]?
    /// A number that distinguishes books.
    let identifier: Int
    /// The text that names the file with the cover on the device; nil for none.
    let coverID: String?

    /// The numbers of records to which the first record refers.
    struct Numbers {
        var textBytes = 0
        var documentBytes = 0
        var textRecords = 0
        /// Whether marks of the table of contents follow each record's text.
        var hasMarks = false
        var afterText = 0
        var fragments = 0
        var skeletons = 0
        var contents = 0
        var images = 0
        var flows = 0
        var flis = 0
        var fcis = 0
    }

    /// The number of bytes of text in a record.
    static let textStep = 4096

    static let endOfFile: [UInt8] = [0xE9, 0x8E, 0x0D, 0x0A]

    func addRecords(to writer: inout PalmDatabaseWriter) {
        let text = KindleText(pages)
        var numbers = Numbers()
        writer.add([])
        let contents = TableOfContents(of: metadata, pages: pages.map(\.id), title: title)
        addText(text, text.ranges(contents).map(ContentsMarks.init), to: &writer, &numbers)
        func add(_ index: KindleIndex) -> Int {
            let number = writer.count
            for record in index.records { writer.add(record) }
            return number
        }
        numbers.fragments = add(text.fragmentIndex)
        numbers.skeletons = add(text.skeletonIndex)
        numbers.contents = add(text.contentsIndex(contents))
        numbers.images = writer.count
        for page in pages { writer.add(page.image) }
        if let thumbnail { writer.add(thumbnail) }
        writer.add(KindleSpine(title: title, metadata: metadata, pages: pages, places: places).record)
        numbers.flows = writer.count
        writer.add(
            KindleBook.words("FDST", [12, 2, 0, numbers.documentBytes, numbers.documentBytes, numbers.textBytes]))
        numbers.flis = writer.count
        writer.add(KindleBook.words("FLIS", [8, 65 << 16, 0, 0xFFFF_FFFF, 1 << 16 | 3, 3, 1, 0xFFFF_FFFF]))
        numbers.fcis = writer.count
        writer.add(KindleBook.words("FCIS", [20, 16, 2, 0, numbers.textBytes, 0, 40, 0, 40, 8, 1 << 16 | 1, 0]))
        writer.add(KindleBook.endOfFile)
        let originals = ImageContainer(pages: pages, slotCount: imageCount, title: title)
        originals?.addRecords(to: &writer)
        writer.replace(0, by: KindleHeader(book: self, numbers: numbers, originals: originals).record)
    }

    /// The number of records of images, with the thumbnail.
    var imageCount: Int { pages.count + (thumbnail == nil ? 0 : 1) }

    /// - Parameter marks: the marks after each record's text; nil for none.
    private func addText(
        _ text: KindleText, _ marks: ContentsMarks?, to writer: inout PalmDatabaseWriter, _ numbers: inout Numbers
    ) {
        let bytes = text.bytes
        (numbers.textBytes, numbers.documentBytes) = (bytes.count, text.documents.count)
        numbers.hasMarks = marks != nil
        var (marks, written) = (marks, 0)
        for start in stride(from: 0, to: bytes.count, by: KindleBook.textStep) {
            let range = start..<min(start + KindleBook.textStep, bytes.count)
            // The byte after the text counts those of a character that the next record begins with. All characters are of ASCII.
            let record = bytes[range] + [0] + (marks?.bytes(of: range) ?? [])
            writer.add(Array(record))
            written += record.count
            numbers.textRecords += 1
        }
        if !written.isMultiple(of: 4) { writer.add([UInt8](repeating: 0, count: 4 - written % 4)) }
        numbers.afterText = writer.count
    }

    /// Returns a record of a name and numbers.
    static func words(_ name: String, _ words: [Int]) -> [UInt8] {
        var bytes = Array(name.utf8)
        for word in words { bytes.append32(word) }
        return bytes
    }
}
