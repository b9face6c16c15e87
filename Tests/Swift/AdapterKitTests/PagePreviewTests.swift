import AdapterKit
import PageModel
import Testing

@Suite struct PagePreviewTests {
    private func preview(start: (x: Double, y: Double) = (0, 0)) -> PagePreview {
        PagePreview(
            raster: Raster(
                size: PixelSize(width: 5, height: 4), format: .gray(bits: 8), samples: [UInt8](repeating: 0, count: 20)),
            size: PixelSize(width: 9, height: 8), scale: (2, 2), start: start)
    }

    @Test func aPixelCoversThoseItWasMadeOf() {
        #expect(
            preview().page(PixelRect(x: 1, y: 1, width: 2, height: 1)) == PixelRect(x: 2, y: 2, width: 4, height: 2))
    }

    @Test func nothingLiesBeyondThePage() {
        #expect(
            preview().page(PixelRect(x: 4, y: 0, width: 1, height: 4)) == PixelRect(x: 8, y: 0, width: 1, height: 8))
        #expect(
            preview(start: (-1, 0)).page(PixelRect(x: 0, y: 0, width: 2, height: 1))
                == PixelRect(x: 0, y: 0, width: 3, height: 2))
    }
}
