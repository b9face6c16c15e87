import AdapterKit
import ArchiveSource
internal import PageModel
import Testing

@Suite struct RecognitionTests {
    private func recognize(_ bytes: [UInt8], as name: String = "x.pdf") throws -> Recognition {
        let scratch = try Scratch()
        return ArchiveSource().recognize(try Probe(path: try scratch.file(name, bytes)))
    }

    @Test func zipsAreRecognizedByTheirContent() throws {
        #expect(try recognize(ZipBuilder(names: ["1.jpg"]).bytes) == .certain)
        #expect(try recognize(ZipBuilder(names: ["1.txt"]).bytes, as: "x.cbz") == .plausible)
        var behindJunk = ZipBuilder(names: ["1.jpg"])
        behindJunk.prefix = Array("junk".utf8)
        #expect(try recognize(behindJunk.bytes) == .maybe(60))
        #expect(try recognize(Array(ZipBuilder(names: ["1.jpg"]).bytes.dropLast(9))) == .plausible)
    }

    @Test func otherZipBasedFormatsAreDeclined() throws {
        let epub = ZipBuilder.Item("mimetype", Array("application/epub+zip".utf8))
        #expect(try recognize(ZipBuilder([epub, .init("1.jpg")]).bytes) == .declined("an EPUB book"))
        let office = ZipBuilder(names: ["[Content_Types].xml", "1.jpg"]).bytes
        #expect(try recognize(office) == .declined("an Office document"))
        let odf = ZipBuilder.Item("mimetype", Array("application/vnd.oasis.opendocument.text".utf8))
        #expect(try recognize(ZipBuilder([odf]).bytes) == .declined("an OpenDocument file"))
        #expect(try recognize(ZipBuilder(names: ["META-INF/MANIFEST.MF"]).bytes) == .declined("a Java program"))
    }

    @Test(arguments: ["rar4.rar", "rar5.rar", "7zip.7z"]) func othersByTheirSignature(name: String) throws {
        #expect(ArchiveSource().recognize(try Probe(path: fixture("good/\(name)"))) == .certain)
    }

    @Test(arguments: [true, false]) func tarsByTheirChecksum(isUstar: Bool) throws {
        let tar = TarBuilder.bytes([(Array("1.jpg".utf8), picture())], isUstar: isUstar)
        #expect(try recognize(tar) == .certain)
    }

    @Test func nothingElse() throws {
        #expect(try recognize([], as: "x.cbz") == .no)
        #expect(try recognize(picture(), as: "x.cbz") == .no)
        #expect(try recognize(Array("%PDF-1.4".utf8), as: "x.cbr") == .no)
        // Compressed, but no tar.
        #expect(try recognize([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0], as: "x.tgz") == .no)
        #expect(ArchiveSource().recognize(try Probe(path: "/tmp")) == .no)
    }
}
