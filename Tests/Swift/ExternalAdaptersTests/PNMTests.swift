import PageModel
import Testing

@testable import ExternalAdapters

@Suite struct PNMTests {
    @Test func bitmapsAreTurnedRound() throws {
        let raster = try #require(PNM.raster(Array("P4 # a comment\n10 2\n".utf8) + [0xFF, 0xC0, 0, 0]))
        #expect(raster.size == PixelSize(width: 10, height: 2) && raster.format == .gray(bits: 1))
        #expect(raster.samples == [0, 0x3F, 0xFF, 0xFF])
    }

    @Test func graysAndColorsStay() throws {
        let gray = try #require(PNM.raster(Array("P5\n2 1 255\n".utf8) + [1, 2]))
        #expect(gray.format == .gray(bits: 8) && gray.samples == [1, 2])
        let deep = try #require(PNM.raster(Array("P5 1 1 65535\n".utf8) + [1, 2]))
        #expect(deep.format == .gray(bits: 16) && deep.samples == [1, 2])
        let color = try #require(PNM.raster(Array("P6\n1 1\n255\n".utf8) + [10, 13, 32]))
        #expect(color.format == .rgb(bits: 8) && color.samples == [10, 13, 32])
        for raster in [gray, deep, color] { #expect(PNM.raster(PNM.file(raster)) == raster) }
    }

    @Test(arguments: [
        "", "P", "P5", "P5\n", "P5 1", "P5 1 1", "P5 1 1 255", "P5 1 1 255\n", "P5 1 1 255\nab", "P5 0 1 255\n",
        "P5 1 1 100\na", "P2 1 1 255\n1", "P7\nWIDTH 1", "P5 1000000 1000000 255\na", "P5 999999999999 1 255\na",
        "P4 8 1 255\na",
    ]) func invalidPNMIsRejected(_ text: String) {
        #expect(PNM.raster(Array(text.utf8)) == nil)
    }
}
