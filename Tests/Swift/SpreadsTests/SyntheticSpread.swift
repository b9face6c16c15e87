import PageModel
import Scratch

/// A scan of two facing pages made up pixel by pixel, as it is seen reduced.
struct SyntheticSpread {
    let width: Int
    let height: Int
    private var levels: [Int]
    private var random: SplitMix

    init(_ level: Int = 232, width: Int = 600, height: Int = 400, seed: UInt64 = 1) {
        (self.width, self.height) = (width, height)
        levels = [Int](repeating: level, count: width * height)
        random = SplitMix(seed: seed)
    }

    private mutating func number(_ range: Range<Int>) -> Int {
        range.lowerBound + Int(random.next() % UInt64(range.count))
    }

    mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ level: Int) {
        for y in rows.clamped(to: 0..<height) {
            for x in columns.clamped(to: 0..<width) { levels[y * width + x] = level }
        }
    }

    /// Lines of letters 7 pixels high and 12 apart.
    mutating func text(_ columns: Range<Int>, _ rows: Range<Int>, _ level: Int = 50) {
        for top in stride(from: rows.lowerBound, through: rows.upperBound - 7, by: 12) {
            for left in stride(from: columns.lowerBound, through: columns.upperBound - 6, by: 8) {
                fill(left..<left + 6, top..<top + 7, level)
                fill(left + 2..<left + 4, top + 2..<top + 5, 232)
            }
        }
    }

    /// A frame two pixels wide.
    mutating func frame(_ columns: Range<Int>, _ rows: Range<Int>) {
        fill(columns, rows.lowerBound..<rows.lowerBound + 2, 20)
        fill(columns, rows.upperBound - 2..<rows.upperBound, 20)
        fill(columns.lowerBound..<columns.lowerBound + 2, rows, 20)
        fill(columns.upperBound - 2..<columns.upperBound, rows, 20)
    }

    /// Strokes in all directions and patches of gray, wherever they end within some columns.
    mutating func drawing(_ columns: Range<Int>, strokes: Int = 70) {
        for _ in 0..<strokes {
            var (x, y) = (number(columns), number(0..<height))
            let (dx, dy) = (number(-14..<15), number(-7..<8))
            let level = number(10..<70)
            for _ in 0..<number(8..<30) {
                for part in 0..<14 {
                    let (px, py) = (x + dx * part / 14, y + dy * part / 14)
                    fill((px..<px + 3).clamped(to: columns), py..<py + 3, level)
                }
                (x, y) = (x + dx, y + dy)
            }
        }
        for _ in 0..<strokes / 10 {
            let (x, y, level) = (number(columns), number(0..<height), number(80..<190))
            fill((x..<x + number(20..<90)).clamped(to: columns), y..<y + number(15..<50), level)
        }
    }

    /// Takes from the light what a fold takes: `depth` percent at it, and less and less within `reach` pixels.
    ///
    /// - Parameters:
    ///   - sides: -1 for the left of it only, 1 for the right, 0 for both.
    ///   - slope: how far it goes right for each pixel down.
    mutating func shade(_ fold: Int, depth: Int, reach: Int, sides: Int = 0, slope: Double = 0) {
        for y in 0..<height {
            let middle = fold + Int((slope * (Double(y) - Double(height) / 2)).rounded())
            for x in max(0, middle - reach)..<min(width, middle + reach + 1) where (x - middle) * sides >= 0 {
                let taken = depth * (reach + 1 - abs(x - middle)) / (reach + 1)
                levels[y * width + x] = levels[y * width + x] * (100 - taken) / 100
            }
        }
    }

    /// With the grain that scans have.
    var raster: Raster {
        var grain = SplitMix(seed: 7)
        return Raster(
            size: PixelSize(width: width, height: height), format: .gray(bits: 8),
            samples: levels.map { UInt8(max(0, min(255, $0 + Int(grain.next() % 5) - 2))) })
    }
}
