import PageModel
import Testing

@testable import LayoutAnalysis

/// Pixels that are darker than their surroundings.
@Suite struct StrokesTests {
    private func strokes(_ size: PixelSize, paper: Int = 230, _ dark: [PixelRect], level: UInt8 = 20) -> Strokes {
        var samples = [UInt8](repeating: UInt8(paper), count: size.area)
        for rect in dark {
            for y in rect.y..<rect.y + rect.height {
                for x in rect.x..<rect.x + rect.width { samples[y * size.width + x] = level }
            }
        }
        return Strokes(Raster(size: size, format: .gray(bits: 8), samples: samples))
    }

    private func boxes(_ strokes: Strokes) -> [PixelRect] { strokes.blobs.map(\.box.rect) }

    @Test(arguments: [PixelSize(width: 200, height: 300), PixelSize(width: 129, height: 67)])
    func marksAreFoundWithTheirBoxesAndAreas(_ size: PixelSize) {
        let dark = [
            PixelRect(x: 0, y: 0, width: 3, height: 2), PixelRect(x: 60, y: 20, width: 4, height: 9),
            PixelRect(x: size.width - 1, y: size.height - 1, width: 1, height: 1),
        ]
        let found = strokes(size, dark)
        #expect(boxes(found) == dark)
        #expect(found.blobs.map(\.area) == [6, 36, 1])
        #expect(found.runs.count == 2 + 9 + 1)
        #expect(found.runs.allSatisfy { found.blobs[Int($0.blob)].box.top <= Int($0.row) })
    }

    /// Marks at the corners of each other are one, and those with a pixel between them are not.
    @Test func marksThatTouchAtACornerAreOne() {
        let one = PixelRect(x: 20, y: 20, width: 4, height: 4)
        let size = PixelSize(width: 80, height: 80)
        let found = strokes(size, [one, PixelRect(x: 24, y: 24, width: 3, height: 3)])
        #expect(boxes(found) == [PixelRect(x: 20, y: 20, width: 7, height: 7)])
        #expect(found.blobs[0].area == 25)
        #expect(strokes(size, [one, PixelRect(x: 25, y: 24, width: 3, height: 3)]).blobs.count == 2)
    }

    @Test func paperAndSmallPicturesHaveNoStrokes() {
        for size in [
            PixelSize(width: 0, height: 0), PixelSize(width: 0, height: 9), PixelSize(width: 1, height: 1),
            PixelSize(width: 1, height: 90), PixelSize(width: 70, height: 1), PixelSize(width: 65, height: 63),
        ] {
            #expect(strokes(size, []).blobs.isEmpty && strokes(size, []).runs.isEmpty)
        }
        // Nearly as light as the paper.
        let mark = PixelRect(x: 20, y: 20, width: 2, height: 9)
        #expect(strokes(PixelSize(width: 65, height: 63), [mark], level: 200).blobs.isEmpty)
    }

    /// The part of a band next to paper is darker than its surroundings, and the middle of a broad one is not.
    @Test func onlyTheSidesOfBroadBandsAreStrokes() {
        let size = PixelSize(width: 200, height: 400)
        let thin = PixelRect(x: 0, y: 100, width: 200, height: 3)
        #expect(boxes(strokes(size, [thin])) == [thin])
        let found = boxes(strokes(size, [PixelRect(x: 0, y: 100, width: 200, height: 100)]))
        #expect(found.count == 2)
        #expect(found.first?.y == 100 && found.last.map { $0.y + $0.height } == 200)
        #expect(found.allSatisfy { $0.width == 200 && $0.height < 20 })
    }
}
