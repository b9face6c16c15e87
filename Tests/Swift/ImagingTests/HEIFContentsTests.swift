import Imaging
import PageModel
import Scratch
import Testing

/// The images that AVIF and HEIF files list, in files made of boxes without coded data.
@Suite struct HEIFContentsTests {
    private static func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private static func box(_ type: String, _ contents: [UInt8]...) -> [UInt8] {
        let all = contents.flatMap(\.self)
        return big(8 + all.count) + Array(type.utf8) + all
    }

    private static func item(_ id: Int, _ type: String = "av01", isHidden: Bool = false) -> [UInt8] {
        box("infe", [2, 0, 0, isHidden ? 1 : 0], big(id, 2), [0, 0], Array(type.utf8), [0])
    }

    private static func reference(_ type: String, _ from: Int, to ids: [Int]) -> [UInt8] {
        box(type, big(from, 2), big(ids.count, 2), ids.flatMap { big($0, 2) })
    }

    private static func file(_ items: [[UInt8]], _ references: [[UInt8]] = [], more: [UInt8] = [], movie: [UInt8] = [])
        -> [UInt8]
    {
        let type = box("ftyp", Array("avif".utf8), [0, 0, 0, 0], Array("mif1".utf8))
        let list = box("iinf", [0, 0, 0, 0], big(items.count, 2), items.flatMap(\.self))
        let meta = box(
            "meta", [0, 0, 0, 0], box("pitm", [0, 0, 0, 0], big(1, 2)), list,
            box("iref", [0, 0, 0, 0], references.flatMap(\.self)), more)
        return type + meta + movie
    }

    @Test func stillImagesAreCounted() {
        #expect(PictureCount.pictures(in: Self.file([Self.item(1)])) == 1)
        #expect(PictureCount.pictures(in: Self.file([Self.item(1), Self.item(2, "hvc1"), Self.item(3, "grid")])) == 3)
        #expect(
            PictureCount.pictures(in: Self.file([Self.item(1), Self.item(2, isHidden: true), Self.item(3, "Exif")]))
                == 1)
        let parts = [Self.reference("thmb", 2, to: [1]), Self.reference("auxl", 3, to: [1])]
        #expect(PictureCount.pictures(in: Self.file([Self.item(1), Self.item(2), Self.item(3)], parts)) == 1)
        let tiles = [Self.reference("dimg", 1, to: [2, 3, 4])]
        let grid = Self.file([Self.item(1, "grid"), Self.item(2), Self.item(3), Self.item(4)], tiles)
        #expect(PictureCount.pictures(in: grid) == 1)
        let group = Self.box(
            "grpl", Self.box("altr", [0, 0, 0, 0], Self.big(9), Self.big(2), Self.big(1), Self.big(2)))
        #expect(PictureCount.pictures(in: Self.file([Self.item(1), Self.item(2)], more: group)) == 1)
    }

    @Test func framesAreCounted() {
        func track(_ handler: String, _ count: Int) -> [UInt8] {
            let sizes = Self.box("stsz", [0, 0, 0, 0], Self.big(0), Self.big(count))
            let handler = Self.box("hdlr", [0, 0, 0, 0], Self.big(0), Array(handler.utf8))
            return Self.box("trak", Self.box("mdia", handler, Self.box("minf", Self.box("stbl", sizes))))
        }
        let movie = Self.box("moov", track("pict", 5), track("auxv", 7))
        #expect(PictureCount.pictures(in: Self.file([Self.item(1)], movie: movie)) == 5)
    }

    @Test func cleanApertureAndRotationGiveTheSize() {
        func property(_ type: String, _ numbers: [Int]) -> [UInt8] { Self.box(type, numbers.flatMap { Self.big($0) }) }
        let list = Self.box(
            "ipco", property("ispe", [0, 200, 100]), property("clap", [100, 1, 51, 1, -20, 1, 1, 2]),
            Self.box("irot", [1]))
        let places = Self.box("ipma", [0, 0, 0, 0], Self.big(1), Self.big(1, 2), [3, 1, 0x82, 3])
        let file = Self.file([Self.item(1)], more: Self.box("iprp", list, places))
        #expect(PictureHeader(file)?.size == PixelSize(width: 51, height: 100))
    }

    /// An animation that cjxl makes. Only the decoder can count its frames.
    @Test func framesOfJPEGXLAreCounted() throws {
        let file = try ReferenceTool.output(
            "mv in in.png && cjxl in.png out.jxl --quiet 2> /dev/null", try Fixture.bytes("animated.png"), as: ".jxl")
        #expect(try PictureDecoder.decode(file, .jpegXL, maximumPixels: 1_000_000).pictureCount == 3)
        let still = try ReferenceTool.output(
            "mv in in.png && cjxl in.png out.jxl --quiet 2> /dev/null", try Fixture.bytes("gray.png"), as: ".jxl")
        #expect(try PictureDecoder.decode(still, .jpegXL, maximumPixels: 1_000_000).pictureCount == 1)
    }
}
