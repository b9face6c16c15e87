import PageModel
import Testing

@testable import Imaging

/// How much memory a picture may take.
@Suite struct PictureMemoryTests {
    private func fault(_ width: Int, _ height: Int, bits: Int?, maximum: Int = 250_000_000) -> PictureFault? {
        do throws(PictureFault) {
            try PixelSize(width: width, height: height).check(.png, maximumPixels: maximum, bitsPerPixel: bits)
            return nil
        } catch {
            return error
        }
    }

    /// The limit is one of bytes: three a pixel.
    @Test func deepPixelsCountForMore() {
        #expect(fault(15_800, 15_800, bits: 24) == nil)
        #expect(fault(15_800, 15_800, bits: 1) == nil)
        #expect(fault(15_800, 15_800, bits: nil) == nil)
        #expect(fault(15_800, 15_800, bits: 64)?.kind == .tooLarge)
        #expect(fault(15_800, 15_800, bits: 48)?.kind == .tooLarge)
        #expect(fault(15_900, 15_900, bits: 1)?.kind == .tooLarge)
        #expect(fault(15_800, 15_800, bits: 64, maximum: 700_000_000) == nil)
        #expect(fault(.max, .max, bits: 64, maximum: .max)?.kind == nil)
        #expect(fault(15_800, 15_800, bits: 64)?.message.english.contains("--max-pixels") == true)
    }

    /// Small pictures of any depth pass whatever is allowed, as long as their pixels do.
    @Test func smallPicturesPass() {
        #expect(fault(1000, 1000, bits: 64, maximum: 1_000_000) == nil)
        #expect(fault(1000, 1001, bits: 8, maximum: 1_000_000)?.kind == .tooLarge)
        #expect(fault(0, 1, bits: 8)?.kind == .damaged)
    }
}
