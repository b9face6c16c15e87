import Imaging
import PageModel
import Scratch
import Testing

/// Metadata that show the image before a lossless change, or point at data after it.
@Suite struct JPEGPreviewTests {
    private static func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((contents.count + 2) >> 8), UInt8(truncatingIfNeeded: contents.count + 2)] + contents
    }

    private static func number(_ value: Int, _ count: Int, isLittle: Bool) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittle ? bytes : bytes.reversed()
    }

    /// An EXIF segment with an orientation, a note of the camera with a preview, and a thumbnail.
    private static func exif(_ thumbnail: [UInt8], isLittle: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { Self.number(value, count, isLittle: isLittle) }
        func long(_ tag: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4)
        }
        let note = Array("note ".utf8) + thumbnail
        let (first, second) = (8 + 2 + 24 + 4, 8 + 2 + 24 + 4 + note.count)
        var tiff = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
        tiff += number(0x0112, 2) + number(3, 2) + number(1, 4) + number(6, 2) + [0, 0]
        tiff += number(0x927C, 2) + number(7, 2) + number(note.count, 4) + number(first, 4) + number(second, 4) + note
        tiff += number(2, 2) + long(0x0201, second + 30) + long(0x0202, thumbnail.count) + number(0, 4) + thumbnail
        return segment(0xE1, Array("Exif\0\0".utf8) + tiff)
    }

    private static func photoshop(_ thumbnail: [UInt8]) -> [UInt8] {
        func resource(_ id: Int, _ data: [UInt8]) -> [UInt8] {
            Array("8BIM".utf8) + [UInt8(id >> 8), UInt8(id & 255), 0, 0] + number(data.count, 4, isLittle: false) + data
                + [UInt8](repeating: 0, count: data.count % 2)
        }
        let all = resource(1028, Array("caption".utf8)) + resource(1036, [UInt8](repeating: 1, count: 28) + thumbnail)
        return segment(0xED, Array("Photoshop 3.0\0".utf8) + all + resource(1060, Array("kept".utf8)))
    }

    private static func xmp(_ inner: String, _ attributes: String = "") -> [UInt8] {
        let text =
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
            + "<rdf:Description xmlns:xap='http://ns.adobe.com/xap/1.0/' \(attributes) xap:CreatorTool='kept > tool'>"
            + "\(inner)</rdf:Description></rdf:RDF></x:xmpmeta>"
        return segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(text.utf8))
    }

    private static func jpeg(_ size: PixelSize, seed: UInt64, isProgressive: Bool = false) throws -> [UInt8] {
        var random = SplitMix(seed: seed)
        let writer = try JPEGWriter(
            size: size, format: .rgb(bits: 8), fidelity: .quality(85), isProgressive: isProgressive)
        try writer.write(SyntheticJPEG.slopes(size, .rgb(bits: 8), &random))
        return try writer.finish()
    }

    private static func has(_ file: [UInt8], _ part: some Collection<UInt8>) -> Bool {
        let part = Array(part)
        return file.indices.contains { file[$0] == part[0] && file[$0...].starts(with: part) }
    }

    private static func has(_ file: [UInt8], _ text: String) -> Bool { has(file, Array(text.utf8)) }

    @Test(arguments: [false, true], [false, true])
    func previewsGoWithACut(isLittle: Bool, isProgressive: Bool) throws {
        let thumbnail = try Self.jpeg(PixelSize(width: 16, height: 16), seed: 9)
        let file = try Self.jpeg(PixelSize(width: 64, height: 48), seed: 1, isProgressive: isProgressive)
        let thumbnails = "<xap:Thumbnails><rdf:Alt><rdf:li>PREVIEW</rdf:li></rdf:Alt></xap:Thumbnails><a>kept</a>"
        let extra =
            Self.segment(0xE0, Array("JFXX\0".utf8) + [0x10] + thumbnail) + Self.exif(thumbnail, isLittle: isLittle)
            + Self.xmp(thumbnails) + Self.photoshop(thumbnail) + Self.segment(0xE5, Array("camera".utf8) + thumbnail)
        let whole = Array(file[..<20]) + extra + file[20...]
        let framing = Framing(PixelSize(width: 64, height: 48)).keeping(PixelRect(x: 16, y: 16, width: 32, height: 32))
        let cut = try JPEGSurgery.cut(whole, to: framing).file
        // The coded data of the thumbnail, beginning with its last table.
        #expect(Self.has(whole, thumbnail.suffix(60)) && !Self.has(cut, thumbnail.suffix(60)))
        #expect(!Self.has(cut, "PREVIEW") && !Self.has(cut, "Thumbnails") && !Self.has(cut, "JFXX"))
        for kept in ["caption", "kept > tool", "<a>kept</a>", "8BIM", "note "] {
            #expect(Self.has(cut, kept), "\(kept)")
        }
        #expect(JPEGHeader(cut)?.exifOrientation == 6)
    }

    @Test func pointersToDataAfterTheImageGo() throws {
        let file = try Self.jpeg(PixelSize(width: 64, height: 48), seed: 1)
        let namespaces =
            "xmlns:C='http://ns.google.com/photos/1.0/container/' xmlns:h='http://ns.adobe.com/hdr-gain-map/1.0/' h:Version='1.0'"
        let extra =
            Self.segment(0xE2, Array("MPF\0MM".utf8))
            + Self.xmp("<C:Directory><rdf:Seq><C:Item/></rdf:Seq></C:Directory>", namespaces)
        let gainMap = try Self.jpeg(PixelSize(width: 16, height: 16), seed: 2)
        let whole = Array(file[..<20]) + extra + file[20...] + gainMap
        let cut = try JPEGSurgery.cut(
            whole, to: Framing(PixelSize(width: 64, height: 48), Orientation(exif: 6) ?? .upright)
        ).file
        for gone in ["MPF", "h:Version", "C:Directory", "C:Item"] { #expect(!Self.has(cut, gone), "\(gone)") }
        #expect(Self.has(cut, "kept > tool"))
        #expect(JPEGTrailer.loss(of: whole)?.english.hasPrefix("left out its gain map, because") == true)
        #expect(JPEGTrailer.loss(of: cut) == nil)
    }

    @Test func dataAfterTheImageAreNamed() throws {
        let file = try Self.jpeg(PixelSize(width: 64, height: 48), seed: 1)
        let other = try Self.jpeg(PixelSize(width: 16, height: 16), seed: 2)
        let video: [UInt8] = [0, 0, 0, 16] + Array("ftypmp42".utf8) + [0, 0, 0, 0]
        func loss(_ tail: [UInt8]) -> String? { JPEGTrailer.loss(of: file + tail)?.english }
        #expect(loss([]) == nil && loss([0, 0, 0, 0]) == nil)
        #expect(loss(other)?.hasPrefix("left out 1 other image, because") == true)
        #expect(loss(other + other)?.hasPrefix("left out 2 other images, because") == true)
        #expect(loss(Array("MotionPhoto_Data".utf8) + video)?.hasPrefix("left out its video, because") == true)
        #expect(loss(other + video)?.hasPrefix("left out 1 other image, its video, because") == true)
        #expect(loss(Array("a trailer".utf8))?.hasPrefix("left out 9 bytes after its end, because") == true)
    }

    /// Cameras split XMP of more than 64 KB into an extension, and put the depth map there.
    @Test(arguments: [("depthmap", "its depth map"), ("image", "the other image in its XMP"), ("audio", "its sound")])
    func dataInXMPAreNamed(_ namespace: String, _ expected: String) throws {
        let file = try Self.jpeg(PixelSize(width: 64, height: 48), seed: 1)
        let declaration = "xmlns:G='http://ns.google.com/photos/1.0/\(namespace)/'"
        let text =
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><a \(declaration) G:Data='\(String(repeating: "QUJD", count: 9))'/>"
        let head = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 48, count: 40)
        // The value continues in the next segment.
        let middle = text.utf8.count - 20
        let parts = [text.utf8.prefix(middle), text.utf8.suffix(20)].flatMap { Self.segment(0xE1, head + Array($0)) }
        let main = Self.xmp(
            "<a>kept</a>", "\(declaration) G:Mime='image/jpeg' xmlns:n='http://ns.adobe.com/xmp/note/' n:E='1'")
        func loss(_ extra: [UInt8]) -> String? { JPEGTrailer.loss(of: file[..<20] + extra + file[20...])?.english }
        #expect(loss(main + parts) == "left out \(expected), because the image was changed")
        #expect(loss(main) == nil && loss(Self.xmp("<a>kept</a>")) == nil)
        let whole = Array(file[..<20]) + main + parts + file[20...]
        let cut = try JPEGSurgery.cut(
            whole, to: Framing(PixelSize(width: 64, height: 48), Orientation(exif: 6) ?? .upright)
        ).file
        #expect(!Self.has(cut, "QUJD") && JPEGTrailer.loss(of: cut) == nil)
    }

    @Test func fileWithoutPreviewsIsUnchanged() throws {
        let file = try Self.jpeg(PixelSize(width: 64, height: 48), seed: 1)
        let extra = Self.xmp("<a>kept</a>") + Self.segment(0xED, Array("Photoshop 3.0\0 and so on".utf8))
        let whole = Array(file[..<20]) + extra + file[20...]
        #expect(JPEGMetadata.removingStaleParts(from: whole) == whole)
    }
}
