package import PageModel

/// The limits for storing an image with few colors in a palette.
enum FewColorsLimits {
    /// The maximum number of colors of 4-bit indexes, which need half the bytes of 8 bits for text.
    static let maximumOfFourBits = 16
    /// The maximum number of colors of a palette (ISO/IEC 15948, 11.2.3).
    static let maximum = 256
    /// The maximum number of different colors to look at. Photographs have more.
    static let maximumExamined = 4096
    /// The difference of a channel, of 255, below which two flat areas look alike side by side.
    static let invisible = 4
    /// The same for the smoothed edge of a letter.
    static let invisibleInEdges = 8
    /// The same for smoothed edges of 4-bit indexes. Measured on a black-and-white scan of 300 pixels per inch with a blue line
    /// of text: the letters look alike at 150 pixels per inch.
    static let roughInEdges = 24
    /// The same as `invisible` for a letter in another shade of black, in a scan in layers.
    ///
    /// Measured on 18 pages of election results: 8 leaves three colors on most of them, 16 two.
    static let invisibleInBlack = 16
    /// The maximum of each channel of a shade of black.
    static let black = 64
    /// The minimum difference of a channel between a letter and the paper next to it.
    static let contrast = 64
    /// The part of the changed pixels from which a color fills an area. It may not become another one that looks different.
    static let areaShare = 0.05
    /// The maximum part of all pixels of a scan in layers that may get a similar color.
    static let maximumMovedShare = 0.005
}

/// The colors of a palette, and which of them every color of an image becomes.
struct FewColors {
    /// Red, green and blue in the low 24 bits.
    private(set) var colors: [UInt32]
    /// The index for each color.
    private(set) var indexes: [UInt32: UInt8] = [:]
    /// The number of pixels whose color is not in the palette.
    private(set) var moved = 0
    /// The largest difference of a channel, of 255, between such a color and the one that it becomes.
    private(set) var largestMove = 0

    /// Chooses the most frequent colors. Every other color becomes the nearest of them, unless it differs too much: then it is
    /// chosen as well.
    ///
    /// - Parameters:
    ///   - counts: the number of pixels of each color.
    ///   - own: colors that are always in the palette.
    ///   - maximum: the maximum number of colors, at most 256.
    ///   - tolerance: the maximum difference of a channel, of 255. A color that fills an area moves by
    ///     `FewColorsLimits.invisible` at most.
    /// - Returns: nil if the image needs more colors.
    init?(_ counts: [UInt32: Int], own: [UInt32] = [], maximum: Int, tolerance: Int) {
        self.init(counts, own: own, maximum: maximum) { _, _ in tolerance }
    }

    /// Chooses colors, with a tolerance for each color and the chosen one that it may become.
    init?(
        _ counts: [UInt32: Int], own: [UInt32] = [], maximum: Int,
        tolerance: (_ color: UInt32, _ chosen: UInt32) -> Int
    ) {
        colors = own
        guard own.count <= maximum, counts.count <= FewColorsLimits.maximumExamined else { return nil }
        for (index, color) in own.enumerated() { indexes[color] = UInt8(index) }
        let area = Double(counts.values.reduce(0, +)) * FewColorsLimits.areaShare
        for (color, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) where indexes[color] == nil
        {
            let most = Double(count) < area ? Int.max : FewColorsLimits.invisible
            var nearest: (index: Int, difference: Int)?
            for (index, chosen) in colors.enumerated() {
                let difference = FewColors.difference(chosen, color)
                if difference < nearest?.difference ?? .max, difference <= min(tolerance(color, chosen), most) {
                    nearest = (index, difference)
                }
            }
            if let nearest {
                indexes[color] = UInt8(nearest.index)
                moved += count
                largestMove = max(largestMove, nearest.difference)
            } else {
                guard colors.count < maximum else { return nil }
                indexes[color] = UInt8(colors.count)
                colors.append(color)
            }
        }
    }

    /// Chooses the colors of a scan in layers. They are at most 16.
    ///
    /// A letter may become one in another shade of black. At the edge of a letter, noise becomes the paper around it.
    /// Elsewhere a difference means a pale mark, such as a note in pencil, so only an invisible one is removed.
    ///
    /// - Parameter apart: the colors that are not only at the edges of letters.
    init?(layers counts: [UInt32: Int], apart: Set<UInt32>) {
        // The paper may be black.
        let paper = counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
        self.init(counts, maximum: FewColorsLimits.maximumOfFourBits) { color, chosen in
            let isInk = chosen != paper && FewColors.difference(chosen, 0) <= FewColorsLimits.black
            if isInk { return FewColorsLimits.invisibleInBlack }
            return apart.contains(color) ? FewColorsLimits.invisible : FewColorsLimits.invisibleInEdges
        }
    }

    /// Returns the largest difference of a channel, of 255.
    static func difference(_ one: UInt32, _ other: UInt32) -> Int {
        func difference(_ shift: UInt32) -> Int { abs(Int(one >> shift & 0xFF) - Int(other >> shift & 0xFF)) }
        return max(difference(16), difference(8), difference(0))
    }

    /// The format of samples that are indexes of 8 bits.
    var format: PixelFormat {
        func channel(_ color: UInt32, _ shift: UInt32) -> UInt8 { UInt8(color >> shift & 0xFF) }
        return .palette(bits: 8, colors: colors.flatMap { [channel($0, 16), channel($0, 8), channel($0, 0)] })
    }
}

extension Raster {
    /// Returns the image with a palette of at most 16 colors, if it is nearly one of flat colors; nil otherwise.
    ///
    /// A scan in layers is such an image if its paper is blank: few pixels are the noise of a JPEG. A pale mark keeps its
    /// own color, see `FewColors.init(layers:apart:)`.
    ///
    /// - Returns: the image, and the largest difference of a channel from this one, of 255.
    package func withFewColors() -> (raster: Raster, change: Int)? {
        guard let counts = colorCounts, var few = FewColors(layers: counts, apart: []) else { return nil }
        if few.largestMove > FewColorsLimits.invisible {
            guard let careful = FewColors(layers: counts, apart: colorsAwayFromLetters) else { return nil }
            few = careful
        }
        guard Double(few.moved) <= FewColorsLimits.maximumMovedShare * Double(size.area) else { return nil }
        let channels = format.colorants
        let indexes = [UInt8](unsafeUninitializedCapacity: size.area) { output, count in
            samples.withUnsafeBufferPointer { samples in
                var (last, index): (UInt32?, UInt8) = (nil, 0)
                for pixel in 0..<size.area {
                    let color = Raster.color(samples, pixel, channels)
                    if color != last { (last, index) = (color, few.indexes[color] ?? 0) }
                    output[pixel] = index
                }
            }
            count = size.area
        }
        return (with(few.format, indexes).withSmallIndexes(), few.largestMove)
    }

    /// Returns the image with a palette that has the color, and its index. The result is nil if the image has no indexes of 8 bits,
    /// or if they use all 256.
    func withPaletteEntry(for color: RGB) -> (raster: Raster, index: UInt8)? {
        guard case .palette(bits: 8, var colors) = format else { return nil }
        let wanted = [color.red, color.green, color.blue]
        let count = colors.count / 3
        if let known = (0..<count).first(where: { Array(colors[3 * $0..<3 * $0 + 3]) == wanted }) {
            return (self, UInt8(known))
        }
        if count < FewColorsLimits.maximum {
            return (with(.palette(bits: 8, colors: colors.prefix(3 * count) + wanted), samples), UInt8(count))
        }
        var isUsed = [Bool](repeating: false, count: count)
        for index in samples { isUsed[Int(index)] = true }
        guard let free = isUsed.firstIndex(of: false) else { return nil }
        colors.replaceSubrange(3 * free..<3 * free + 3, with: wanted)
        return (with(.palette(bits: 8, colors: colors), samples), UInt8(free))
    }

    /// The number of pixels of each color; nil if they are more than `FewColorsLimits.maximumExamined`, or if the samples are not
    /// 8-bit gray or RGB.
    private var colorCounts: [UInt32: Int]? {
        guard format == .gray(bits: 8) || format == .rgb(bits: 8) else { return nil }
        let channels = format.colorants
        return samples.withUnsafeBufferPointer { samples in
            var counts: [UInt32: Int] = [:]
            var (last, run): (UInt32, Int) = (0, 0)
            for pixel in 0..<size.area {
                let color = Raster.color(samples, pixel, channels)
                if color == last {
                    run += 1
                    continue
                }
                counts[last, default: 0] += run
                if counts.count > FewColorsLimits.maximumExamined { return nil }
                (last, run) = (color, 1)
            }
            counts[last, default: 0] += run
            return counts.filter { $0.value > 0 }
        }
    }

    /// The colors of pixels that no clearly different one touches. All other colors are only at the edges of letters.
    private var colorsAwayFromLetters: Set<UInt32> {
        let channels = format.colorants
        return samples.withUnsafeBufferPointer { samples in
            var apart: Set<UInt32> = []
            var last: UInt32?
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let color = Raster.color(samples, y * size.width + x, channels)
                    if color == last { continue }
                    guard apart.contains(color) || !isAtLetter(samples, x, y, color, channels) else { continue }
                    apart.insert(color)
                    last = color
                }
            }
            return apart
        }
    }

    /// Returns whether one of the pixels around a pixel differs clearly from it.
    private func isAtLetter(
        _ samples: UnsafeBufferPointer<UInt8>, _ x: Int, _ y: Int, _ color: UInt32, _ channels: Int
    ) -> Bool {
        for row in max(0, y - 1)...min(size.height - 1, y + 1) {
            for column in max(0, x - 1)...min(size.width - 1, x + 1) {
                let other = Raster.color(samples, row * size.width + column, channels)
                if FewColors.difference(color, other) >= FewColorsLimits.contrast { return true }
            }
        }
        return false
    }

    private static func color(_ samples: UnsafeBufferPointer<UInt8>, _ pixel: Int, _ channels: Int) -> UInt32 {
        if channels == 1 { return UInt32(samples[pixel]) * 0x01_0101 }
        let start = 3 * pixel
        return UInt32(samples[start]) << 16 | UInt32(samples[start + 1]) << 8 | UInt32(samples[start + 2])
    }
}
