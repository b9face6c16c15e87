import AdapterKit
import Files
import Metadata
import PageModel
import Scratch
import Testing
import ZipFile

@testable import EPUBSink
@testable import EPUBSource

/// The contents of EPUBs of jisui and of other programs.
@Suite struct EPUBReadingTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func open(_ path: String) async throws -> OpenedBook {
        try await EPUBSource().open(Input(path: path), settings: Settings(), limits: Limits())
    }

    private func picture(_ page: Page) async throws -> (bytes: [UInt8], pending: [Edit]) {
        let picture = try await page.examine()
        guard case .encoded(let encoded)? = picture.representations.first else { return ([], []) }
        return (try await encoded.read().bytes, encoded.pending)
    }

    @Test func writtenBookRoundTrips() async throws {
        let facts = BookMetadata(
            title: "自炊 <&>", authors: ["A. Scanner", "B"], series: "叢書", number: "12.5", publisher: "版元 & Co",
            date: BookDate(year: 1998, month: 2, day: 28), summary: "One <b> & <S>\n\nTwo & three",
            genres: ["A", "B, C"], isbn: ISBN("978-0-306-40615-7"), rights: "© <A>", language: "ja",
            direction: .rightToLeft,
            outline: [OutlineItem(title: "One", page: 2, level: 0), OutlineItem(title: "Deeper", page: 3, level: 1)])
        let part = PixelRect(x: 8, y: 16, width: 40, height: 50)
        let made = try await SyntheticEPUB(
            [.init(label: "i"), .init(side: .right, label: "1"), .init(shown: part, side: .left, label: "2")],
            book: facts,
            in: scratch)
        let book = try await open(scratch("book.epub")).sequence
        #expect(book.book == facts)
        #expect(book.pages.map(\.label) == ["i", "1", "2"])
        #expect(book.pages.map(\.side) == [.single, .right, .left])
        for (index, page) in book.pages.enumerated() {
            let (bytes, pending) = try await picture(page)
            #expect(bytes == made.pictures[index])
            #expect(pending == (index == 2 ? [.crop(part)] : []))
        }
    }

    /// The pictures that the documents refer to are intact.
    @Test func documentsWithAWrongChecksumAreReadAndReported() async throws {
        let made = try await SyntheticEPUB([.init(), .init()], in: scratch)
        var bytes = try scratch.read("book.epub")
        let documents = made.entries.map(\.name).filter { $0.hasSuffix(".opf") || $0.hasSuffix(".xhtml") }
        for header in bytes.ranges(of: [0x50, 0x4B, 1, 2]).map(\.lowerBound)
        where documents.contains(where: { bytes[(header + 46)...].starts(with: Array($0.utf8)) }) {
            bytes[header + 16] ^= 1
        }
        let book = try await open(try scratch.write("damaged.epub", bytes))
        #expect(book.sequence.pages.count == 2)
        for (index, page) in book.sequence.pages.enumerated() {
            #expect(try await picture(page).bytes == made.pictures[index])
        }
        #expect(book.warnings.map(\.code) == documents.map { _ in "damaged-archive" })
        #expect(
            documents.allSatisfy { name in
                book.warnings.contains { $0.message.english.hasPrefix("\(name): its checksum") }
            })
    }

    /// A list of pages that only counts them gives no labels.
    @Test func countedPageListGivesNoLabels() async throws {
        _ = try await SyntheticEPUB([.init(), .init()], in: scratch)
        let book = try await open(scratch("book.epub")).sequence
        #expect(book.pages.map(\.label) == [nil, nil] && book.book.outline.isEmpty && book.book.language == nil)
    }

    private static let fixtures = "\(BuiltJisui.fixtures)/good/EPUBSource"

    @Test func booksByOthersAreRead() async throws {
        let rtl = try await open("\(Self.fixtures)/svg-rtl.epub")
        #expect(rtl.sequence.book.title == "右から左へ" && rtl.sequence.book.authors == ["甲", "乙"])
        #expect(rtl.sequence.book.direction == .rightToLeft && rtl.sequence.book.number == "3")
        #expect(rtl.sequence.book.outline.map(\.title) == ["表紙", "第一部", "一"])
        #expect(
            rtl.sequence.book.outline.map(\.page) == [1, nil, 2] && rtl.sequence.book.outline.map(\.level) == [0, 0, 1])
        #expect(rtl.sequence.pages.map(\.label) == ["i", "1"] && rtl.skipped == ["item/xhtml/p3.xhtml"])
        let old = try await open("\(Self.fixtures)/epub2.epub").sequence.book
        #expect(old.series == "Series" && old.number == "2")
        #expect(old.outline.map(\.title) == ["One", "One and a half"] && old.outline.map(\.level) == [0, 1])
        let names = try await open("\(Self.fixtures)/img.epub").sequence.pages.map(\.name)
        #expect(names == ["Images/the first.jpg", "Images/zwölf.jpg"])
    }

    @Test(arguments: [
        ("i.jpg", "a/b/i.jpg"), ("../i.jpg", "a/i.jpg"), ("../../i.jpg#x", "i.jpg"), ("./%41.jpg?q", "a/b/A.jpg"),
        ("../../../i.jpg", nil), ("/i.jpg", "i.jpg"), ("http://x/i.jpg", nil), ("data:image/png;base64,", nil),
        ("#x", nil),
        ("%FF.jpg", nil), ("100%.jpg", "a/b/100%.jpg"),
    ])
    func linksStayInTheBook(_ link: String, _ path: String?) {
        #expect(EPUBContainer.resolved(link, in: "a/b/page.xhtml") == path)
    }

    @Test func onlyPlainDocumentTypesAreTakenAway() {
        func removed(_ text: String) -> String {
            String(decoding: Doctype.removed(from: Array(text.utf8)), as: UTF8.self)
        }
        #expect(removed("<?xml?><!DOCTYPE html><html/>") == "<?xml?><html/>")
        #expect(removed("<!DOCTYPE html PUBLIC \"a\" \"b\"><html/>") == "<html/>")
        let hostile = "<!DOCTYPE html [<!ENTITY a \"b\">]><html/>"
        #expect(removed(hostile) == hostile && removed("<html/>") == "<html/>")
        // XHTML's declares names of characters.
        let names = "<p>&nbsp;&amp;&eacute;&none;&</p>"
        let type = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"a\">"
        #expect(removed(type + names) == "<p>&#160;&amp;&#233;&none;&</p>")
        #expect(removed("<!DOCTYPE html>" + names) == names)
    }

    /// A book of twelve pages that does not say it is fixed; the sixth has another body, and another line in the spine.
    private func book(sixth body: String, spine: String = "") async throws -> OpenedBook {
        let picture = try SyntheticEPUB.jpeg(PixelSize(width: 16, height: 24), 1)
        let type = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"a\">"
        let writer = ZipWriter(try OutputFile(at: Destination(path: scratch("other.epub"), mayReplace: true)))
        func add(_ name: String, _ text: String) throws {
            try writer.add(name, Array(text.utf8), compresses: false)
        }
        try add("mimetype", "application/epub+zip")
        let file = "<rootfile full-path='p.opf' media-type='application/oebps-package+xml'/>"
        try add(
            "META-INF/container.xml",
            "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>\(file)</rootfiles></container>"
        )
        let items = (1...12).map { "<item id='p\($0)' href='\($0).xhtml' media-type='application/xhtml+xml'/>" }
        let references = (1...12).map { "<itemref idref='p\($0)'\($0 == 6 ? spine : "")/>" }
        try add(
            "p.opf",
            "<package xmlns='http://www.idpf.org/2007/opf'><metadata/><manifest>\(items.joined())</manifest>"
                + "<spine>\(references.joined())</spine></package>")
        for number in 1...12 {
            let body = number == 6 ? body : "<img src='i.jpg'/>"
            try add("\(number).xhtml", "\(type)<html xmlns='http://www.w3.org/1999/xhtml'><body>\(body)</body></html>")
        }
        try writer.add("i.jpg", picture, compresses: false)
        try writer.finish()
        return try await open(scratch("other.epub"))
    }

    /// A page that cannot be read is listed with a reason: it is never omitted silently.
    @Test(arguments: [
        ("<img src='i.jpg'/><br>", false),
        ("<p>words</p>", false), ("<object data='i.jpg'/>", true), ("<div style='background: url(i.jpg)'/>", true),
        ("<p>&nbsp;</p><img src='i.jpg'/>", true), ("<img src='gone.jpg'/>", false),
    ])
    func noPageVanishes(_ body: String, _ isThere: Bool) async throws {
        let pages = try await book(sixth: body).sequence.pages
        #expect(pages.count == 12)
        let picture = try? await pages[5].examine()
        #expect((picture != nil) == isThere)
    }

    @Test func eachPictureOfADocumentIsAPage() async throws {
        let stacked = try await book(sixth: "<img src='i.jpg'/><div style='top: 9px'><img src='i.jpg'/></div>")
        #expect(stacked.sequence.pages.count == 13 && stacked.warnings.map(\.code) == ["images-separated"])
        #expect(stacked.warnings[0].page == 6)
        for page in stacked.sequence.pages { _ = try await page.examine() }
        let words = String(repeating: "word ", count: 100)
        let novel = try await book(sixth: "<img src='i.jpg'/><img src='i.jpg'/><p>\(words)</p>")
        #expect(novel.sequence.pages.count == 12)
        await #expect(throws: AdapterError.self) { try await novel.sequence.pages[5].examine() }
    }

    /// As KCC writes it for the Kindle's Panel View.
    @Test func panelViewEnlargementsAreNotPages() async throws {
        let panel = """
            <div style='display: none;'>.</div><img src='i.jpg'/><div id='PV'>\
            <a class='app-amzn-magnify' data-app-amzn-magnify='{"targetId":"PV-P", "ordinal":1}'></a></div>\
            <div class='PV-P' id='PV-P'><img src='i.jpg' width='900'/></div>
            """
        let opened = try await book(sixth: panel)
        #expect(opened.sequence.pages.count == 12 && opened.warnings.isEmpty)
        _ = try await opened.sequence.pages[5].examine()
    }

    @Test func droppedTextIsReportedAndBlankPagesAreSkipped() async throws {
        let caption = try await book(sixth: "<img src='i.jpg'/><p>A short caption</p>")
        #expect(caption.warnings.map(\.code) == ["text-dropped"])
        let number = try await book(sixth: "<img src='i.jpg'/><p>Page 6</p>")
        #expect(number.warnings.isEmpty)
        let words = String(repeating: "word ", count: 100)
        let beside = try await book(sixth: "<img src='i.jpg'/><p>\(words)</p>")
        #expect(beside.sequence.pages.count == 12 && beside.warnings.map(\.code) == ["text-dropped"])
        let blank = try await book(sixth: "<p>&nbsp;</p>")
        #expect(blank.sequence.pages.count == 11 && blank.skipped == ["6.xhtml"])
    }

    @Test func omittedNonlinearPicturesAreReported() async throws {
        let picture = try await book(sixth: "<img src='i.jpg'/>", spine: " linear='no'")
        #expect(picture.sequence.pages.count == 11 && picture.warnings.map(\.code) == ["page-skipped"])
        let note = try await book(sixth: "<p>a note</p>", spine: " linear='no'")
        #expect(note.warnings.isEmpty && note.skipped == ["6.xhtml"])
    }

    /// A part beyond the picture, as where a page is letterboxed, is all of it.
    @Test func partsAreOfThePicture() {
        let size = PixelSize(width: 100, height: 200)
        func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PixelRect? {
            PageContent.VisibleArea(x: x, y: y, width: width, height: height).rect(of: size)
        }
        #expect(rect(0, 0, 1, 1) == nil && rect(-1, -1, 3, 3) == nil && rect(2, 0, 1, 1) == nil)
        #expect(rect(0.1, 0.5, 0.2, 2) == PixelRect(x: 10, y: 100, width: 20, height: 100))
        #expect(rect(.infinity, 0, 1, 1) == nil && rect(0, 0, 1e300, 1e300) == nil)
    }
}
