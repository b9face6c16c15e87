internal import Imaging
internal import PageModel

/// The SHA-256 of an image's pixels, independent of their storage.
///
/// Samples count as whole bytes, row by row from the top and without padding. Fewer than 8 bits are stretched to 8, 16 are
/// big-endian, and indices of a palette count as their colors. Profiles and resolutions do not count.
struct PixelDigest: Hashable, Sendable {
    let hex: String
    let size: PixelSize
    /// The format of the hashed samples: "gray8", "rgb16".
    let samples: String

    /// - Parameter isUniform: whether every pixel counts as red, green, blue and alpha. The digest is then the same for gray and
    ///   color storage, with or without a redundant alpha channel.
    init(_ raster: Raster, isUniform: Bool = false) {
        let reader = SampleReader(raster, isUniform: isUniform)
        var hash = SHA256()
        if reader.isStored {
            hash.update(raster.samples)
        } else {
            for y in 0..<raster.size.height { hash.update(reader.row(y)) }
        }
        (hex, size, samples) = (hash.hexDigest(), raster.size, reader.name)
    }
}

/// A reader of a raster's rows that yields the samples to hash.
private struct SampleReader {
    private let raster: Raster
    private let isUniform: Bool
    private let bits: Int
    private let colors: [UInt8]?
    /// The number of stored samples of a pixel.
    private let stored: Int

    init(_ raster: Raster, isUniform: Bool) {
        self.raster = raster
        self.isUniform = isUniform
        bits = raster.format.bitsPerSample
        if case .palette(_, let colors) = raster.format { self.colors = colors } else { colors = nil }
        stored = raster.format.bitsPerPixel / bits
    }

    /// Whether the samples are hashed as they are stored.
    var isStored: Bool { bits >= 8 && colors == nil && !isUniform }

    var name: String {
        let depth = bits == 16 ? "16" : "8"
        if isUniform { return "rgba\(depth)" }
        if colors != nil { return "rgb8" }
        return ["gray", "grayAlpha", "rgb", "rgba"][stored - 1] + depth
    }

    func row(_ y: Int) -> [UInt8] {
        let samples = whole(y)
        guard isUniform else { return samples }
        // A palette color has three samples.
        let (count, bytes) = (colors == nil ? stored : 3, bits == 16 ? 2 : 1)
        if count == 4 { return samples }
        let opaque = [UInt8](repeating: 255, count: bytes)
        var row: [UInt8] = []
        row.reserveCapacity(raster.size.width * 4 * bytes)
        for start in stride(from: 0, to: samples.count, by: count * bytes) {
            let first = samples[start..<start + bytes]
            if count == 3 {
                row += samples[start..<start + 3 * bytes]
            } else {
                for _ in 0..<3 { row += first }
            }
            if count == 2 { row += samples[start + bytes..<start + 2 * bytes] } else { row += opaque }
        }
        return row
    }

    /// Returns the samples of a row as whole bytes.
    private func whole(_ y: Int) -> [UInt8] {
        let row = raster.samples[y * raster.bytesPerRow..<(y + 1) * raster.bytesPerRow]
        if bits >= 8 && colors == nil { return Array(row) }
        let highest = (1 << bits) - 1
        var samples: [UInt8] = []
        samples.reserveCapacity(raster.size.width * (colors == nil ? 1 : 3))
        for index in 0..<raster.size.width * stored {
            let bit = index * bits
            let value = Int(row[row.startIndex + bit / 8]) >> (8 - bits - bit % 8) & highest
            if let colors {
                for offset in 3 * value..<3 * value + 3 {
                    samples.append(offset < colors.count ? colors[offset] : 0)
                }
            } else {
                samples.append(UInt8(truncatingIfNeeded: value * 255 / highest))
            }
        }
        return samples
    }
}
