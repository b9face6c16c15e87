import AdapterKit
import PageModel
import Scratch

@testable import Spreads

/// A drawing made up pixel by pixel, from which pages are cut as they would be seen small.
struct SyntheticArt {
    /// Of a page seen small, in pixels.
    static let page = PixelSize(width: 300, height: 426)

    let size: PixelSize
    private(set) var levels: [Int]
    private var random: SplitMix

    /// - Parameter pages: how many pages it is wide; a bit more, so that pages can be cut from it with something lost.
    init(_ level: Int = 255, pages: Int = 2, seed: UInt64 = 1) {
        size = PixelSize(width: pages * SyntheticArt.page.width + 40, height: SyntheticArt.page.height + 20)
        levels = [Int](repeating: level, count: size.area)
        random = SplitMix(seed: seed)
    }

    /// Discs with outlines, on top of each other, and lines between points, all over the drawing.
    static func strokes(_ level: Int = 255, pages: Int = 2, seed: UInt64) -> SyntheticArt {
        var art = SyntheticArt(level, pages: pages, seed: seed)
        for _ in 0..<24 * pages {
            art.disc(x: art.chance(art.size.width), y: art.chance(art.size.height), radius: 12 + art.chance(60))
        }
        for _ in 0..<9 * pages {
            let (x, y) = (art.chance(art.size.width), art.chance(art.size.height))
            art.line((x, y), (x + art.chance(300) - 150, y + art.chance(160) - 80))
        }
        return art
    }

    /// Up and down between −1 and 1, softly.
    static func wave(_ place: Int, _ length: Int) -> Double {
        let share = Double(place % length) / Double(length)
        let half = share < 0.5 ? share * 2 : share * 2 - 1
        return (share < 0.5 ? 1 : -1) * 4 * half * (1 - half)
    }

    /// A number from 0 to below `limit`.
    private mutating func chance(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    /// What of a rectangle lies on the drawing.
    mutating func fill(_ rect: PixelRect, _ level: Int) {
        let (right, bottom) = (min(size.width, rect.x + rect.width), min(size.height, rect.y + rect.height))
        for y in stride(from: max(0, rect.y), to: bottom, by: 1) {
            for x in stride(from: max(0, rect.x), to: right, by: 1) { levels[y * size.width + x] = level }
        }
    }

    private mutating func disc(x: Int, y: Int, radius: Int) {
        let fill = [255, 230, 150, 90, 40][chance(5)]
        for row in max(0, y - radius)..<min(size.height, y + radius) {
            for column in max(0, x - radius)..<min(size.width, x + radius) {
                let square = (row - y) * (row - y) + (column - x) * (column - x)
                if square > radius * radius { continue }
                levels[row * size.width + column] = square > (radius - 2) * (radius - 2) ? 0 : fill
            }
        }
    }

    private mutating func line(_ start: (x: Int, y: Int), _ end: (x: Int, y: Int)) {
        let steps = 2 * max(abs(end.x - start.x), abs(end.y - start.y), 1)
        for step in 0...steps {
            let x = start.x + (end.x - start.x) * step / steps
            let y = start.y + (end.y - start.y) * step / steps
            fill(PixelRect(x: x, y: y, width: 2, height: 2), 0)
        }
    }

    /// Rows of panels with other drawings in them, with white gutters between, at these heights.
    mutating func panels(_ cuts: [Int], seed: UInt64) {
        for (number, (top, bottom)) in zip(cuts, cuts.dropFirst()).enumerated() {
            let inside = SyntheticArt.strokes(pages: 1, seed: seed + UInt64(number))
            fill(PixelRect(x: 0, y: top, width: size.width, height: bottom - top), 255)
            for y in top + 4..<bottom - 4 {
                for x in 0..<size.width {
                    let isFrame = y < top + 6 || y >= bottom - 6
                    let drawn = inside.levels[y * inside.size.width + x % inside.size.width]
                    levels[y * size.width + x] = isFrame ? 0 : drawn
                }
            }
        }
    }

    /// The page that begins at a column and a row.
    ///
    /// - Parameters:
    ///   - lighter: what is added to the levels, as by another scanner.
    ///   - margin: pixels of white at all its sides.
    ///   - enlarged: how many times larger both ways it is seen.
    func page(at x: Int, _ y: Int = 10, lighter: Int = 0, margin: Int = 0, enlarged: Int = 1) -> PageEdges {
        let (width, height) = (SyntheticArt.page.width * enlarged, SyntheticArt.page.height * enlarged)
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height)
        for row in 0..<height {
            for column in 0..<width {
                let (across, down) = (column / enlarged, row / enlarged)
                let isMargin =
                    min(across, SyntheticArt.page.width - 1 - across) < margin
                    || min(down, SyntheticArt.page.height - 1 - down) < margin
                let level = isMargin ? 250 : levels[(y + down) * size.width + x + across] + lighter
                samples.append(UInt8(max(0, min(255, level))))
            }
        }
        let size = PixelSize(width: width, height: height)
        return PageEdges(PagePreview(raster: Raster(size: size, format: .gray(bits: 8), samples: samples), size: size))
    }

    /// A page as it is seen.
    func seen(at x: Int) -> Raster {
        let samples = (10..<10 + SyntheticArt.page.height).flatMap { row in
            levels[row * size.width + x..<row * size.width + x + SyntheticArt.page.width].map { UInt8($0) }
        }
        return Raster(size: SyntheticArt.page, format: .gray(bits: 8), samples: samples)
    }

    /// The two pages it is cut into: what is lost at the fold in pixels, and how much lower the right one was laid.
    func cut(lost: Int = 0, lower: Int = 0, lighter: Int = 0) -> (left: PageEdges, right: PageEdges) {
        let fold = SyntheticArt.page.width + 10
        let left = page(at: fold - lost / 2 - SyntheticArt.page.width)
        return (left, page(at: fold + lost - lost / 2, 10 - lower, lighter: lighter))
    }
}
