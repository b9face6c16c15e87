import PageModel

/// A page of signs in lines, vertical or horizontal: signs stand near each other in a line, and lines farther apart.
struct SyntheticLines {
    var size = PixelSize(width: 600, height: 860)
    var isVertical: Bool
    /// In pixels: the side of a sign, and how far signs of a line and lines are apart.
    private let sign = 14
    private let gap = 3
    private let spacing = 12

    init(isVertical: Bool) { self.isVertical = isVertical }

    var raster: Raster {
        var samples = [UInt8](repeating: 240, count: size.area)
        let (along, across) = (sign + gap, sign + spacing)
        let step = isVertical ? (x: across, y: along) : (x: along, y: across)
        for top in stride(from: 70, to: size.height - 70 - sign, by: step.y) {
            for left in stride(from: 60, to: size.width - 60 - sign, by: step.x) {
                for y in 0..<sign {
                    // A box with a bar across, or two strokes: signs are made of parts.
                    let isSplit = (top + left) % 3 == 0
                    for x in 0..<sign where x < 2 || x >= sign - 2 || (!isSplit && (y < 2 || y == sign / 2)) {
                        samples[(top + y) * size.width + left + x] = 20
                    }
                }
            }
        }
        return Raster(size: size, format: .gray(bits: 8), samples: samples)
    }
}
