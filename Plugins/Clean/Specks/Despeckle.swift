internal import PageModel

/// The replacement of specks by the paper around each.
struct Despeckle: PageOperation {
    static let id = "despeckle"

    /// A rectangle of eight bytes, because a run keeps those of all its pages.
    struct Box: Hashable {
        let x: UInt16
        let y: UInt16
        let width: UInt16
        let height: UInt16

        /// Nil beyond 65,535 pixels.
        init?(_ rect: PixelRect) {
            guard let x = UInt16(exactly: rect.x), let y = UInt16(exactly: rect.y),
                let width = UInt16(exactly: rect.width), let height = UInt16(exactly: rect.height)
            else { return nil }
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    let specks: [Box]

    var note: Note { Note(Note.Code("despeckled", "despeckled")) }

    var keepsFormat: Bool { true }

    /// A preview keeps the specks: its pixels are not those of the page.
    func preview(of raster: Raster) -> Raster { raster }

    func apply(to raster: Raster) -> Raster {
        var pixels = PackedPixels(raster)
        for speck in specks {
            let blur = SpeckLimits.blur
            let left = max(0, Int(speck.x) - blur)
            let top = max(0, Int(speck.y) - blur)
            let right = min(raster.size.width, Int(speck.x) + Int(speck.width) + blur)
            let bottom = min(raster.size.height, Int(speck.y) + Int(speck.height) + blur)
            guard left < right, top < bottom else { continue }
            pixels.fill(left..<right, top..<bottom)
        }
        return Raster(
            size: raster.size, format: raster.format, samples: pixels.samples, resolution: raster.resolution,
            iccProfile: raster.iccProfile)
    }
}

/// The pixels of a raster of any format, each as one number.
private struct PackedPixels {
    private(set) var samples: [UInt8]
    private let size: PixelSize
    private let bytesPerRow: Int
    private let bits: Int
    private let isPalette: Bool

    init(_ raster: Raster) {
        (samples, size, bytesPerRow, bits) = (
            raster.samples, raster.size, raster.bytesPerRow, raster.format.bitsPerPixel
        )
        if case .palette = raster.format { isPalette = true } else { isPalette = false }
    }

    private subscript(x: Int, y: Int) -> UInt64 {
        get {
            let place = y * bytesPerRow + x * bits / 8
            if bits < 8 { return UInt64(samples[place] >> UInt8(8 - bits - x * bits % 8)) & (1 << UInt64(bits) - 1) }
            return samples[place..<place + bits / 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        set {
            let place = y * bytesPerRow + x * bits / 8
            if bits < 8 {
                let shift = UInt8(8 - bits - x * bits % 8)
                let mask = UInt8(1 << bits - 1) << shift
                samples[place] = samples[place] & ~mask | UInt8(newValue) << shift
            } else {
                for byte in 0..<bits / 8 {
                    samples[place + byte] = UInt8(truncatingIfNeeded: newValue >> UInt64(bits - 8 - 8 * byte))
                }
            }
        }
    }

    /// Gives a rectangle the color of the pixels around it: the median, or the most frequent one of a palette.
    mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>) {
        var ring: [UInt64] = []
        for y in [rows.lowerBound - 1, rows.upperBound] where y >= 0 && y < size.height {
            for x in columns { ring.append(self[x, y]) }
        }
        for x in [columns.lowerBound - 1, columns.upperBound] where x >= 0 && x < size.width {
            for y in rows { ring.append(self[x, y]) }
        }
        guard !ring.isEmpty else { return }
        ring.sort()
        var color = ring[ring.count / 2]
        if isPalette {
            let counts = Dictionary(ring.map { ($0, 1) }, uniquingKeysWith: +)
            color = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? color
        }
        for y in rows { for x in columns { self[x, y] = color } }
    }
}
