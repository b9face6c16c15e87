import PageModel
import Testing

@testable import Adjustments
@testable import Conversion
@testable import Planning

/// The memory for the work on a page is estimated before it begins.
@Suite struct MemoryEstimateTests {
    private let size = PixelSize(width: 10_000, height: 12_000)

    /// Returns the estimate for changing the pixels of a bilevel page.
    private func memory(for operation: any PageOperation) throws -> Int {
        let picture = SampledPicture(compression: "CCITT G4", size: size, format: .gray(bits: 1)) {
            throw AdapterError(.damaged, "only for planning")
        }
        let operations = try #require(PixelOperations(size, .upright, [.change(operation)]))
        return ChangePixels(.sampled(picture), operations, nil).memory
    }

    @Test func invertedPagesKeepTheirBits() throws {
        // The pixels before and after.
        #expect(try memory(for: Invert()) == 2 * size.area / 8)
        #expect(try memory(for: Levels(black: 0.1)) > size.area)
    }

    @Test func copiesOfTheLargerImageAreCounted() throws {
        // The bilevel page becomes an image of three bytes a pixel, which is held three times.
        #expect(try memory(for: OptionalChange(workingCopies: 2)) == size.area / 8 + 9 * size.area)
    }

    @Test func bytesForEachPixelAreCounted() throws {
        #expect(try memory(for: OptionalChange(workingBytes: 13)) == size.area / 8 + 3 * size.area + 13 * size.area)
        // A bilevel page stays gray.
        #expect(try memory(for: Levels(black: 0.1)) == size.area / 8 + size.area)
    }

    /// A page is fitted by its brightness and in samples of 8 bits.
    @Test func copiesForFittingAreCounted() throws {
        func memory(_ format: PixelFormat, sharpening: Int? = nil) throws -> Int {
            let picture = SampledPicture(compression: "raw", size: size, format: format) {
                throw AdapterError(.damaged, "only for planning")
            }
            let fit = Fit(frame: try #require(FitBox("1000x", enlarges: false)), sharpening: sharpening)
            let operations = try #require(PixelOperations(size, .upright, [.change(fit)]))
            return ChangePixels(.sampled(picture), operations, nil).memory
        }
        let result = size.area / 100
        #expect(try memory(.gray(bits: 1)) == size.area / 8 + size.area + result)
        #expect(try memory(.gray(bits: 16)) == 4 * size.area)
        #expect(try memory(.palette(bits: 4, colors: [])) == size.area / 2 + 4 * size.area + 3 * result)
        // Decoded samples are copied. The copy for sharpening is that of a small page.
        #expect(try memory(.rgb(bits: 8)) == 6 * size.area)
        #expect(try memory(.rgb(bits: 8), sharpening: 50) == 6 * size.area)
    }

    /// Digests are those of all pixels, so that no decoder scales them.
    @Test func pixelsForDigestsAreCounted() throws {
        var picture = EncodedPicture(encoding: .jpeg, size: size, byteCount: 50_000_000, bitsPerPixel: 24) { [] }
        picture.isSequentialJPEG = true
        let fit = Fit(frame: try #require(FitBox("1000x", enlarges: false)))
        let operations = try #require(PixelOperations(size, .upright, [.change(fit)]))
        let parameters = EncodingParameters(EncodingRequest(), own: .jpeg, isLossy: true, formats: nil)
        func memory(needsPixels: Bool) -> Int {
            ChangePixels(.encoded(picture), operations, parameters, needsPixels: needsPixels).memory
        }
        #expect(memory(needsPixels: true) == MemoryEstimate.decoding(.encoded(picture)).total)
        // The file is held once, and beside it the result and some bands.
        let (scaled, target) = (memory(needsPixels: false), PixelSize(width: 1000, height: 1200))
        #expect(scaled > 50_000_000 + 3 * target.area && scaled < 50_000_000 + 40_000_000)
        // A file that is read in portions is not held.
        picture.open = { () throws(AdapterError) in FilePortions([]) }
        #expect(memory(needsPixels: false) == scaled - 50_000_000)
        #expect(memory(needsPixels: true) == MemoryEstimate.decoding(.encoded(picture)).total)
    }

    /// An overlay is laid on coded data, which may take more than the pixels.
    @Test func codedDataUnderAnOverlayAreCounted() {
        func memory(isPatched: Bool) -> Int {
            var picture = EncodedPicture(encoding: .jpeg, size: size, byteCount: 1 << 30) { [] }
            if isPatched { picture.overlay = PictureOverlay("text") }
            return CopyFile(picture: picture, framing: nil).memory
        }
        #expect(memory(isPatched: true) - memory(isPatched: false) == 24 * size.area + (3 << 30))
    }

    /// The parts of a merged page are changed one after the other.
    @Test func copiesForPartsOfAMergedPageAreCounted() throws {
        func memory(_ operation: OptionalChange) throws -> Int {
            let picture = SampledPicture(compression: "raw", size: size, format: .rgb(bits: 8)) {
                throw AdapterError(.damaged, "only for planning")
            }
            let changed = try #require(PixelOperations(size, .upright, [.change(operation)]))
            let whole = PixelSize(width: 2 * size.width, height: size.height)
            let source = PixelSource(name: "part", representations: [(.sampled(picture), changed)])
            return ComposePages(
                pixelSources: [source, source], places: [0, size.width].map { PixelRect(x: $0, y: 0, size) },
                background: RGB(red: 255, green: 255, blue: 255), size: whole,
                changes: try #require(PixelOperations(whole, .upright, [])), parameters: nil
            ).memory
        }
        // Both parts, and one of them with four copies.
        #expect(try memory(OptionalChange(workingCopies: 4)) == 3 * size.area * (2 + 5))
        #expect(try memory(OptionalChange()) < 3 * size.area * (2 + 5))
    }
}
