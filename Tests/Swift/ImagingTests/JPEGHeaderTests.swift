import PageModel
import Testing

@testable import Imaging

@Suite struct JPEGHeaderTests {
    @Test func readsABaselineFrame() throws {
        let bytes = try Fixture.bytes("baseline.jpg")
        let header = try #require(JPEGHeader(bytes))
        #expect(header.frame == .baseline)
        #expect(header.precision == 8)
        #expect(header.size == PixelSize(width: 5, height: 5))
        #expect(
            header.components == [
                .init(id: 1, horizontal: 2, vertical: 2, quantisationTable: 0),
                .init(id: 2, horizontal: 1, vertical: 1, quantisationTable: 1),
                .init(id: 3, horizontal: 1, vertical: 1, quantisationTable: 1),
            ])
        #expect(header.hasJFIF)
        #expect(header.adobeTransform == nil)
        #expect(header.exifOrientation == nil)
        #expect(header.iccProfile == nil)
        #expect(header.resolution == Resolution(72))
        #expect(header.restartInterval == nil)
        let scan = try #require(header.scanOffset)
        #expect(bytes[scan] == 0xFF && bytes[scan + 1] == 0xDA)
    }

    @Test func readsOrientationAndAdobe() throws {
        #expect(try JPEGHeader(Fixture.bytes("orientation-6.jpg"))?.exifOrientation == 6)
        let cmyk = try #require(JPEGHeader(Fixture.bytes("cmyk.jpg")))
        #expect(cmyk.adobeTransform == 0)
        #expect(cmyk.components.map(\.id) == Array("CMYK".utf8).map(Int.init))
    }

    @Test func readsAProgressiveFrameAndItsProfile() throws {
        let header = try #require(JPEGHeader(Fixture.bytes("progressive-icc.jpg")))
        #expect(header.frame == .progressive)
        #expect(header.iccProfile?.count == 628)
        #expect(header.components.map(\.horizontal) == [2, 2, 1])
        #expect(header.components.map(\.vertical) == [2, 2, 1])
    }

    // MARK: Made by hand

    private func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((contents.count + 2) >> 8), UInt8((contents.count + 2) & 255)] + contents
    }

    private func jpeg(_ segments: [UInt8]..., frame: UInt8 = 0xC0) -> [UInt8] {
        [0xFF, 0xD8] + segments.joined() + segment(frame, [8, 0, 2, 0, 3, 1, 1, 0x11, 0])
            + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0, 0xFF, 0xD9]
    }

    private func profile(_ number: UInt8, of count: UInt8, _ contents: [UInt8]) -> [UInt8] {
        segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + contents)
    }

    @Test func profilesComeInPartsInAnyOrder() {
        let bytes = jpeg(profile(2, of: 2, [3, 4]), profile(1, of: 2, [1, 2]))
        #expect(JPEGHeader(bytes)?.iccProfile == [1, 2, 3, 4])
    }

    @Test func incompleteOrContradictoryProfilesAreIgnored() {
        #expect(JPEGHeader(jpeg(profile(2, of: 2, [3, 4])))?.iccProfile == nil)
        #expect(JPEGHeader(jpeg(profile(1, of: 1, [1]), profile(1, of: 1, [1])))?.iccProfile == nil)
        #expect(JPEGHeader(jpeg(profile(1, of: 2, [1]), profile(2, of: 3, [1])))?.iccProfile == nil)
        #expect(JPEGHeader(jpeg(profile(1, of: 1, [1]), profile(2, of: 1, [2])))?.iccProfile == nil)
        #expect(JPEGHeader(jpeg(profile(0, of: 1, [1])))?.iccProfile == nil)
        #expect(JPEGHeader(jpeg(profile(1, of: 0, [1])))?.iccProfile == nil)
    }

    @Test func densityHasUnits() {
        func resolution(_ unit: UInt8) -> Resolution? {
            JPEGHeader(jpeg(segment(0xE0, Array("JFIF\0".utf8) + [1, 2, unit, 0, 100, 0, 50, 0, 0])))?.resolution
        }
        #expect(resolution(1) == Resolution(horizontal: 100, vertical: 50))
        #expect(resolution(2) == Resolution(horizontal: 254, vertical: 127))
        #expect(resolution(0) == nil)
    }

    @Test func exifGivesTheResolutionWhereJFIFDoesNot() {
        var exif: [UInt8] = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 4]
        exif += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0]
        exif += [0x01, 0x1A, 0, 5, 0, 0, 0, 1, 0, 0, 0, 62]
        exif += [0x01, 0x1B, 0, 5, 0, 0, 0, 1, 0, 0, 0, 62]
        exif += [0x01, 0x28, 0, 3, 0, 0, 0, 1, 0, 3, 0, 0]
        exif += [0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 2]
        let header = JPEGHeader(jpeg(segment(0xE1, exif)))
        #expect(header?.exifOrientation == 8)
        #expect(header?.resolution == Resolution(254))
        // An unknown orientation is ignored.
        #expect(JPEGHeader(jpeg(segment(0xE1, exif.patched(at: 24, [0, 9]))))?.exifOrientation == nil)
    }

    @Test func restartIntervalsAndGarbageBetweenSegments() {
        let header = JPEGHeader(jpeg(segment(0xDD, [0, 23]), [0, 1, 2, 0xFF, 0, 0xFF, 0xFF]))
        #expect(header?.restartInterval == 23)
        #expect(JPEGHeader(jpeg(segment(0xDD, [0, 0])))?.restartInterval == nil)
    }

    @Test(arguments: [
        (UInt8(0xC1), JPEGHeader.Frame.extended), (0xC3, .lossless), (0xC9, .arithmeticSequential),
        (0xF7, .nearLossless),
    ])
    func knowsEveryFrame(_ marker: UInt8, _ frame: JPEGHeader.Frame) {
        #expect(JPEGHeader(jpeg(frame: marker))?.frame == frame)
    }

    @Test func huffmanTablesAreNotReadAsFrames() {
        let bytes = jpeg(segment(0xC4, [0]), segment(0xC8, [0]), segment(0xCC, [0]))
        #expect(JPEGHeader(bytes)?.frame == .baseline)
    }

    @Test func invalidFrameIsRejected() {
        #expect(JPEGHeader([0xFF, 0xD8] + segment(0xC0, [8, 0, 2, 0, 3, 1, 1, 0x51, 0])) == nil)
        #expect(JPEGHeader([0xFF, 0xD8] + segment(0xC0, [8, 0, 2, 0, 3, 3, 1, 0x11, 0])) == nil)
        #expect(JPEGHeader([0xFF, 0xD8] + segment(0xC0, [8, 0, 2, 0, 0, 1, 1, 0x11, 0])) == nil)
        #expect(JPEGHeader([0xFF, 0xD8, 0xFF, 0xD9]) == nil)
    }
}
