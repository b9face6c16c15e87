import AdapterKit
import PageModel
import Scratch
import Testing

@testable import Spreads

/// Folds of books that were photographed at an angle.
@Suite struct SlantedFoldTests {
    /// Two text blocks that slant with the fold between them.
    private static func spread(_ slope: Double) -> SyntheticSpread {
        var spread = SyntheticSpread(width: 900, height: 640)
        for top in stride(from: 60, to: 580, by: 12) {
            let shift = Int((slope * (Double(top) - 320)).rounded())
            spread.text(60 + shift..<400 + shift, top..<top + 8)
            spread.text(500 + shift..<840 + shift, top..<top + 8)
        }
        return spread
    }

    @Test(arguments: [-0.1, -0.07, 0.07, 0.1]) func aSteepFoldIsFoundWithItsSlope(_ slope: Double) {
        var shaded = Self.spread(slope)
        shaded.shade(446, depth: 40, reach: 2, slope: slope)
        let line = Fold(shaded.raster)
        #expect(line.evidence == .line && abs(line.place - 446.5 / 900) < 0.01, "\(line)")
        #expect(abs(line.slope - slope) < 0.015, "\(line)")
        let gap = Fold(Self.spread(slope).raster)
        #expect(gap.evidence == .gap && abs(gap.place - 0.5) < 0.015, "\(gap)")
        #expect(abs(gap.slope - slope) < 0.04, "\(gap)")
    }

    @Test func anUprightFoldHasNoSteepSlope() {
        var spread = Self.spread(0)
        #expect(abs(Fold(spread.raster).slope) < FoldLimits.Search.maximumSlope)
        spread.shade(440, depth: 40, reach: 2)
        #expect(abs(Fold(spread.raster).slope) < 0.01)
    }

    private func pages(_ slope: Double, _ given: [String: String] = [:]) async throws -> [Page] {
        var book = SyntheticSequence([PixelSize(width: 900, height: 640)])
        var spread = Self.spread(slope)
        spread.shade(450, depth: 40, reach: 2, slope: slope)
        book.looks[1] = spread.raster
        return try await book.made(given.merging(["spreads": "split"]) { $1 }).pages
    }

    /// Each half reaches as far as the fold, and loses the part of the other page.
    @Test func theSplitFollowsASteepFold() async throws {
        let pages = try await pages(0.1)
        #expect(pages.count == 2)
        let sizes = pages.map { $0.edits.applied(to: PixelSize(width: 900, height: 640)) }
        #expect(sizes.allSatisfy { (470...495).contains($0.width) && $0.height == 640 }, "\(sizes)")
        let cuts = pages.compactMap { $0.edits.last?.operation as? SlantedCut }
        #expect(cuts.map(\.isLeft) == [true, false])
        #expect(
            pages[0].spread?.remark.english.hasPrefix("cut at its fold, a line or shadow, along its slant of 5.")
                == true)
    }

    @Test func aSlightlySlantedFoldIsCutUpright() async throws {
        let pages = try await pages(0.03)
        #expect(pages.count == 2 && pages.allSatisfy { $0.edits.allSatisfy { $0.operation == nil } })
    }

    @Test func onlyPixelsBeyondTheFoldChange() {
        let size = PixelSize(width: 20, height: 10)
        let samples = (0..<size.area).map { place -> UInt8 in
            let (x, y) = (place % 20, place / 20)
            return x < 10 ? UInt8(200 - y) : 30
        }
        let raster = Raster(size: size, format: .gray(bits: 8), samples: samples)
        let cut = SlantedCut(PixelRect(x: 0, y: 0, size), fold: 12, slope: 0.4, isLeft: true)
        let result = cut.apply(to: raster)
        #expect(result.size == size)
        for y in 0..<10 {
            for x in 0..<20 {
                // At the top the fold is at 10, at the bottom at 14.
                let fold: Double = 10 + 0.4 * (Double(y) + 0.5)
                if Double(x) + 0.5 <= fold { #expect(result.samples[y * 20 + x] == samples[y * 20 + x], "\(x), \(y)") }
            }
        }
    }

    /// The file of spreads keeps the slope, and a later run cuts along it.
    @Test func theFileKeepsTheSlope() async throws {
        let folder = try ScratchFolder()
        let file = folder("folds.json")
        var book = SyntheticSequence([PixelSize(width: 900, height: 640)])
        var spread = Self.spread(0.1)
        spread.shade(450, depth: 40, reach: 2, slope: 0.1)
        book.looks[1] = spread.raster
        let given = ["spreads": "split", "spread-file": file]
        let planned = try await book.made(given, isDryRun: true).pages
        #expect(String(decoding: try folder.read("folds.json"), as: UTF8.self).contains("\"slope\": 0."))
        book.looks = [:]
        let made = try await book.made(given).pages
        #expect(made.map(\.edits) == planned.map(\.edits))
    }
}
