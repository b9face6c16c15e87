internal import Imaging
internal import PageModel

/// The removal of the facing page from a half whose inner edge is a slanted fold.
///
/// The size stays. The pixels beyond the fold get the color of the paper at the edge.
struct SlantedCut: PageOperation {
    static let id = "spreads"

    /// The place of the fold at the top and the bottom edge of the half, as fractions of its width from the left.
    var top: Double
    var bottom: Double
    /// Whether the half is on the left of the fold.
    var isLeft: Bool

    var note: Note { Note(Note.Code("cut-along-fold", "cut along the slanted fold")) }

    /// - Parameters:
    ///   - part: the half, on the whole scan.
    ///   - fold: the place of the fold at mid-height, in pixels from the left of the scan.
    ///   - slope: the pixels to the right for each pixel down.
    init(_ part: PixelRect, fold: Int, slope: Double, isLeft: Bool) {
        let (width, half) = (Double(max(1, part.width)), slope * Double(part.height) / 2)
        let place = Double(fold - part.x)
        (top, bottom, self.isLeft) = ((place - half) / width, (place + half) / width, isLeft)
    }

    /// Returns a slope as files store it.
    static func rounded(_ slope: Double) -> Double {
        (slope * FoldLimits.Cut.slopeParts).rounded() / FoldLimits.Cut.slopeParts
    }

    /// Returns the angle of a slope, in degrees with one decimal. The tangent of a small angle is the angle.
    static func degrees(_ slope: Double) -> String {
        let (radian, decimals) = (180 / Double.pi, 10.0)
        return "\((abs(slope) * radian * decimals).rounded() / decimals)"
    }

    func apply(to raster: Raster) -> Raster {
        let (width, height) = (Double(raster.size.width), Double(max(1, raster.size.height)))
        // Pixels that stay are taken from their own places, which keeps their values.
        return raster.resampled(rows: 1) { y, places in
            let fold = width * (top + (bottom - top) * (Double(y) + 1 / 2) / height)
            for x in 0..<raster.size.width {
                let isBeyond = isLeft ? Double(x) + 1 / 2 > fold : Double(x) + 1 / 2 < fold
                places.across[x] = isBeyond ? (isLeft ? width : -1) : Double(x)
                places.down[x] = Double(y)
            }
        }
    }
}
