internal import Imaging
internal import PageModel

/// Planes of bytes that change slowly, packed without loss into a PNG.
///
/// A channel is stored as its difference from the one before. The light on gray paper thus takes a fifth of its bytes.
struct PackedPlanes: Hashable, Sendable {
    private let across: Int
    private let down: Int
    let png: [UInt8]

    /// - Parameters:
    ///   - planes: planes of one size that is not empty.
    ///   - across: the length of a row.
    init(_ planes: [[UInt8]], across: Int) {
        var samples: [UInt8] = []
        for (channel, plane) in planes.enumerated() {
            samples += channel == 0 ? plane : zip(plane, planes[channel - 1]).map { $0 &- $1 }
        }
        (self.across, down) = (across, (planes.first?.count ?? 0) / across)
        let size = PixelSize(width: across, height: down * planes.count)
        png = PNGWriter.encode(Raster(size: size, format: .gray(bits: 8), samples: samples))
    }

    /// Returns a plane.
    subscript(channel: Int) -> [UInt8] {
        let count = across * down
        let request = DecodeRequest(.png, maximumPixels: .max)
        // Decoding what this wrote fails only if memory is short. The page is then not lightened.
        guard let image = try? PictureDecoder.decode(png, request) else {
            return [UInt8](repeating: .max, count: count)
        }
        return (0...channel).reduce([UInt8](repeating: 0, count: count)) { sum, channel in
            zip(sum, image.raster.samples[(channel * count)...]).map { $0 &+ $1 }
        }
    }
}
