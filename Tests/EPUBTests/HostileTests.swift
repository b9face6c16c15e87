import AdapterKit
import PageModel
import Scratch
import Testing
import ZipFile

@testable import EPUBSink
@testable import EPUBSource

/// XML made to do harm, in the documents of an EPUB.
@Suite struct EPUBHostileTests {
    private static let laughs =
        "<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>]><a>&c;</a>"
    private static let outside = "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>"
    private static let deep = String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
    private static let large = "<a b='\(String(repeating: "x", count: 20 << 20))'/>"

    /// An EPUB of one page in which one document is another.
    private func book(with text: String, as name: String, in scratch: ScratchFolder) async throws -> OpenedBook {
        let made = try await MadeEPUB([.init(), .init()], in: scratch)
        let archive = ZipWriter(try OutputFile(at: Destination(path: scratch("hostile.epub"))))
        for entry in made.entries {
            try archive.add(
                entry.name, entry.name == name ? Array(text.utf8) : entry.bytes, compresses: !entry.isStored)
        }
        try archive.finish()
        return try await EPUBSource().open(
            Input(path: scratch("hostile.epub")), settings: Settings(), limits: Limits())
    }

    @Test(arguments: ["META-INF/container.xml", "item/standard.opf"], [laughs, outside, deep, large])
    func theBookIsRefused(_ name: String, _ text: String) async throws {
        let scratch = try ScratchFolder()
        let error = await #expect(throws: AdapterError.self) { try await book(with: text, as: name, in: scratch) }
        #expect(error?.message.hasPrefix("\(name) ") == true && error?.message.contains("\n") == false)
    }

    @Test(arguments: [laughs, outside, deep, large])
    func theBookIsReadWithoutItsTableOfContents(_ text: String) async throws {
        let opened = try await book(
            with: text, as: "item/navigation-documents.xhtml", in: try ScratchFolder())
        #expect(opened.sequence.pages.count == 2 && opened.sequence.book.outline.isEmpty)
        #expect(opened.warnings.map(\.code) == ["bad-metadata"])
    }

    /// A page is left out, and its document named.
    @Test(arguments: [laughs, outside, deep, large])
    func aPageIsLeftOut(_ text: String) async throws {
        let opened = try await book(with: text, as: "item/xhtml/p-0002.xhtml", in: try ScratchFolder())
        #expect(opened.sequence.pages.count == 2)
        let error = await #expect(throws: AdapterError.self) { try await opened.sequence.pages[1].examine() }
        #expect(error?.page == "item/xhtml/p-0002.xhtml")
    }
}
