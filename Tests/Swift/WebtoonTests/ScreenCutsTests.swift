import Scratch
import Testing

@testable import Imaging
@testable import Webtoon

/// The places where a long image is cut.
@Suite struct ScreenCutsTests {
    /// The ends of the pages of rows; `panels` are loud, and the other rows have one color.
    private func ends(
        _ count: Int, panels: [Range<Int>], noise: UInt8 = 200, maximum: Int, unit: Int = 1
    ) -> [ScreenCuts.Piece] {
        var rows = [UInt8](repeating: 0, count: count)
        for panel in panels { for row in panel { rows[row] = noise } }
        return ScreenCuts(rows: rows, maximum: maximum) { $0.isMultiple(of: unit) }.pieces
    }

    @Test func aPageEndsInTheMiddleOfTheLastBandInReach() {
        let pieces = ends(310, panels: [10..<40, 50..<80, 100..<140, 150..<280, 300..<310], maximum: 150)
        #expect(pieces.map(\.rows) == [0..<145, 145..<290, 290..<310])
        #expect(pieces.allSatisfy { !$0.cutsArtwork })
        // The quiet rows at the end need no page of their own.
        #expect(ends(300, panels: [10..<140, 150..<290], maximum: 150).map(\.rows) == [0..<150, 150..<300])
    }

    /// It is moved within the band, so that the panel below it stays whole.
    @Test func aPanelThatFitsIsNotCut() {
        let pieces = ends(240, panels: [0..<60, 100..<199, 210..<240], maximum: 100)
        #expect(pieces.map(\.rows) == [0..<99, 99..<199, 199..<240])
        // Rows of one color alone fill the page that the panel would not fit below.
        let long = ends(400, panels: [0..<60, 250..<349], maximum: 100)
        #expect(long.map(\.rows) == [0..<100, 100..<200, 200..<249, 249..<349, 349..<400])
        #expect(long.allSatisfy { !$0.cutsArtwork })
    }

    @Test func onlyAHigherPanelIsCut() {
        let pieces = ends(500, panels: [20..<420, 440..<480], maximum: 100)
        #expect(pieces.map(\.cutsArtwork) == [true, true, true, true, false])
        #expect(pieces.map(\.rows.count) == [100, 100, 100, 100, 100])
    }

    /// A gradient has no edge, but rows of one color come before it.
    @Test func aGradientIsTheSecondChoice() {
        var rows = [UInt8](repeating: 90, count: 200)
        for row in 70..<80 { rows[row] = 4 }
        let cuts = ScreenCuts(rows: rows, maximum: 100) { _ in true }
        #expect(cuts.pieces.first == ScreenCuts.Piece(rows: 0..<75))
        for row in 20..<30 { rows[row] = 0 }
        let better = ScreenCuts(rows: rows, maximum: 100) { _ in true }
        #expect(better.pieces.first == ScreenCuts.Piece(rows: 0..<25))
    }

    @Test func cutsAreOnTheGridOfAJPEGIfTheBandReachesIt() {
        #expect(ends(300, panels: [0..<90, 110..<300], maximum: 120, unit: 8).first?.rows == 0..<96)
        #expect(ends(300, panels: [0..<97, 101..<300], maximum: 120, unit: 16).first?.rows == 0..<99)
    }

    /// The last page joins the two before it if they fit on two pages. Otherwise the last two become alike.
    @Test func theLastPageIsNoSliver() {
        let joined = ends(210, panels: [0..<95, 100..<125, 135..<155, 165..<205], maximum: 100)
        #expect(joined.map(\.rows) == [0..<97, 97..<160, 160..<210])
        let alike = ends(206, panels: [0..<98, 100..<140, 150..<195, 201..<205], maximum: 100)
        #expect(alike.map(\.rows) == [0..<99, 99..<145, 145..<206])
        let artwork = ends(205, panels: [0..<205], maximum: 100)
        #expect(artwork.map(\.rows.count) == [100, 80, 25] && artwork.map(\.cutsArtwork) == [true, true, false])
        // A panel of the screen's height stays whole.
        #expect(ends(110, panels: [0..<98, 102..<110], maximum: 100).map(\.rows) == [0..<100, 100..<110])
    }

    @Test func noRowIsLostOrDoubledAndNoPageIsHigherThanTheScreen() {
        var random = SplitMix(seed: 7)
        for _ in 0..<300 {
            let count = Int.random(in: 1...400, using: &random)
            var rows: [UInt8] = []
            while rows.count < count {
                let level = ([0, 0, 5, 120, 200] as [UInt8]).randomElement(using: &random) ?? 0
                rows += [UInt8](repeating: level, count: Int.random(in: 1...60, using: &random))
            }
            let maximum = Int.random(in: 1...120, using: &random)
            let unit = [1, 8, 16].randomElement(using: &random) ?? 1
            let pieces = ScreenCuts(rows: rows, maximum: maximum) { $0.isMultiple(of: unit) }.pieces
            #expect(pieces.first?.rows.lowerBound == 0 && pieces.last?.rows.upperBound == rows.count)
            #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.rows.upperBound == $1.rows.lowerBound })
            #expect(pieces.allSatisfy { (1...maximum).contains($0.rows.count) })
            // A cut through artwork is made only without a quiet row in reach.
            for piece in pieces where piece.cutsArtwork {
                let content = piece.rows.first { rows[$0] > RowActivity.quiet } ?? piece.rows.upperBound
                let reach = min(rows.count - 1, piece.rows.lowerBound + maximum)
                let quiet = (content + 1...max(content + 1, reach)).filter { row in
                    row < rows.count && min(rows[row - 1], rows[row]) <= RowActivity.quiet
                }
                #expect(quiet.isEmpty)
            }
        }
    }
}
