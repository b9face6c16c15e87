import AdapterKit
import Glibc
import Imaging
import PageModel
import Scratch

@testable import Flatten

/// A page of made-up letters that lie on a curve.
struct SyntheticCurve {
    static let size = PixelSize(width: 640, height: 900)
    /// The first line, how far lines are apart, and where the text begins and ends.
    static let (top, pitch, left, right) = (120, 40, 80, 560)

    var lines = 17
    /// The columns and the lines without letters.
    var gaps: (across: [Range<Int>], lines: Set<Int>) = ([], [])
    /// The lines that fill less than a third of the text's width, by turns at its left, in its middle and at its right.
    var short: Set<Int> = []
    /// How far down a letter is moved that belongs at a place, in pixels.
    var shift: (_ x: Double, _ y: Double) -> Double = { _, _ in 0 }

    /// As a camera sees an open book from above: lines bend away from the middle of the picture towards the binding.
    static func fold(_ bow: Double) -> (Double, Double) -> Double {
        { x, y in bow * exp(-x / 160) * (y - 450) / 450 }
    }

    /// Letters of words of different lengths, some with ascenders or descenders; each is where the curve takes it.
    var raster: Raster {
        var random = SplitMix(seed: 3)
        var samples = (0..<SyntheticCurve.size.area).map { _ in UInt8(228 + random.next() % 9) }
        for line in 0..<lines where !gaps.lines.contains(line) {
            var (x, right) = (SyntheticCurve.left + (random.next() % 8 == 0 ? 30 : 0), SyntheticCurve.right)
            if short.contains(line) {
                x += line % 3 * (right - SyntheticCurve.left - 146) / 2
                right = x + 146
            }
            while x < right - 12 {
                for _ in 0..<2 + random.next() % 8 where x < right - 12 {
                    let kind = random.next() % 10
                    let base = SyntheticCurve.top + line * SyntheticCurve.pitch
                    defer { x += 14 }
                    if gaps.across.contains(where: { $0.overlaps(x..<x + 10) }) { continue }
                    letter(x, base, above: kind < 3 ? 22 : 15, below: kind == 9 ? 6 : 0, in: &samples)
                }
                x += 9
            }
        }
        return Raster(size: SyntheticCurve.size, format: .gray(bits: 8), samples: samples)
    }

    /// Draws a letter of two upright strokes and one between them that stands on a line at `base`.
    private func letter(_ x: Int, _ base: Int, above: Int, below: Int, in samples: inout [UInt8]) {
        let down = shift(Double(x) + 5, Double(base))
        for y in base - above..<base + below {
            for column in x..<x + 10 where column < x + 3 || column >= x + 7 || y >= base - 3 || y < base - above + 3 {
                // A pixel that is covered in part is as dark as that.
                let place = Double(y) + down
                let row = Int(place.rounded(.down))
                let part = place - Double(row)
                for (row, share) in [(row, 1 - part), (row + 1, part)]
                where (0..<SyntheticCurve.size.height).contains(row) {
                    let index = row * SyntheticCurve.size.width + column
                    samples[index] = UInt8(max(40, Double(samples[index]) - share * 190))
                }
            }
        }
    }

    /// How far the feet of a line's letters are from one height, in pixels: the range of what nine of ten of them have.
    static func unevenness(of raster: Raster, line: Int) -> Double {
        var feet: [Double] = []
        for x in stride(from: left + 40, to: right - 40, by: 2) {
            // Where paper follows ink: a foot, unless it is that of a descender.
            let near = top + line * pitch - 12...top + line * pitch + 12
            let levels = near.map { Int(raster.samples[$0 * raster.size.width + x]) }
            if let last = levels.indices.last(where: { levels[$0] < 130 }), last + 1 < levels.count {
                let (dark, light) = (levels[last], levels[last + 1])
                feet.append(Double(last) + Double(130 - dark) / Double(max(1, light - dark)))
            }
        }
        feet.sort()
        guard feet.count >= 20 else { return .infinity }
        return feet[feet.count * 85 / 100] - feet[feet.count * 5 / 100]
    }
}

/// Pages as a book, and what is made of it.
struct SyntheticBook: PreviewProvider {
    var rasters: [Raster]
    /// By how much previews are reduced.
    var scale = 1.0
    var damage: Message?
    /// By what decision files know the pages; nil if by their names alone.
    var digests: [String]?

    func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview {
        guard page.id <= rasters.count else { throw AdapterError(.unreadable, "the page cannot be read") }
        let raster = rasters[page.id - 1]
        let size = PixelSize(
            width: Int(Double(raster.size.width) * scale), height: Int(Double(raster.size.height) * scale))
        return PagePreview(raster: raster, size: size, scale: (scale, scale), damage: damage)
    }

    func flattened(
        _ given: [String: String] = ["flatten": "true"], isDryRun: Bool = false, mayReplace: Bool = false,
        pages count: Int? = nil, name: String = "page"
    ) async throws -> [Page] {
        let flatten = Flatten()
        let pages = (0..<(count ?? rasters.count)).map { index in
            Page(id: index + 1, name: "\(name) \(index + 1)") { throw AdapterError(.damaged, "only for looking at") }
        }
        let settings = try Settings(flatten.descriptor.settings, given: given)
        let request = TransformRequest(
            previews: self, book: SourceBook(pages, imageDigests: digests), width: 2, mayReplace: mayReplace,
            isDryRun: isDryRun)
        return try await flatten.apply(to: PageSequence(book: BookMetadata(), pages: pages), settings, request).pages
    }
}

extension Page {
    /// The mesh by which it is laid flat; nil where it is left alone.
    var mesh: Flattening? {
        edits.count == 1 ? (edits[0].operation as? Dewarp)?.mesh : nil
    }
}
