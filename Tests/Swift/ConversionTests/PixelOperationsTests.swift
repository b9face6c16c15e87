import AdapterKit
import PageModel
import Testing

@testable import Adjustments
@testable import Conversion
@testable import Planning

/// The operations of a page as one plan.
@Suite struct PixelOperationsTests {
    private let size = PixelSize(width: 8, height: 6)

    /// A plug-in may answer a gray page in color.
    @Test func pageIsMadeGrayAfterAColoringOperation() throws {
        let plain = try #require(PixelOperations(size, .upright, [.change(Gray())], isGray: true))
        #expect(plain.isNoOp)
        let colored = try #require(
            PixelOperations(size, .upright, [.change(OptionalChange()), .change(Gray())], isGray: true))
        #expect(colored.retouches.count == 2)
    }

    /// The result is not larger than the page before the crop.
    @Test func pageThatIsScaledUpAfterACropIsEnlarged() throws {
        let crop = PageEdit.move(.crop(PixelRect(x: 0, y: 0, width: 4, height: 3)))
        func isEnlarged(by frame: FitBox) -> Bool? {
            PixelOperations(size, .upright, [.change(Gray()), crop, .change(Fit(frame: frame))])?.isEnlarged
        }
        #expect(isEnlarged(by: FitBox(width: 8, height: nil, enlarges: true)) == true)
        #expect(isEnlarged(by: FitBox(width: 8, height: nil)) == false)
        #expect(isEnlarged(by: FitBox(width: 2, height: nil, enlarges: true)) == false)
    }

    @Test func omittedOperationIsIgnored() throws {
        let operation = OptionalChange()
        _ = operation.omit()
        #expect(try #require(PixelOperations(size, .upright, [.change(operation)])).isNoOp)
    }

    /// The plan has the operation, so the page has it as well.
    @Test func lateOrientationKeepsOperationsThatWereOmittedSince() throws {
        let operation = OptionalChange()
        let operations = try #require(PixelOperations(size, .upright, [.change(operation)]))
        _ = operation.omit()
        let turned = try #require(operations.oriented(Orientation.upright.rotated(quarters: 1)))
        #expect(turned.retouches.count == 1 && turned.size == PixelSize(width: 6, height: 8))
    }

    @Test func reasonIsGivenOnlyTheFirstTime() {
        let operation = OptionalChange()
        let error = AdapterError(.damaged, "it failed")
        #expect(operation.omit(because: error)?.code == "page-not-changed")
        #expect(operation.omit(because: error) == nil)
    }

    @Test(arguments: [[], [PageEdit.crop(PixelRect(x: 0, y: 0, width: 90, height: 80))]])
    func operationFollowsScaling(_ crop: [PageEdit]) async throws {
        let edits = crop + [.change(WidthMark()), .fit(FitBox(width: 45, height: nil))]
        let size = PixelSize(width: 96, height: 80)
        let operations = try #require(PixelOperations(size, .upright, edits))
        #expect(operations.scaledSource?.width == (crop.isEmpty ? 45 : nil))
        let page = Raster(size: size, format: .gray(bits: 8), samples: [UInt8](repeating: 255, count: size.area))
        let result = try await operations.apply(to: page, beside: NoOtherPages())
        #expect(result.size == operations.size && Set(result.samples) == [45])
    }
}

/// An operation that makes each pixel as light as the image is wide.
private struct WidthMark: PageOperation {
    static let id = "width-mark"

    var note: Note { Note(.operation, ["name": "marked"], text: "marked") }

    var mayFollowScaling: Bool { true }

    func apply(to raster: Raster) -> Raster {
        let level = UInt8(clamping: raster.size.width)
        return Raster(
            size: raster.size, format: raster.format, samples: [UInt8](repeating: level, count: raster.samples.count))
    }
}
