internal import Metadata
internal import PageModel

/// The first record: the headers of PalmDOC and MOBI, the extended header (EXTH), and the title.
struct KindleHeader {
    let book: KindleBook
    let numbers: KindleBook.Numbers
    let originals: ImageContainer?

    private static let unused = 0xFFFF_FFFF
    /// The length of the header of MOBI in version 8.
    private static let headerCount = 264
    /// kindlegen leaves room for changes to the metadata.
    private static let paddingCount = 8192

    var record: [UInt8] {
        let extended = self.extended.bytes
        let title = Array(book.title.utf8)
        var bytes: [UInt8] = []
        // Text without compression: it is small compared to the images.
        for value in [1, 0] { bytes.append16(value) }
        bytes.append32(numbers.textBytes)
        for value in [numbers.textRecords, KindleBook.textStep, 0, 0] { bytes.append16(value) }
        bytes += mobi(titleOffset: 16 + KindleHeader.headerCount + extended.count, titleCount: title.count)
        bytes += extended + title + [UInt8](repeating: 0, count: KindleHeader.paddingCount)
        bytes.pad4()
        return bytes
    }

    /// The header of MOBI: words of 32 bits.
    private func mobi(titleOffset: Int, titleCount: Int) -> [UInt8] {
        let unused = KindleHeader.unused
        var words = [KindleHeader.headerCount, 2, 65001, book.identifier, 8]
        words += [Int](repeating: unused, count: 10)
        words += [numbers.afterText, titleOffset, titleCount, language, 0, 0, 8, numbers.images]
        // No Huffman codes; 0x50: an extended header and a fixed mark.
        words += [0, 0, 0, 0, 0x50] + [Int](repeating: 0, count: 8)
        // No DRM.
        words += [unused, unused, 0, 0, 0, 0, 0]
        words += [numbers.flows, 2, numbers.fcis, 1, numbers.flis, 1, 0, 0, unused, 0, unused, unused]
        // 1: after each record's text is the number of bytes of its last character in the next; 2: marks follow that.
        words += [
            numbers.hasMarks ? 3 : 1, numbers.contents, numbers.fragments, numbers.skeletons, unused, unused, 0, 0, 0,
            0,
        ]
        return KindleBook.words("MOBI", words)
    }

    /// The language as a code of Windows, which states it for dictionaries and hyphenation; 0 for others.
    private var language: Int {
        let codes = [
            "ar": 1, "zh": 4, "cs": 5, "da": 6, "de": 7, "el": 8, "en": 9, "es": 10, "fi": 11, "fr": 12, "he": 13,
            "hu": 14, "it": 16, "ja": 17, "ko": 18, "nl": 19, "nb": 20, "pl": 21, "pt": 22, "ro": 24, "ru": 25,
            "sv": 29,
            "th": 30, "tr": 31, "vi": 42,
        ]
        return codes[String(book.metadata.statedLanguage.prefix { $0 != "-" })] ?? 0
    }

    /// The extended header. The title (503) and the kind of document (501) are absent: with them, some devices hide the toolbar
    /// of a fixed layout. Only a book with a cover file needs the kind, together with an identifier (113).
    private var extended: ExtendedHeader {
        var header = ExtendedHeader()
        let metadata = book.metadata
        for name in metadata.authors.clean { header.add(100, name) }
        for publisher in [metadata.publisher].clean { header.add(101, publisher) }
        if let summary = metadata.summary.flatMap({ PlainText.clean($0) }) {
            header.add(103, PlainText.perhapsHTML(summary))
        }
        if let isbn = metadata.isbn { header.add(104, isbn.description) }
        for subject in metadata.subjects.clean { header.add(105, subject) }
        if let date = metadata.date { header.add(106, date.description) }
        for rights in [metadata.rights].clean { header.add(109, rights) }
        if let coverID = book.coverID {
            header.add(113, coverID)
            header.add(501, "EBOK")
        }
        header.add(122, "true")
        header.add(123, "comic")
        header.add(124, "none")
        header.add(125, book.imageCount)
        let size = PixelSize.mostCommon(of: book.pages.map(\.size)) ?? PixelSize(width: 1, height: 1)
        header.add(126, "\(size.width)x\(size.height)")
        header.add(127, "true")
        header.add(128, "true")
        let cover = book.pages.firstIndex(where: \.isCover) ?? 0
        let thumbnail = book.thumbnail == nil ? cover : book.pages.count
        header.add(129, "kindle:embed:\((thumbnail + 1).base32(digits: 4))")
        header.add(131, book.pages.count)
        header.add(132, "false")
        header.add(201, cover)
        header.add(202, thumbnail)
        header.add(203, 0)
        header.addCreator()
        header.add(524, metadata.statedLanguage)
        if let direction = metadata.direction {
            header.add(525, direction == .rightToLeft ? "horizontal-rl" : "horizontal-lr")
            header.add(527, direction.rawValue)
        }
        if let originals { header.add(536, originals.reference) }
        header.add(547, "InMemory")
        return header
    }
}

/// A list of values with numbers as their names (EXTH).
struct ExtendedHeader {
    private var records: [UInt8] = []
    private var count = 0

    mutating func add(_ number: Int, _ value: [UInt8]) {
        records.append32(number)
        records.append32(8 + value.count)
        records += value
        count += 1
    }

    mutating func add(_ number: Int, _ text: String) { add(number, Array(text.utf8)) }

    mutating func add(_ number: Int, _ value: Int) {
        var bytes: [UInt8] = []
        bytes.append32(value)
        add(number, bytes)
    }

    /// Adds the version of the format's producer: the kindlegen that has this structure, as calibre states it.
    mutating func addCreator() {
        for (number, value) in [(204, 202), (205, 2), (206, 9), (207, 0)] { add(number, value) }
        add(535, "jisui")
    }

    var bytes: [UInt8] {
        var bytes = KindleBook.words("EXTH", [12 + records.count, count]) + records
        bytes.pad4()
        return bytes
    }
}
