import AdapterKit
import Imaging
import PageModel
import Testing

@testable import Clean

/// Photographs of yellowed pages on a gray table.
@Suite struct PageOnTableTests {
    private struct Photograph: PreviewProvider {
        static let size = PixelSize(width: 960, height: 720)
        static let sheet = PixelRect(x: 150, y: 70, width: 660, height: 510)
        let hasArt: Bool

        private var raster: Raster {
            var samples = [UInt8](repeating: 165, count: 3 * Photograph.size.area)
            func fill(_ rect: PixelRect, _ color: [UInt8]) {
                for y in rect.y..<rect.y + rect.height {
                    for x in rect.x..<rect.x + rect.width {
                        for channel in 0..<3 {
                            samples[3 * (y * Photograph.size.width + x) + channel] = color[channel]
                        }
                    }
                }
            }
            fill(Photograph.sheet, [215, 195, 165])
            for line in 0..<12 {
                for letter in 0..<40 {
                    fill(PixelRect(x: 210 + 13 * letter, y: 130 + 32 * line, width: 3, height: 14), [40, 40, 40])
                }
            }
            if hasArt { fill(PixelRect(x: 300, y: 150, width: 360, height: 200), [190, 60, 50]) }
            return Raster(size: Photograph.size, format: .rgb(bits: 8), samples: samples)
        }

        func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview {
            let shown = try #require(Framing(Photograph.size, edits: page.edits.leadingMoves))
            let raster = DecodedImage(raster: raster).reduced(by: 1, as: meaning).raster.framed(shown)
            return PagePreview(raster: raster, size: raster.size)
        }

        func finding(_ edits: [PageEdit]) async throws -> PaperFinding? {
            let page = Page(id: 1, name: "1", edits: edits) { throw AdapterError(.damaged, "only for looking at") }
            let clean = Clean()
            let settings = try Settings(clean.descriptor.settings, given: ["whiten": "auto"])
            let request = TransformRequest(previews: self, width: 1, isDryRun: false)
            let sequence = PageSequence(book: BookMetadata(), pages: [page])
            return try await clean.apply(to: sequence, settings, request).pages[0].findings[PaperFinding.self]
        }
    }

    /// The whole photograph, and a crop that leaves some of the table at the left.
    private static let views: [[PageEdit]] = [
        [], [.move(.keep(PixelRect(x: 90, y: 70, width: 720, height: 510), of: Photograph.size))],
    ]

    @Test(arguments: views) func theTableIsNotArt(_ edits: [PageEdit]) async throws {
        let finding = try #require(try await Photograph(hasArt: false).finding(edits))
        #expect(finding.remark.english == "whitened: its paper was #d7c3a5")
    }

    @Test(arguments: views) func artOnThePageStays(_ edits: [PageEdit]) async throws {
        let finding = try #require(try await Photograph(hasArt: true).finding(edits))
        #expect(finding.remark.english == "not whitened: it shows art in color")
    }
}
