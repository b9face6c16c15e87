import PageModel
import Testing

@testable import LayoutAnalysis

@Suite struct TablePhotographTests {
    private static let cover = PixelRect(x: 60, y: 60, width: 330, height: 420)

    /// A dark cover on a gray table, as ink and as brightness.
    private func cover(withChart: Bool) -> (ink: Raster, brightness: Raster) {
        var (ink, brightness) = (
            SyntheticPicture(800, 600, paper: 165, grain: 3), SyntheticPicture(800, 600, paper: 165, grain: 3)
        )
        for fill in [Self.cover, PixelRect(x: 560, y: 0, width: 22, height: 600)] {
            ink.fill(fill, 30)
            brightness.fill(fill, 50)
        }
        if withChart {
            // A yellow and a magenta patch: much ink, and bright.
            ink.fill(480, 200, 60, 120, 20)
            brightness.fill(480, 200, 60, 120, 200)
        }
        return (ink.raster, brightness.raster)
    }

    @Test func aDarkCoverBesideAColorChartIsFound() throws {
        let (ink, brightness) = cover(withChart: true)
        #expect(TablePhotograph.isPossible(ink))
        let box = try #require(TablePhotograph(ink: ink, brightness: brightness)?.box(in: ink.size))
        #expect(Bounds(Self.cover).contains(box))
        #expect(box.width > 310 && box.height > 400)
    }

    /// It may be a photograph in a book.
    @Test func aDarkPictureWithoutAColorChartIsNotACover() {
        let (ink, brightness) = cover(withChart: false)
        #expect(TablePhotograph(ink: ink, brightness: brightness) == nil)
    }

    @Test(arguments: [1, 2, 3, 30])
    func aTinyImageIsNotAPhotograph(_ side: Int) {
        let raster = SyntheticPicture(side, 2 * side, paper: 165).raster
        _ = TablePhotograph.isPossible(raster)
        #expect(TablePhotograph(ink: raster, brightness: raster) == nil)
    }

    @Test func whitePaperIsNotATable() {
        #expect(!TablePhotograph.isPossible(SyntheticPicture(600, 800, paper: 240, grain: 3).raster))
    }

    @Test func everythingBesideThePageBecomesPaper() throws {
        var picture = SyntheticPicture(800, 600, paper: 165, grain: 3)
        picture.fill(120, 80, 560, 420, 220)
        picture.fill(0, 540, 800, 20, 240)
        let raster = picture.raster
        let table = try #require(TablePhotograph(ink: raster, brightness: raster))
        #expect(table.page(in: raster).samples.allSatisfy { $0 == 220 })
    }
}
