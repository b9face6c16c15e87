import Glibc
import PageModel
import Testing

@testable import Trim

/// The sides of panels, which show whether a comic slants.
@Suite struct FrameEdgeTests {
    /// The runs of panels whose sides have an angle.
    private func runs(_ degrees: Double, panels: Int = 3) -> [(row: Int, start: Int, end: Int)] {
        (0..<800).flatMap { row in
            (0..<panels).map { panel in
                let shift = Int((Double(row) * tan(degrees * .pi / 180)).rounded())
                return (row: row, start: 40 + 190 * panel + shift, end: 200 + 190 * panel + shift)
            }
        }
    }

    @Test(arguments: [-1.0, -0.4, 0, 0.6]) func anglesOfPanelsAreMeasured(_ degrees: Double) {
        let edges = FrameEdges(runs(degrees), width: 700, unit: 1).edges
        #expect(edges.count == 6 && edges.allSatisfy { abs($0.degrees - degrees) < 0.02 && $0.length == 800 })
    }

    @Test func levelPanelsContradictASkew() {
        let level = FrameEdges(runs(0), width: 700, unit: 1)
        #expect(level.contradict(0.4, isArt: false) && level.contradict(-0.9, isArt: true))
        #expect(!level.contradict(0.05, isArt: true))
    }

    @Test func slantingPanelsConfirmTheirSkew() {
        let slanting = FrameEdges(runs(0.6), width: 700, unit: 1)
        #expect(!slanting.contradict(0.55, isArt: true) && slanting.confirm(0.55))
        #expect(!slanting.confirm(-0.6) && !FrameEdges(runs(0), width: 700, unit: 1).confirm(0.4))
        #expect(slanting.contradict(-0.6, isArt: true))
        // Lines of text need no panels.
        #expect(!slanting.contradict(-0.6, isArt: false))
    }

    @Test func shortEdgesShowNothing() {
        let short = FrameEdges(Array(runs(0).prefix(60 * 3)), width: 700, unit: 1)
        #expect(short.edges.isEmpty && !short.contradict(1, isArt: true))
    }

    @Test("Lettering that slants does not rotate a comic whose panels are level")
    func levelComicIsNotRotated() async throws {
        var page = SyntheticPage.clean()
        for top in [40, 460] {
            page.fill(PixelRect(x: 40, y: top, width: 540, height: 380), 0)
            page.fill(PixelRect(x: 44, y: top + 4, width: 532, height: 372), 255)
            page.text(PixelRect(x: 80, y: top + 30, width: 460, height: 320), slope: 0.02)
        }
        let result = try await SyntheticBook([page]).trimmed(["deskew": "true"])[0]
        #expect(result.layout?.isDeskewed == false && result.edits.isEmpty)
    }
}
