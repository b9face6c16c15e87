import AdapterKit
import ComicSink
import PageModel
import Scratch
import Testing

@Suite struct ArchiveTests {
    @Test(
        .needs("7z"),
        arguments: [CB7Sink(), CBTSink()] as [any SinkAdapter])
    func sevenZipReadsIt(_ sink: any SinkAdapter) async throws {
        let scratch = try ScratchFolder()
        try await Sample.write(sink, (1...12).map { Sample.page($0) }, to: scratch("a.\(sink.descriptor.id)"))
        #expect(Program.run("7z x -o'\(scratch("out"))' '\(scratch("a.\(sink.descriptor.id)"))'") == 0)
        #expect(scratch.names(in: "out").count == 13)
        #expect(try scratch.read("out/0012.jpg") == Array("picture 12".utf8))
        #expect(try scratch.read("out/ComicInfo.xml").starts(with: Array("<?xml".utf8)))
    }

    /// Okular knows LZMA2 in a 7z archive, and did not know "copy" before 2025; nothing stands behind the archive's end.
    @Test(.needs("7z"))
    func aCB7IsLZMA2AndEndsWhereItEnds() async throws {
        let scratch = try ScratchFolder()
        let pages = (0...4).map { Sample.page($0 + 1, bytes: [UInt8](repeating: 7, count: $0 * 65_536 + $0 % 2)) }
        try await Sample.write(CB7Sink(), pages, to: scratch("a.cb7"))
        let listing = try Program.outcome("7z l -slt '\(scratch("a.cb7"))'").outputText
        let methods = Set(listing.split(separator: "\n").filter { $0.hasPrefix("Method = ") })
        #expect(methods.contains("Method = LZMA2:16"))
        #expect(!methods.contains { $0.lowercased().contains("copy") })
        let outcome = try Program.outcome("7z t '\(scratch("a.cb7"))'")
        #expect(outcome.status == 0)
        #expect(outcome.outputText.contains("Everything is Ok"))
        #expect(!outcome.outputText.uppercased().contains("WARNING"))
        #expect(Program.run("7z x -o'\(scratch("out"))' '\(scratch("a.cb7"))'") == 0)
        for (index, page) in pages.enumerated() {
            #expect(try scratch.read("out/000\(index + 1).jpg") == page.pictureBytes)
        }
    }

    @Test(.needs("tar"))
    func tarReadsIt() async throws {
        let scratch = try ScratchFolder()
        try await Sample.write(CBTSink(), [Sample.page(1), Sample.page(2)], to: scratch("a.cbt"))
        let names = "$(tar -tf '\(scratch("a.cbt"))' | tr '\\n' ' ')"
        #expect(Program.run("test \"\(names)\" = '0001.jpg 0002.jpg ComicInfo.xml '") == 0)
    }

    /// The same book gives the same bytes, at another time and place.
    @Test(arguments: [CBZSink(), CB7Sink(), CBTSink()] as [any SinkAdapter])
    func theBytesAreDetermined(_ sink: any SinkAdapter) async throws {
        let scratch = try ScratchFolder()
        let book = BookMetadata(title: "本", authors: ["甲", "乙"], outline: [OutlineItem(title: "一", page: 2, level: 0)])
        let pages = (1...3).map { Sample.page($0, bytes: [UInt8](repeating: UInt8($0), count: 70_000)) }
        try await Sample.write(sink, pages, to: scratch("first"), book: book)
        #expect(Program.run("sleep 1.1") == 0)
        try await Sample.write(sink, pages, to: scratch("second"), book: book)
        #expect(try scratch.read("first") == scratch.read("second"))
    }

    @Test func anEmptyPageIsWritten() async throws {
        let scratch = try ScratchFolder()
        for sink in [CBZSink(), CB7Sink(), CBTSink()] as [any SinkAdapter] {
            try await Sample.write(sink, [Sample.page(1, bytes: [])], to: scratch(sink.descriptor.id))
            #expect(Program.run("! command -v 7z || 7z t '\(scratch(sink.descriptor.id))'") == 0)
        }
    }
}
