import Scratch
import Testing

/// JPEGs that browsers do not show do not go to them as they are, nor to readers of EPUB, which are made of browsers.
@Suite(.needs("djpeg", "cjpeg")) struct RareJPEGTests {
    private let scratch: ScratchFolder
    private let page = "\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg"

    init() throws { scratch = try ScratchFolder() }

    /// Frames begin with the marker FF Cx.
    private func frame(_ path: String) throws -> UInt8? {
        let bytes = try scratch.read(path)
        return zip(bytes, bytes.dropFirst()).first { $0 == 0xFF && [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains($1) }?.1
    }

    /// The coefficients of one that is coded arithmetically are coded as every browser reads them: no pixel changes.
    @Test(arguments: ["", "-progressive"]) func arithmeticCodingIsReplaced(_ option: String) throws {
        let make = "djpeg '\(page)' | cjpeg -arithmetic \(option) > 1.jpg"
        #expect(try Program.outcome(make, in: scratch.path).status == 0)
        #expect([0xC9, 0xCA].contains(try frame("1.jpg")))
        let outcome = try BuiltJisui.run(["1.jpg", "-o", "web/", "--to", "web", "--lossless", "-v"], in: scratch.path)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("few programs read a JPEG of its kind"))
        #expect([0xC0, 0xC1, 0xC2].contains(try frame("web/pages/0001.jpg")))
        let same = try Program.outcome(
            "djpeg 1.jpg > a; djpeg web/pages/0001.jpg > b; cmp a b", in: scratch.path)
        #expect(same.status == 0)
        #expect(try BuiltJisui.run(["1.jpg", "-o", "b.epub", "--lossless", "-q"], in: scratch.path).status == 0)
        let inEPUB = try Program.outcome(
            "unzip -p b.epub '*.jpg' > e.jpg; djpeg e.jpg > c; cmp a c", in: scratch.path)
        #expect(inEPUB.status == 0)
        #expect([0xC0, 0xC1, 0xC2].contains(try frame("e.jpg")))
        // Programs that read comics decode it, as they always did.
        #expect(try BuiltJisui.run(["1.jpg", "-o", "pages/", "-q"], in: scratch.path).status == 0)
        #expect(try scratch.read("pages/0001.jpg") == scratch.read("1.jpg"))
    }

    /// One of 12 bits a sample, which cannot be decoded here, is named and left out.
    @Test func twelveBitsAreNotCopied() throws {
        var bytes = try Files.read(page)
        let place = try #require(zip(bytes, bytes.dropFirst()).enumerated().first { $1 == (0xFF, 0xC0) }?.offset)
        bytes[place + 1] = 0xC1
        bytes[place + 4] = 12
        try scratch.write("in/1.jpg", bytes)
        try scratch.write("in/2.jpg", try Files.read(page))
        let outcome = try BuiltJisui.run(["in", "-o", "web", "--to", "web"], in: scratch.path)
        #expect(outcome.status == 3 && outcome.errorText.contains("1.jpg: skipped"), "\(outcome.errorText)")
        #expect(scratch.names(in: "web/pages") == ["0001.jpg"])
    }
}
