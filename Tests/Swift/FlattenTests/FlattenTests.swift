import AdapterKit
import AdapterTestKit
import Imaging
import LayoutAnalysis
import PageModel
import Testing

@testable import Flatten

@Suite struct FlattenTests {
    private func page(_ made: SyntheticCurve, scale: Double = 1) async throws -> Page {
        try await SyntheticBook(rasters: [made.raster], scale: scale).flattened()[0]
    }

    /// Lines near the binding become as straight as they were printed, all over the page.
    @Test(arguments: [45.0, -30]) func linesNearABindingBecomeStraight(_ bow: Double) async throws {
        let made = SyntheticCurve(shift: SyntheticCurve.fold(bow))
        let raster = made.raster
        let mesh = try #require(try await page(made).mesh)
        let flat = raster.laidFlat(by: mesh)
        let before = try #require([0, 8, 16].map { SyntheticCurve.unevenness(of: raster, line: $0) }.max())
        #expect(before > 3)
        for line in [0, 3, 8, 12, 16] {
            // Lines may come to lie a little higher or lower than they were printed: their neighbors show by how much.
            let left = (-18...18).map { offset in unevenness(of: flat, line, lowered: offset) }.min() ?? .infinity
            #expect(left <= 2, "line \(line) of bow \(bow): \(left)")
        }
    }

    private func unevenness(of raster: Raster, _ line: Int, lowered: Int) -> Double {
        let width = raster.size.width
        let samples =
            lowered >= 0
            ? Array(raster.samples.dropFirst(lowered * width)) + [UInt8](repeating: 232, count: lowered * width)
            : [UInt8](repeating: 232, count: -lowered * width) + Array(raster.samples.dropLast(-lowered * width))
        return SyntheticCurve.unevenness(
            of: Raster(size: raster.size, format: raster.format, samples: samples), line: line)
    }

    /// Fractions of the page count, regardless of the preview's scale.
    @Test func meshDoesNotDependOnThePreviewScale() async throws {
        let made = SyntheticCurve(shift: SyntheticCurve.fold(40))
        let (one, other) = (try await page(made), try await page(made, scale: 3))
        #expect(one.mesh != nil && one.mesh == other.mesh)
        #expect(one.flatness?.remark != other.flatness?.remark, "the bow is told in pixels of the page")
        #expect(other.flatness?.isFlattened == true)
    }

    @Test func linesThatRunDownThePageAreStraightenedToo() async throws {
        let made = SyntheticCurve(shift: SyntheticCurve.fold(40))
        let transposed = Orientation(isTransposed: true, isMirroredAcross: false, isMirroredDown: false)
        let raster = made.raster.framed(Framing(SyntheticCurve.size, transposed))
        let level = try #require(try await page(made).mesh)
        let mesh = try #require(try await SyntheticBook(rasters: [raster]).flattened()[0].mesh)
        #expect(mesh.columns == level.rows && mesh.rows == level.columns)
        #expect(mesh.shifts[1].down == level.shifts[level.columns].across)
        #expect(mesh.shifts[1].across == level.shifts[level.columns].down)
    }

    @Test func straightPagesAreLeftAlone() async throws {
        let slanted = SyntheticCurve { x, _ in 0.03 * x }
        let fanned = SyntheticCurve { x, y in (x - 320) * (y - 450) * 4e-5 }
        for made in [SyntheticCurve(), slanted, fanned] {
            let page = try await page(made)
            #expect(page.edits.isEmpty)
            #expect(page.flatness == FlatnessFinding("not flattened: its lines are straight", isFlattened: false))
        }
    }

    /// Lines that are straight but fan out, as on a page seen from its side.
    @Test func linesThatDivergeBecomeParallel() async throws {
        let made = SyntheticCurve { x, y in (x - 320) * (y - 450) * 1.2e-4 }
        let page = try await page(made)
        #expect(page.flatness?.remark.english.contains("not parallel by up to") == true)
        let flat = made.raster.laidFlat(by: try #require(page.mesh))
        #expect(SyntheticCurve.unevenness(of: made.raster, line: 0) > 10)
        for line in [0, 8, 16] {
            let left = (-18...18).map { unevenness(of: flat, line, lowered: $0) }.min() ?? .infinity
            #expect(left <= 2, "line \(line): \(left)")
        }
    }

    /// The short lines of a list show the curve where there are few long ones; without them, nothing does.
    @Test func shortLinesCountWhereFewAreLong() async throws {
        var made = SyntheticCurve(shift: SyntheticCurve.fold(-30))
        made.short = Set(0..<17).subtracting([3, 8, 13])
        guard case .curved(let lines) = PageCurve(made.raster) else {
            Issue.record("\(PageCurve(made.raster))")
            return
        }
        #expect(lines.long.count == 3 && lines.judging.count >= 10)
        made.gaps.lines = Set(0...11).subtracting([3, 8])
        let few = PageCurve(made.raster)
        guard case .tooFewLines = few else {
            Issue.record("\(few)")
            return
        }
    }

    @Test(arguments: [0, 1, 4]) func tooFewLinesLeaveThePageUnchanged(_ lines: Int) async throws {
        let page = try await page(SyntheticCurve(lines: lines, shift: SyntheticCurve.fold(40)))
        #expect(page.edits.isEmpty)
        #expect(page.flatness?.remark == "not flattened: too few lines of text show its curve")
    }

    @Test func linesMustAgree() async throws {
        // Every line is bent in a way of its own, as handwriting is, or text on a drawing.
        let bows = (0..<17).map { Double(($0 * 7919) % 23) - 11 }
        let made = SyntheticCurve { x, y in
            let line = min(16, max(0, Int(y) - SyntheticCurve.top) / SyntheticCurve.pitch)
            let along = (x - 320) / 240
            return bows[line] * along * along
        }
        let page = try await page(made)
        #expect(page.edits.isEmpty)
        #expect(page.flatness?.remark == "not flattened: its lines disagree about how it is curved")
    }

    /// Tickets on a sheet, each of which was put down at an angle of its own. Lines of a page with such gaps slant alike.
    @Test func separateItemsAreTold() throws {
        func sheet(_ slopes: [[Double]]) throws -> Bool {
            var made = SyntheticCurve { x, y in
                let (row, column) = (y < 340 ? 0 : y < 580 ? 1 : 2, x < 322 ? 0 : 1)
                return slopes[row][column] * (x - Double(column * 250 + 195))
            }
            made.gaps = (across: [295..<350], lines: [5, 6, 11, 12])
            return SeparateItems.areShown(by: try #require(Letters(made.raster)))
        }
        #expect(try sheet([[0.05, -0.04], [-0.05, 0.05], [0.04, -0.05]]))
        #expect(try !sheet([[0.05, -0.04], [0.05, -0.04], [0.05, -0.04]]))
    }

    @Test func picturesAreLeftAlone() async throws {
        let size = PixelSize(width: 600, height: 800)
        let samples = (0..<size.area).map { index -> UInt8 in
            let (x, y) = (index % size.width, index / size.width)
            return UInt8(40 + (x * 130 / size.width + y * 70 / size.height + x * y % 23) % 200)
        }
        let picture = Raster(size: size, format: .gray(bits: 8), samples: samples)
        let page = try await SyntheticBook(rasters: [picture]).flattened()[0]
        #expect(page.edits.isEmpty && page.flatness?.isFlattened == false)
    }

    @Test func unreadablePagesReportTheReason() async throws {
        let curved = SyntheticCurve(shift: SyntheticCurve.fold(40)).raster
        let pages = try await SyntheticBook(rasters: [curved]).flattened(pages: 2)
        #expect(pages[0].mesh != nil)
        #expect(pages[1].flatness?.remark == "not flattened: the page cannot be read" && pages[1].edits.isEmpty)
        let damaged = try await SyntheticBook(rasters: [curved], damage: "half of it is missing").flattened()[0]
        #expect(damaged.flatness?.remark == "not flattened: its data is damaged" && damaged.edits.isEmpty)
        #expect(damaged.flatness?.damage == "half of it is missing" && pages[1].flatness?.damage == nil)
    }

    @Test func flattenPassesTheTransformChecks() async throws {
        #expect(await checkTransform(Flatten()) == [])
        let settings = try Settings(Flatten().descriptor.settings, given: ["flatten": "true"])
        #expect(await checkTransform(Flatten(), settings: settings, mayRequestPreviews: true) == [])
    }
}
