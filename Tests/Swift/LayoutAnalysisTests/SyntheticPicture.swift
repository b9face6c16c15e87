import PageModel
import Scratch

/// A gray picture on which tests draw marks.
struct SyntheticPicture {
    let size: PixelSize
    private var samples: [UInt8]

    /// Makes paper of one level.
    ///
    /// - Parameter grain: the maximum deviation from the level, as in a scan.
    init(_ width: Int, _ height: Int, paper: Int = 235, grain: Int = 0) {
        size = PixelSize(width: width, height: height)
        var chance = SplitMix(seed: 1)
        samples = (0..<size.area).map { _ in
            UInt8(grain == 0 ? paper : paper - grain + Int(chance.next() % UInt64(2 * grain + 1)))
        }
    }

    var raster: Raster { Raster(size: size, format: .gray(bits: 8), samples: samples) }

    mutating func fill(_ rect: PixelRect, _ level: UInt8 = 20) {
        for y in rect.y..<rect.y + rect.height {
            for x in rect.x..<rect.x + rect.width { samples[y * size.width + x] = level }
        }
    }

    mutating func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ level: UInt8 = 20) {
        fill(PixelRect(x: x, y: y, width: width, height: height), level)
    }

    /// Draws a line of letters of equal size.
    mutating func line(_ count: Int, x: Int, y: Int, width: Int = 8, height: Int = 12, step: Int = 11) {
        for index in 0..<count { fill(x + step * index, y, width, height) }
    }
}
