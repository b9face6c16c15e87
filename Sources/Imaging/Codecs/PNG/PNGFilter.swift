internal import PageModel

/// The row filters of PNG, which turn samples into differences that compress better.
enum PNGFilter {
    /// The rows above a run of rows.
    enum Above {
        /// The top of the image.
        case nothing
        case row([UInt8])
        /// Rows that are encoded separately: no filter may use them.
        case unknown

        var row: [UInt8]? { if case .row(let row) = self { row } else { nil } }
        var isUnknown: Bool { if case .unknown = self { true } else { false } }
    }

    /// Returns the rows of `raster`, each preceded by its filter's number. Unused bits at a row's end become 0. Rows with such
    /// bits must be filtered plainly.
    ///
    /// - Parameters:
    ///   - plainly: whether every row is left as it is. Otherwise each row gets the filter with the smallest sum of absolute
    ///     differences. This is the heuristic of the PNG specification (12.7).
    ///   - above: the rows above the first row.
    static func filtered(_ raster: Raster, plainly: Bool, above: Above = .nothing) -> [UInt8] {
        let row = raster.bytesPerRow
        let total = (row + 1) * raster.size.height
        let unused = row * 8 - raster.size.width * raster.format.bitsPerPixel
        precondition(plainly || unused == 0)
        let mask = UInt8.max << UInt8(unused)
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            count = total
            guard let output = output.baseAddress else { return }
            raster.samples.withUnsafeBufferPointer { samples in
                guard let samples = samples.baseAddress else { return }
                let step = max(1, raster.format.bitsPerPixel / 8)
                var scratch = [[UInt8]](repeating: [UInt8](repeating: 0, count: row), count: 2)
                // The row above an image's first row counts as zeros.
                let first = above.row ?? [UInt8](repeating: 0, count: row)
                first.withUnsafeBufferPointer { first in
                    guard let first = first.baseAddress else { return }
                    for y in 0..<raster.size.height {
                        let this = samples + y * row
                        let target = output + y * (row + 1)
                        if plainly {
                            target.pointee = 0
                            (target + 1).update(from: this, count: row)
                            target[row] &= mask
                        } else {
                            let kinds = y == 0 && above.isUnknown ? Kind.withinRow : Kind.all
                            filter(
                                this, y == 0 ? first : samples + (y - 1) * row, count: row, step: step, kinds: kinds,
                                into: target, scratch: &scratch)
                        }
                    }
                }
            }
        }
    }

    private static func filter(
        _ this: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, count: Int, step: Int, kinds: [Kind],
        into target: UnsafeMutablePointer<UInt8>, scratch: inout [[UInt8]]
    ) {
        // Equal to the row above: all zeros, the best possible result. Most rows of a rendered page are such rows.
        var best = UInt64.max
        for kind in kinds {
            let sum = scratch[0].withUnsafeMutableBufferPointer { row in
                row.baseAddress.map { apply(kind, this, above, count: count, step: step, into: $0) } ?? 0
            }
            if sum < best {
                best = sum
                target.pointee = kind.rawValue
                scratch.swapAt(0, 1)
            }
            if best == 0 { break }
        }
        scratch[1].withUnsafeBufferPointer { row in
            if let row = row.baseAddress { (target + 1).update(from: row, count: count) }
        }
    }

    private enum Kind: UInt8 {
        case none = 0
        case sub = 1
        case up = 2
        case paeth = 4

        static let all: [Kind] = [.up, .sub, .paeth, .none]
        static let withinRow: [Kind] = [.sub, .none]
    }

    /// Writes one filtered row and returns the sum of its bytes, each as a signed number's magnitude.
    private static func apply(
        _ kind: Kind, _ this: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, count: Int, step: Int,
        into row: UnsafeMutablePointer<UInt8>
    ) -> UInt64 {
        let start = min(step, count)
        let (rest, left, corner) = (start..<count, this - step, above - step)
        switch kind {
        case .none:
            row.update(from: this, count: count)
        case .sub:
            row.update(from: this, count: start)
            for x in rest { row[x] = this[x] &- left[x] }
        case .up:
            for x in 0..<count { row[x] = this[x] &- above[x] }
        case .paeth:
            for x in 0..<start { row[x] = this[x] &- above[x] }
            for x in rest { row[x] = this[x] &- paeth(left[x], above[x], corner[x]) }
        }
        return magnitudes(row, count)
    }

    /// Returns the neighbor nearest to left + up − corner (PNG 9.4).
    ///
    /// Without traps and branches, so that the compiler computes several pixels at a time.
    @inline(__always)
    private static func paeth(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
        let across = Int16(up) &- Int16(corner)
        let down = Int16(left) &- Int16(corner)
        let both = across &+ down
        let toLeft = max(across, 0 &- across)
        let toUp = max(down, 0 &- down)
        let toCorner = max(both, 0 &- both)
        let other = toUp <= toCorner ? up : corner
        return toLeft <= min(toUp, toCorner) ? left : other
    }

    /// Returns the sum of bytes, each as a signed number's magnitude.
    private static func magnitudes(_ row: UnsafeMutablePointer<UInt8>, _ count: Int) -> UInt64 {
        var sum: UInt64 = 0
        // Numbers of 32 bits are added several at a time; so many of them do not overflow.
        for start in stride(from: 0, to: count, by: 1 << 16) {
            var part: UInt32 = 0
            for x in start..<min(count, start + 1 << 16) {
                part &+= UInt32(min(row[x], 0 &- row[x]))
            }
            sum &+= UInt64(part)
        }
        return sum
    }
}

/// Whether PNG's filters make an image smaller.
///
/// They do for photographs and gradients. They do not for flat art and text, whose patterns deflate finds by itself.
enum PNGFiltering {
    case plain
    /// The same for a palette of 16 colors at most, whose few bytes are worth a longer search.
    case plainPalette
    /// The same for 4 or 16 levels of gray.
    case plainLevels
    case adaptive

    /// Tries both on a few samples of the image.
    init(for raster: Raster) {
        // Below 8 bits a byte holds several pixels, and neighbors in a palette need not be alike.
        let bits = raster.format.bitsPerPixel
        if raster.format.isPalette || bits < 8 {
            let isSmall = bits == 2 || bits == 4
            self = !isSmall ? .plain : raster.format.isPalette ? .plainPalette : .plainLevels
            return
        }
        let (plain, adaptive) = PNGFiltering.samples(of: raster).reduce((0, 0)) { sizes, sample in
            (
                sizes.0 + PNGFiltering.size(of: PNGFilter.filtered(sample, plainly: true)),
                sizes.1 + PNGFiltering.size(of: PNGFilter.filtered(sample, plainly: false))
            )
        }
        self = plain <= adaptive ? .plain : .adaptive
    }

    var isPlain: Bool { self != .adaptive }

    /// libdeflate's level: filtered samples gain little from a longer search.
    ///
    /// Measured on 35 scans under text: level 8 makes palettes of 16 colors 13 % smaller in four times the time of level 6.
    /// Level 9 makes those of 4 colors 3 % smaller than level 8, in 1.4 times its time (three scans under pale text). Level 7
    /// makes gray levels 2 % smaller than level 5, in 2.3 times its time (29 manga pages, with and without dithering).
    var deflateLevel: Int {
        switch self {
        case .plain: 6
        case .plainPalette: 9
        case .plainLevels: 5
        case .adaptive: 5
        }
    }

    /// Returns samples from the middle of a band, or from three places of a large image.
    ///
    /// They are small compared with the image, and as wide as the window of deflate if the image is that wide.
    private static func samples(of raster: Raster) -> [Raster] {
        let size = raster.size
        let pixel = raster.format.bitsPerPixel / 8
        let width = min(size.width, sampleBytes / 2 / pixel)
        let height = min(size.height, max(2, min(sampleBytes / (width * pixel), size.height / 24)))
        return (raster.samples.count > sampleBytes * 64 ? [1, 3, 5] : [3]).map { sixth in
            raster.cropped(
                to: PixelRect(
                    x: (size.width - width) * sixth / 6, y: (size.height - height) * sixth / 6, width: width,
                    height: height))
        }
    }

    private static let sampleBytes = 1 << 16

    private static func size(of bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { Deflate.compressed($0, .plain, level: 1).count }
    }
}
