import PageModel
import Scratch

/// A page made up pixel by pixel, as a scanner at 150 dpi would see it.
struct SyntheticPage {
    static let size = PixelSize(width: 620, height: 880)
    /// Where `text` puts its lines.
    static let textBox = PixelRect(x: 80, y: 100, width: 460, height: 620)

    private(set) var levels: [Int]
    private let size: PixelSize

    /// Scanned paper: a little gray, with a grain.
    static func paper(_ level: Int = 236, seed: UInt64 = 1, size: PixelSize = size) -> SyntheticPage {
        var random = SplitMix(seed: seed)
        var page = SyntheticPage(level, size)
        for index in page.levels.indices { page.levels[index] += Int(random.next() % 7) - 3 }
        return page
    }

    /// Paper that a program made white.
    static func clean(size: PixelSize = size) -> SyntheticPage { SyntheticPage(255, size) }

    init(_ level: Int, _ size: PixelSize) {
        self.size = size
        levels = [Int](repeating: level, count: size.area)
    }

    /// Puts a page of the same width on it.
    mutating func lay(_ other: SyntheticPage, at row: Int) {
        levels.replaceSubrange(row * size.width..<row * size.width + other.levels.count, with: other.levels)
    }

    mutating func fill(_ rect: PixelRect, _ level: Int) {
        for y in max(0, rect.y)..<min(size.height, rect.y + rect.height) {
            for x in max(0, rect.x)..<min(size.width, rect.x + rect.width) { levels[y * size.width + x] = level }
        }
    }

    /// Lines of letters 14 pixels high, 24 apart, filling a box exactly. `level` is that of the ink.
    mutating func text(_ box: PixelRect = textBox, level: Int = 50, slope: Double = 0) {
        var letters: [PixelRect] = []
        for top in stride(from: box.y, through: box.y + box.height - 14, by: 24) {
            for left in stride(from: box.x, through: box.x + box.width - 12, by: 16) {
                letters.append(PixelRect(x: left, y: top, width: 12, height: 14))
            }
        }
        let middle = (x: Double(box.x) + Double(box.width) / 2, y: Double(box.y) + Double(box.height) / 2)
        for letter in letters {
            let down = Int((-(Double(letter.x) + 6 - middle.x) * slope).rounded())
            let right = Int(((Double(letter.y) + 7 - middle.y) * slope).rounded())
            let moved = PixelRect(x: letter.x + right, y: letter.y + down, letter.size)
            fill(moved, level)
            fill(PixelRect(x: moved.x + 3, y: moved.y + 3, width: 6, height: 4), 230)
        }
        // The last column and row, which the steps may not reach.
        if slope == 0 {
            fill(PixelRect(x: box.x + box.width - 12, y: box.y, width: 12, height: 14), level)
            fill(PixelRect(x: box.x, y: box.y + box.height - 14, width: 12, height: 14), level)
        }
    }

    /// Digits of 7 by 10 pixels, 3 apart.
    mutating func number(_ digits: Int, x: Int, y: Int) {
        for digit in 0..<digits {
            fill(PixelRect(x: x + 10 * digit, y: y, width: 7, height: 10), 50)
            fill(PixelRect(x: x + 10 * digit + 2, y: y + 2, width: 3, height: 6), 236)
        }
    }

    /// A line of words, each of so many letters of 11 by 14 pixels, 14 pixels apart, in the middle of the page or from `x`.
    mutating func words(_ counts: [Int], x: Int? = nil, y: Int) {
        let width = counts.reduce(0) { $0 + $1 * 15 + 10 } - 14
        var left = x ?? 310 - width / 2
        for count in counts {
            for letter in 0..<count {
                fill(PixelRect(x: left + letter * 15, y: y, width: 11, height: 14), 50)
                fill(PixelRect(x: left + letter * 15 + 3, y: y + 4, width: 4, height: 5), 230)
            }
            left += count * 15 + 10
        }
    }

    /// Dots of `level`, two pixels wide, five apart.
    mutating func screentone(_ box: PixelRect, _ level: Int) {
        for y in stride(from: box.y, to: box.y + box.height, by: 5) {
            for x in stride(from: box.x, to: box.x + box.width, by: 5) {
                fill(PixelRect(x: x, y: y, width: 2, height: 2), level)
            }
        }
    }

    /// A hair: half a circle, one pixel thin.
    mutating func hair(x: Int, y: Int, radius: Int) {
        for step in 0...8 * radius {
            // The rational points of a circle need no sine.
            let t = Double(step) / Double(4 * radius) - 1
            let (across, down) = ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))
            fill(
                PixelRect(
                    x: x + Int((across * Double(radius)).rounded()), y: y + Int((down * Double(radius)).rounded()),
                    width: 1, height: 1), 150)
        }
    }

    /// Something different everywhere, without paper.
    mutating func photo() {
        for y in 0..<size.height {
            for x in 0..<size.width {
                levels[y * size.width + x] = 40 + (x * 130 / size.width + y * 70 / size.height + x * y % 23) % 200
            }
        }
    }

    var raster: Raster {
        Raster(size: size, format: .gray(bits: 8), samples: levels.map { UInt8(max(0, min(255, $0))) })
    }
}
