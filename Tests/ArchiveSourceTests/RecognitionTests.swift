import AdapterKit
import ArchiveSource
import Testing

@Suite struct RecognitionTests {
    private func recognise(_ bytes: [UInt8], as name: String = "x.pdf") throws -> Recognition {
        let scratch = try Scratch()
        return ArchiveSource().recognise(try Probe(path: try scratch.file(name, bytes)))
    }

    @Test func zipsByWhatIsInThem() throws {
        #expect(try recognise(ZipBuilder(names: ["1.jpg"]).bytes) == .certain)
        #expect(try recognise(ZipBuilder(names: ["1.txt"]).bytes, as: "x.cbz") == .plausible)
        var behindJunk = ZipBuilder(names: ["1.jpg"])
        behindJunk.prefix = Array("junk".utf8)
        #expect(try recognise(behindJunk.bytes) == .maybe(60))
        #expect(try recognise(Array(ZipBuilder(names: ["1.jpg"]).bytes.dropLast(9))) == .plausible)
    }

    @Test func declinesWhatIsOnlyPackedAsAZip() throws {
        let epub = ZipBuilder.Item("mimetype", Array("application/epub+zip".utf8))
        #expect(try recognise(ZipBuilder([epub, .init("1.jpg")]).bytes) == .declined("an EPUB book"))
        let office = ZipBuilder(names: ["[Content_Types].xml", "1.jpg"]).bytes
        #expect(try recognise(office) == .declined("an Office document"))
        let odf = ZipBuilder.Item("mimetype", Array("application/vnd.oasis.opendocument.text".utf8))
        #expect(try recognise(ZipBuilder([odf]).bytes) == .declined("an OpenDocument file"))
        #expect(try recognise(ZipBuilder(names: ["META-INF/MANIFEST.MF"]).bytes) == .declined("a Java program"))
    }

    @Test(arguments: ["rar4.rar", "rar5.rar", "7zip.7z"]) func othersByTheirSignature(name: String) throws {
        #expect(ArchiveSource().recognise(try Probe(path: fixture("good/\(name)"))) == .certain)
    }

    @Test(arguments: [true, false]) func tarsByTheirChecksum(isUstar: Bool) throws {
        let tar = TarBuilder.bytes([(Array("1.jpg".utf8), picture())], isUstar: isUstar)
        #expect(try recognise(tar) == .certain)
    }

    @Test func nothingElse() throws {
        #expect(try recognise([], as: "x.cbz") == .no)
        #expect(try recognise(picture(), as: "x.cbz") == .no)
        #expect(try recognise(Array("%PDF-1.4".utf8), as: "x.cbr") == .no)
        // Compressed, but no tar.
        #expect(try recognise([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0], as: "x.tgz") == .no)
        #expect(ArchiveSource().recognise(try Probe(path: "/tmp")) == .no)
    }
}
