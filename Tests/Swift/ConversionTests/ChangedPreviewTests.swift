import AdapterKit
import OrderedWork
import PageModel
import Testing

@testable import Conversion
@testable import Planning

/// Previews of pages whose pixels are changed before they are analyzed.
@Suite struct ChangedPreviewTests {
    /// A page of 61 × 83 pixels. Each pixel differs from its neighbors.
    private func preview(_ edits: [PageEdit]) async throws -> PagePreview {
        let size = PixelSize(width: 61, height: 83)
        let samples = (0..<size.area).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let raster = Raster(size: size, format: .gray(bits: 8), samples: samples)
        let picture = Picture(
            size: size,
            representations: [
                .sampled(
                    SampledPicture(compression: "raw", size: size, format: raster.format) {
                        DecodedImage(raster: raster)
                    })
            ])
        var page = Page(id: 1, name: "page 1") { picture }
        page.edits = edits
        let previewer = PagePreviewer(limits: Limits(), budget: MemoryBudget(bytes: 1 << 30))
        return try await previewer.preview(of: page, pixels: 20, as: .brightness)
    }

    /// The result is the one without a change in between.
    @Test(arguments: [Edit.turn(quarters: 1), .turn(quarters: 2), .turn(quarters: 3), .mirror])
    func pageIsRotatedAfterAChange(_ edit: Edit) async throws {
        let crop = PageEdit.move(.crop(PixelRect(x: 5, y: 9, width: 40, height: 50)))
        let last = PageEdit.move(.crop(PixelRect(x: 3, y: 2, width: 30, height: 31)))
        let plain = try await preview([crop, .move(edit), last])
        let changed = try await preview([crop, .change(OptionalChange()), .move(edit), last])
        #expect(changed.size == plain.size && changed.origin == plain.origin && changed.scale == plain.scale)
        // A rotation of reduced pixels may leave one more of them at an edge.
        let ink = PixelRect(x: 0, y: 0, changed.raster.size)
        #expect(changed.page(ink) == PixelRect(x: 0, y: 0, plain.size))
        #expect(abs(changed.start.x - plain.start.x) < plain.scale.across)
        #expect(abs(changed.start.y - plain.start.y) < plain.scale.down)
    }

    @Test func rotatedPixelsAreThoseOfThePage() async throws {
        for edit in [Edit.turn(quarters: 1), .turn(quarters: 3), .mirror] {
            let plain = try await preview([.move(edit)])
            let changed = try await preview([.change(OptionalChange()), .move(edit)])
            #expect(changed.raster == plain.raster && changed.start == plain.start)
        }
    }

    @Test func laterAnalysesSeeTheChange() async throws {
        let changed = try await preview([.change(OptionalChange(.blackened))])
        #expect(changed.raster.samples.allSatisfy { $0 == 0 })
    }

    @Test func omittedChangesAreNotSeen() async throws {
        let operation = OptionalChange(.blackened)
        _ = operation.omit()
        #expect(try await preview([.change(operation)]).raster == preview([]).raster)
    }
}
