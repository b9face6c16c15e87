import AdapterKit
import Files
import PageModel
import Scratch
import Testing
import ZipFile

@testable import EPUBSink
@testable import EPUBSource

/// XML made to do harm, in the documents of an EPUB.
@Suite struct EPUBHostileTests {
    /// A document by its name: the log of a run would hold megabytes of its text otherwise.
    enum Attack: String, CaseIterable, CustomTestStringConvertible {
        case laughs, outside, deep, large

        var testDescription: String { rawValue }

        var text: String {
            switch self {
            case .laughs: "<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>]><a>&c;</a>"
            case .outside: "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>"
            case .deep: String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
            case .large: "<a b='\(String(repeating: "x", count: 20 << 20))'/>"
            }
        }
    }

    /// An EPUB of one page in which one document is another.
    private func book(with text: String, as name: String, in scratch: ScratchFolder) async throws -> OpenedBook {
        let made = try await SyntheticEPUB([.init(), .init()], in: scratch)
        let archive = ZipWriter(try OutputFile(at: Destination(path: scratch("hostile.epub"))))
        for entry in made.entries {
            try archive.add(
                entry.name, entry.name == name ? Array(text.utf8) : entry.bytes, compresses: !entry.isStored)
        }
        try archive.finish()
        return try await EPUBSource().open(
            Input(path: scratch("hostile.epub")), settings: Settings(), limits: Limits())
    }

    @Test(arguments: ["META-INF/container.xml", "item/standard.opf"], Attack.allCases)
    func theBookIsRefused(_ name: String, _ attack: Attack) async throws {
        let scratch = try ScratchFolder()
        let error = await #expect(throws: AdapterError.self) {
            try await book(with: attack.text, as: name, in: scratch)
        }
        #expect(error?.message.english.hasPrefix("\(name) ") == true && error?.message.english.contains("\n") == false)
    }

    @Test(arguments: Attack.allCases)
    func theBookIsReadWithoutItsTableOfContents(_ attack: Attack) async throws {
        let opened = try await book(
            with: attack.text, as: "item/navigation-documents.xhtml", in: try ScratchFolder())
        #expect(opened.sequence.pages.count == 2 && opened.sequence.book.outline.isEmpty)
        #expect(opened.warnings.map(\.code) == ["bad-metadata"])
    }

    /// A page is left out, and its document named.
    @Test(arguments: Attack.allCases)
    func aPageIsLeftOut(_ attack: Attack) async throws {
        let opened = try await book(with: attack.text, as: "item/xhtml/p-0002.xhtml", in: try ScratchFolder())
        #expect(opened.sequence.pages.count == 2)
        let error = await #expect(throws: AdapterError.self) { try await opened.sequence.pages[1].examine() }
        #expect(error?.page == "item/xhtml/p-0002.xhtml")
    }

    /// A spine may name one blank document any number of times.
    @Test func blankPagesAreCountedAsOthersAre() async throws {
        let scratch = try ScratchFolder()
        let made = try await SyntheticEPUB([.init(), .init()], in: scratch)
        let archive = ZipWriter(try OutputFile(at: Destination(path: scratch("blank.epub"))))
        for entry in made.entries {
            var bytes = entry.bytes
            if entry.name == "item/standard.opf" {
                let blank = "<item id='blank' href='blank.xhtml' media-type='application/xhtml+xml'/>"
                let spine = String(repeating: "<itemref idref='blank'/>", count: 20)
                bytes = Array(
                    String(decoding: bytes, as: UTF8.self)
                        .replacing("</manifest>", with: "\(blank)</manifest>")
                        .replacing("</spine>", with: "\(spine)</spine>").utf8)
            }
            try archive.add(entry.name, bytes, compresses: !entry.isStored)
        }
        try archive.add("item/blank.xhtml", Array("<html><body/></html>".utf8), compresses: true)
        try archive.finish()
        let input = Input(path: scratch("blank.epub"))
        let opened = try await EPUBSource().open(input, settings: Settings(), limits: Limits())
        #expect(opened.sequence.pages.count == 2 && opened.skipped.count == 20)
        let error = await #expect(throws: AdapterError.self) {
            try await EPUBSource().open(input, settings: Settings(), limits: Limits(pages: 10))
        }
        #expect(error?.code == .tooLarge)
    }
}
