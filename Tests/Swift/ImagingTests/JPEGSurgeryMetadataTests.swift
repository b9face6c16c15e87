import Imaging
import PageModel
import Scratch
import Testing

@Suite struct JPEGSurgeryMetadataTests {
    private static let size = PixelSize(width: 48, height: 32)

    private static func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((contents.count + 2) >> 8), UInt8(truncatingIfNeeded: contents.count + 2)] + contents
    }

    /// An EXIF segment with an orientation between two other tags.
    private static func exif(_ orientation: Int, isLittle: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isLittle ? bytes : bytes.reversed()
        }
        func short(_ tag: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
        }
        let tiff = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
        let entries = [short(0x0100, 48), short(0x0112, orientation), short(0x0128, 2)].flatMap(\.self)
        return Self.segment(0xE1, Array("Exif\0\0".utf8) + tiff + number(3, 2) + entries + number(0, 4))
    }

    /// A JPEG with all metadata that a file may contain, after the segments that libjpeg writes.
    private static func file(_ extra: [[UInt8]], isProgressive: Bool = false) throws -> [UInt8] {
        var random = SplitMix(seed: 5)
        let format = PixelFormat.rgb(bits: 8)
        let writer = try JPEGWriter(
            size: size, format: format, fidelity: .quality(85), isProgressive: isProgressive,
            resolution: Resolution(horizontal: 300, vertical: 150))
        try writer.write(SyntheticJPEG.slopes(size, format, &random))
        let file = try writer.finish()
        return Array(file[..<20]) + extra.flatMap(\.self) + file[20...]
    }

    private static func has(_ file: [UInt8], _ part: [UInt8]) -> Bool {
        file.indices.contains { file[$0] == 0xFF && file[$0...].starts(with: part) }
    }

    private static let profile = [UInt8](repeating: 0x5A, count: 300)
    private static let comment = segment(0xFE, Array("drawn by hand".utf8))
    private static let other = segment(0xED, Array("Photoshop 3.0\0 and so on".utf8))
    private static let xmp = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
    private static let adobe = segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])

    @Test(arguments: [false, true]) func allMetadataIsKept(_ isProgressive: Bool) throws {
        let segments = [Self.exif(1, isLittle: true), Self.comment, Self.xmp, Self.other, Self.adobe]
        let source = JPEGMetadata.inserting(
            profile: Self.profile, into: try Self.file(segments, isProgressive: isProgressive))
        for exif in 1...8 {
            let framing = Framing(Self.size, try #require(Orientation(exif: exif)))
            let file = try JPEGSurgery.cut(source, to: framing).file
            let header = try #require(JPEGHeader(file))
            for part in segments { #expect(Self.has(file, part), "\(exif) \(part.prefix(20))") }
            #expect(header.iccProfile == Self.profile)
            #expect(header.adobeTransform == 1)
            #expect(header.hasJFIF)
            let resolution = Resolution(horizontal: 300, vertical: 150)
            #expect(header.resolution == (exif > 4 ? resolution.rotated(quarters: 1) : resolution))
            #expect(header.frame == (isProgressive ? .progressive : .baseline))
            #expect(header.size == framing.full)
            // Nothing is stored twice.
            #expect(file.count - (try JPEGSurgery.cut(try Self.file([]), to: framing).file.count) < 700)
        }
    }

    @Test func missingMetadataIsNotAdded() throws {
        // Without JFIF: what libjpeg says first is 20 bytes long.
        let plain = try Self.file([])
        let bare = Array(plain[..<2]) + plain[20...]
        let header = try #require(JPEGHeader(try JPEGSurgery.cut(bare, to: Framing(Self.size)).file))
        #expect(!header.hasJFIF)
        #expect(header.adobeTransform == nil)
        #expect(header.resolution == nil)
        #expect(header.exifOrientation == nil)
        let adobe = Array(plain[..<2]) + Self.adobe + plain[20...]
        let marked = try JPEGSurgery.cut(adobe, to: Framing(Self.size)).file
        #expect(JPEGHeader(marked)?.adobeTransform == 1)
        #expect(JPEGHeader(marked)?.hasJFIF == false)
    }

    @Test(arguments: 1...8, [true, false])
    func anOrientationThatWasCarriedOutIsReset(_ exif: Int, _ isLittle: Bool) throws {
        let source = try Self.file([Self.exif(exif, isLittle: isLittle), Self.comment])
        #expect(JPEGHeader(source)?.exifOrientation == exif)
        let turned = try JPEGSurgery.cut(source, to: Framing(Self.size, try #require(Orientation(exif: exif)))).file
        #expect(JPEGHeader(turned)?.exifOrientation == 1)
        // All else in the segment stays.
        #expect(Self.has(turned, Self.exif(1, isLittle: isLittle)))
        // A cut alone leaves the picture as it lies.
        let rect = PixelRect(x: 16, y: 16, width: 20, height: 10)
        let cut = try JPEGSurgery.cut(source, to: Framing(Self.size).keeping(rect)).file
        #expect(JPEGHeader(cut)?.exifOrientation == exif)
    }

    @Test func firstPieceProvidesTheMetadata() throws {
        let one = try Self.file([Self.comment])
        let two = try Self.file([Self.other], isProgressive: true)
        let pieces = [
            JPEGSurgery.Piece(file: one, framing: Framing(Self.size)),
            JPEGSurgery.Piece(file: two, framing: Framing(Self.size), x: 48),
        ]
        let joined = try JPEGSurgery.compose(pieces, size: PixelSize(width: 96, height: 32)).file
        #expect(Self.has(joined, Self.comment))
        #expect(!Self.has(joined, Self.other))
        #expect(JPEGHeader(joined)?.frame == .baseline)
    }

    /// A file that only few programs can decode becomes one that all can read; restart markers are removed.
    @Test(.needs("cjpeg"), arguments: ["", "-progressive"])
    func arithmeticCodingIsNotKept(_ option: String) throws {
        let pixels = [UInt8](repeating: 77, count: 3 * Self.size.area)
        let source = try ReferenceTool.output(
            "cjpeg -arithmetic -restart 1B \(option) -outfile out in", Array("P6 48 32 255\n".utf8) + pixels, as: "")
        #expect(JPEGHeader(source)?.restartInterval == 1)
        let cut = try #require(JPEGHeader(try JPEGSurgery.cut(source, to: Framing(Self.size)).file))
        #expect(cut.frame == (option.isEmpty ? .baseline : .progressive))
        #expect(cut.restartInterval == nil)
    }
}
