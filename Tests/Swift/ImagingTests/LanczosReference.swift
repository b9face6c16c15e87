import Glibc
import Imaging
import PageModel

/// Scales a picture as slowly and as exactly as it can be done: every sample of the result is one sum in two directions.
enum LanczosReference {
    /// The values of each channel, 0 to 1 and still encoded, row by row; alpha is the last.
    static func scaled(_ raster: Raster, to target: PixelSize) -> [[Double]] {
        let grid = PixelGrid(raster)
        let bits = raster.format.bitsPerSample
        let channels = raster.format.bitsPerPixel / bits
        let maximum = Double((1 << bits) - 1)
        let hasAlpha = raster.format.hasAlpha
        func sample(_ pixel: UInt64, _ channel: Int) -> Double {
            Double(pixel >> UInt64((channels - 1 - channel) * bits) & UInt64((1 << bits) - 1)) / maximum
        }
        var planes = (0..<channels).map { channel in
            grid.rows.map { row in
                row.map { pixel -> Double in
                    let value = sample(pixel, channel)
                    if hasAlpha && channel == channels - 1 { return value }
                    return light(value) * (hasAlpha ? sample(pixel, channels - 1) : 1)
                }
            }
        }
        let across = weights(from: raster.size.width, to: target.width)
        let down = weights(from: raster.size.height, to: target.height)
        planes = planes.map { plane in
            let rows = plane.map { row in across.map { $0.reduce(0) { $0 + row[$1.index] * $1.weight } } }
            return down.map { terms in
                (0..<target.width).map { x in terms.reduce(0) { $0 + rows[$1.index][x] * $1.weight } }
            }
        }
        let flat = planes.map { $0.flatMap(\.self) }
        return flat.enumerated().map { channel, values in
            values.enumerated().map { index, value in
                if hasAlpha && channel == channels - 1 { return min(max(value, 0), 1) }
                let alpha = hasAlpha ? flat[channels - 1][index] : 1
                return alpha * maximum < 0.5 ? 0 : encoded(min(max(value / alpha, 0), 1))
            }
        }
    }

    /// Lanczos' window of three lobes, wider where the picture becomes smaller; the picture is mirrored at its
    /// sides, once.
    private static func weights(from source: Int, to target: Int) -> [[(index: Int, weight: Double)]] {
        if source == target { return (0..<source).map { [($0, 1)] } }
        let ratio = Double(target) / Double(source)
        let step = min(ratio, 1)
        return (0..<target).map { index in
            let center = (Double(index) + 0.5) / ratio
            let reach = 3 / step
            var terms: [(index: Int, weight: Double)] = []
            for place in Int((center - reach - 1).rounded(.down))...Int((center + reach + 1).rounded(.up)) {
                let weight = lanczos((Double(place) + 0.5 - center) * step)
                if weight == 0 { continue }
                var inside = place
                if inside < 0 { inside = -inside - 1 } else if inside >= source { inside = 2 * source - 1 - inside }
                terms.append((min(max(inside, 0), source - 1), weight))
            }
            let sum = terms.reduce(0) { $0 + $1.weight }
            return terms.map { ($0.index, $0.weight / sum) }
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        if x == 0 { return 1 }
        if abs(x) >= 3 { return 0 }
        return sin(.pi * x) / (.pi * x) * sin(.pi * x / 3) / (.pi * x / 3)
    }

    static func light(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
