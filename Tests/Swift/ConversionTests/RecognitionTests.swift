import AdapterKit
import Conversion
internal import PageModel
import Scratch
import Testing

@Suite struct RecognitionTests {
    private func recognized(_ sources: [FakeSource], _ name: String, _ text: String) throws -> String {
        let scratch = try ScratchFolder()
        let probe = try Probe(path: try scratch.write(name, Array(text.utf8)))
        return try Registry(sources: sources, sinks: []).recognize(probe).descriptor.id
    }

    private let pdf = FakeSource(id: "pdf", extensions: ["pdf"], word: "%PDF")
    private let zip = FakeSource(id: "zip", extensions: ["cbz", "zip"], word: "PK")

    @Test func contentBeatsTheName() throws {
        #expect(try recognized([pdf, zip], "book.cbz", "%PDF-1.4") == "pdf")
        #expect(try recognized([pdf, zip], "book.pdf", "PK34") == "zip")
        #expect(try recognized([pdf, zip], "book", "PK34") == "zip")
    }

    @Test func fileNameDecidesIfContentIsAmbiguous() throws {
        let epub = FakeSource(id: "epub", extensions: ["epub"], word: "PK", recognition: .plausible)
        #expect(try recognized([zip, epub], "book.epub", "PK34") == "epub")
        #expect(try recognized([zip, epub], "book.cbz", "PK34") == "zip")
        #expect(try recognized([epub, zip], "book.dat", "PK34") == "zip")
    }

    @Test func theMoreCertainWins() throws {
        let sure = FakeSource(id: "sure", word: "PK", recognition: .maybe(60))
        let unsure = FakeSource(id: "unsure", word: "PK", recognition: .maybe(59))
        #expect(try recognized([unsure, sure], "book", "PK") == "sure")
        #expect(try recognized([sure, unsure], "book", "PK") == "sure")
        // Equal bids: the first of the list.
        let twin = FakeSource(id: "twin", word: "PK", recognition: .maybe(60))
        #expect(try recognized([twin, sure], "book", "PK") == "twin")
    }

    @Test func declinedFormatIsNamedInTheError() throws {
        let zip = FakeSource(id: "zip", extensions: ["zip"], word: "PK", recognition: .declined("a Word document"))
        let error = #expect(throws: AdapterError.self) { try recognized([pdf, zip], "book.zip", "PK") }
        #expect(error?.code == .unsupported)
        #expect(error?.message == "cannot be read: it is a Word document")
        // Another source may know the format.
        let docx = FakeSource(id: "docx", word: "PK", recognition: .maybe(1))
        #expect(try recognized([zip, docx], "book.zip", "PK") == "docx")
    }

    @Test func aNameAloneIsNotEnough() throws {
        let error = #expect(throws: AdapterError.self) { try recognized([pdf, zip], "book.pdf", "hello") }
        #expect(error?.code == .unsupported)
        #expect(error?.message == "unrecognized format")
        #expect(error?.file?.hasSuffix("book.pdf") == true)
        let empty = #expect(throws: AdapterError.self) { try recognized([pdf, zip], "book.pdf", "") }
        #expect(empty?.message == "the file is empty" && empty?.hint == "copy or download it again if you can")
    }

    /// A plug-in that claims a format of jisui's own does not get it, neither by content nor by name.
    @Test(arguments: [["pdf"], ["jpg"], ["pdf", "jpg"], []])
    func builtInSourcesOverridePluginClaims(_ claimed: [String]) throws {
        let picture = FakeSource(id: "picture", extensions: ["jpg"], word: "JPEG", recognition: .plausible)
        let plugin = FakeSource(id: "plugin", extensions: claimed, word: "")
        let scratch = try ScratchFolder()
        func recognized(_ name: String, _ text: String) throws -> String {
            let probe = try Probe(path: try scratch.write(name, Array(text.utf8)))
            return try Registry(sources: [pdf, picture], sinks: [], externalSources: [plugin]).recognize(probe)
                .descriptor.id
        }
        #expect(try recognized("book.pdf", "%PDF-1.4") == "pdf")
        #expect(try recognized("page.jpg", "JPEG") == "picture")
        #expect(try recognized("page.jpeg", "JPEG") == "picture")
        #expect(try recognized("book", "%PDF-1.4") == "pdf")
        // The plug-in gets the files that no other source recognizes.
        #expect(try recognized("book.pdf", "hello") == "plugin")
        let registry = Registry(sources: [pdf, picture], sinks: [], externalSources: [plugin])
        #expect(try registry.source("pdf").descriptor.id == "pdf")
        #expect(try registry.source("plugin").descriptor.id == "plugin")
    }

    /// A format that is kept in a container of another has an extension of its own.
    @Test func pluginWithItsOwnExtensionIsPreferred() throws {
        let plugin = FakeSource(id: "paint", extensions: ["kra"], word: "PK")
        let scratch = try ScratchFolder()
        let registry = Registry(sources: [pdf, zip], sinks: [], externalSources: [plugin])
        func recognized(_ name: String) throws -> String {
            try registry.recognize(try Probe(path: try scratch.write(name, Array("PK34".utf8)))).descriptor.id
        }
        #expect(try recognized("picture.kra") == "paint")
        #expect(try recognized("book.cbz") == "zip")
        #expect(try recognized("book") == "zip")
    }

    @Test func idsAndExtensionsFindAdapters() throws {
        let registry = Registry(sources: [pdf, zip], sinks: [FakeSink()])
        #expect(try registry.source("zip").descriptor.id == "zip")
        #expect(try registry.source("CBZ").descriptor.id == "zip")
        #expect(try registry.sink("memory").descriptor.id == "memory")
        #expect(registry.sink(forExtension: "mem")?.descriptor.id == "memory")
        #expect(registry.sink(forExtension: "pdf") == nil)
        let error = #expect(throws: AdapterError.self) { try registry.source("cb7") }
        #expect(error?.hint == "--from takes pdf, zip")
    }
}
