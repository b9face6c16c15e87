internal import OrderedJSON
internal import PageModel

@testable import AdapterKit
@testable import Adjustments
@testable import Conversion
@testable import Metadata
@testable import Spreads
@testable import Trim

extension FuzzTarget {
    /// JSON: what is read and written is read as the same.
    static let json = FuzzTarget(
        name: "json", inputs: [#"{"a": [1, -2.5e3, "\u00e9\ud83d\ude00\n", null, true], "b": {}}"#],
        words: ["\\u", "\\ud83d", "1e308", "true", "false", "null", "\u{FEFF}"], maximumBytes: 512
    ) { input in
        guard let value = JSON(parsing: input) else { return }
        let text = value.text
        guard let again = JSON(parsing: Array(text.utf8)) else {
            fatalError("what was written cannot be read: \(text)")
        }
        require(again.text == text, "what is read is what was written: \(text), \(again.text)")
    }

    /// The files of boxes and of spreads.
    static let sidecars = FuzzTarget(
        name: "sidecars",
        inputs: [
            #"{"jisui-trim":1,"options":{},"pages":[{"page":1,"source":"a","size":[9,9],"box":[1,1,5,5],"skew":0.5}],"book":{"pages":1,"digests":{"1":"image:a"}}}"#,
            #"{"jisui-spreads":1,"options":{"spreads":"pair"},"spreads":[{"pages":[1,2],"sources":["a","b"],"join":true}]}"#,
            #"{"jisui-spreads":1,"options":{"spreads":"split"},"spreads":[{"pages":[1],"sources":["a"],"size":[9,9],"fold":4,"split":true}]}"#,
        ],
        words: [
            "\"page\":", "\"box\":", "\"content\":", "\"deskewed\":true", "\"side\":\"left\"", "\"confidence\":",
            "1073741824", "-1", "null",
        ], maximumBytes: 1024
    ) { input in
        withFile(input) { file in
            if let boxes = try? TrimFile(file) {
                for entry in boxes.entries {
                    require(entry.box.map(PixelRect(x: 0, y: 0, entry.size).contains) ?? true, "a box lies in its page")
                    let edit = entry.box.map { Edit.keep($0, of: entry.size) }
                    let size = PixelSize(width: 100, height: 100)
                    require(edit.map { Framing(size, edits: [$0]) != nil } ?? true, "a box leaves something of a page")
                }
            }
            for mode in ["pair", "split"] {
                guard let settings = try? Settings(SpreadOptions.settings, given: ["spreads": mode]),
                    let options = try? SpreadOptions(settings),
                    let spreads = try? SpreadFile(file, options)
                else { continue }
                use((spreads.pairs, spreads.unpaired, spreads.cuts))
            }
        }
    }

    /// XML: a document that was written once is written the same again.
    static let xml = FuzzTarget(
        name: "xml",
        inputs: [
            "<?xml version=\"1.0\"?><a xmlns:b=\"c\" d='e'><!-- f --><b:g/>&lt;&#233;<![CDATA[<]]></a>",
            "<a>\n  <b>c</b>\n  <d/>\n</a>",
        ],
        words: ["<![CDATA[", "]]>", "<!--", "-->", "&#", ";", "&amp;", "<!DOCTYPE", "xmlns", "xml:space", "</", "/>"],
        maximumBytes: 1024
    ) { input in
        guard let root = try? XMLReader.read(input) else { return }
        let document = root.document
        guard let again = try? XMLReader.read(document) else {
            fatalError("what was written cannot be read: \(String(decoding: document, as: UTF8.self))")
        }
        require(
            again.document == document,
            "\(String(decoding: document, as: UTF8.self)) becomes \(String(decoding: again.document, as: UTF8.self))")
        require(again.name == root.name && again.attributes == root.attributes, "the root stays")
        use(XMPMetadata(xmp: input))
    }

    /// ComicInfo: what it says of a book is said again by the one that is written.
    static let comicInfo = FuzzTarget(
        name: "comic-info",
        inputs: [
            "<ComicInfo><Title>a</Title><Writer>b, c</Writer><Manga>YesAndRightToLeft</Manga><Pages>"
                + "<Page Image='0' Type='FrontCover' Bookmark='d'/><Page Image='1' DoublePage='true'/></Pages></ComicInfo>"
        ],
        words: [
            "<Series>", "</Series>", "<Number>", "</Number>", "<LanguageISO>", "</LanguageISO>", "<Pages>", "</Pages>",
            "<Page Image='2' ", "<Penciller>", "</Penciller>", "<Unknown>", "</Unknown>",
        ], maximumBytes: 1024
    ) { input in
        func pages() -> [Page] {
            (1...3).map { number in
                Page(id: number, name: "\(number)") { throw AdapterError(.unsupported, "there is no image") }
            }
        }
        guard let info = try? ComicInfo(input) else { return }
        var before = pages()
        let book = info.metadata(reordering: &before)
        var writer = ComicInfoWriter(book)
        for page in before {
            writer.add(
                .init(id: page.id, byteCount: 1, size: nil, isDouble: page.isDoublePage, roles: page.roles))
        }
        guard let written = try? ComicInfo(writer.xml) else { fatalError("what was written is no ComicInfo") }
        var after = pages()
        let again = written.metadata(reordering: &after)
        let hadCover = before.contains { $0.roles.contains(.frontCover) } || !before[0].roles.isEmpty
        require(
            after.map(\.roles) == before.map(\.roles)
                || !hadCover && after.dropFirst().map(\.roles) == before.dropFirst().map(\.roles),
            "what pages are for stays, but that the first becomes the cover where there is none")
        require(after.map(\.isDoublePage) == before.map(\.isDoublePage), "double pages stay")
        require(
            (again.title, again.series, again.number) == (book.title, book.series, book.number)
                && again.direction == book.direction && again.authors == book.authors
                && again.language == book.language,
            "what is said of the book stays: \(book), \(again)")
    }

    /// Files that tell of a book: what is understood of one is understood again as jisui's own JSON.
    static let metadataFile = FuzzTarget(
        name: "metadata-file",
        inputs: [
            #"{"title": "a", "creators": [{"name": "b", "role": "inker"}], "number": 3, "date": "2019-05", "language": "ja"}"#,
            "<MetronInfo><Series lang='en'><Name>a</Name><Volume>2</Volume></Series><Credits><Credit><Creator>b</Creator>"
                + "<Roles><Role>Inker</Role></Roles></Credit></Credits><CoverDate>2011-10-01</CoverDate></MetronInfo>",
            "<ACBF><meta-data><book-info><author activity='Inker'><nickname>b</nickname></author><book-title>a</book-title>"
                + "<sequence title='c' volume='1'>3</sequence></book-info></meta-data></ACBF>",
        ],
        words: ["<Stories><Story>", "\"authors\":[", "<publish-date value='2012'/>", "null", "</"], maximumBytes: 1024
    ) { input in
        guard let book = try? MetadataFile(input).book else { return }
        use(
            (
                FileNameGuess(String(decoding: input, as: UTF8.self)),
                MetronInfo.carried(by: book, books: [0], pageCount: 1)
            ))
        func text(_ book: BookMetadata) -> String {
            JSON.object([("jisui", "1")] + MetadataJSON.members(of: book)).text
        }
        // A document may say what JSON may not, such as an impossible language.
        guard let once = try? MetadataFile(Array(text(book).utf8)).book else { return }
        let twice = try? MetadataFile(Array(text(once).utf8)).book
        require(twice == once, "what was written is read as the same: \(text(once))")
    }

    /// Selections of pages.
    static let selection = FuzzTarget(
        name: "selection", inputs: ["1-10,15,odd,-3..", "..5", "7-", "all", "-2--1"],
        words: ["odd", "even", "all", ".."],
        maximumBytes: 64
    ) { input in
        guard let selection = try? PageSelection(String(decoding: input, as: UTF8.self)) else { return }
        for count in [0, 1, 20] {
            let pages = (0..<count).map { index in
                Page(id: index + 1, name: "") { throw AdapterError(.unsupported, "there is no image") }
            }
            let sequence = PageSequence(book: BookMetadata(), pages: pages)
            guard let chosen = try? selection.apply(to: sequence) else { continue }
            let numbers = chosen.pages.map(\.id)
            require(Set(numbers).count == numbers.count, "each page comes once")
            require(numbers.allSatisfy((1...max(1, count)).contains), "only pages come that are there")
        }
    }

    /// Lengths, boxes, levels and colors as people type them.
    static let options = FuzzTarget(
        name: "options", inputs: ["40", "5%,10px", "1072x1448", "x1448", "10,95", "#ff8800"], maximumBytes: 32
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        let size = PixelSize(width: 1000, height: 1500)
        if let rest = Insets(text)?.rest(of: size) {
            require(PixelRect(x: 0, y: 0, size).contains(rest), "insets leave a part")
        }
        for enlarges in [false, true] {
            if let box = FitBox(text, enlarges: enlarges) {
                let fitted = box.size(for: size)
                require(fitted.width > 0 && fitted.height > 0, "what is fitted has pixels")
                require(fitted.width <= box.width ?? .max && fitted.height <= box.height ?? .max, "it fits: \(fitted)")
            }
        }
        if let tones = Levels(levels: text) { require(tones.black < tones.white, "white is brighter than black") }
        use(RGB(text))
    }
}
