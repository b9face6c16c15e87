package import PageModel

/// A page divided into its print and its images, as an operation with `PageOperation.separatesPrint` left it.
package struct PrintLayers: Sendable {
    /// The print: one bit a pixel, 0 for black.
    package let print: Raster
    /// The images on white, at a lower resolution; nil for a page without any.
    package private(set) var image: Raster?
    /// The rectangle of the page that the images cover.
    package private(set) var place = PixelRect(x: 0, y: 0, width: 0, height: 0)

    /// The maximum number of pixels per inch of the images.
    private static let maximumResolution = 150.0

    /// - Parameter raster: gray or RGB of 8 bits; nil for others.
    /// - Throws: `PictureFault` if the images cannot be scaled.
    package init?(_ raster: Raster) throws(PictureFault) {
        let channels: Int
        switch raster.format {
        case .gray(8): channels = 1
        case .rgb(8): channels = 3
        default: return nil
        }
        let (size, stride) = (raster.size, (raster.size.width + 7) / 8)
        var bits = [UInt8](repeating: UInt8.max, count: stride * size.height)
        var tones = raster.samples
        let box = bits.withUnsafeMutableBufferPointer { bits in
            tones.withUnsafeMutableBufferPointer { PrintLayers.movePrint(of: size, channels, $0, into: bits) }
        }
        print = Raster(size: size, format: .gray(bits: 1), samples: bits, resolution: raster.resolution)
        guard let found = box.rect else { return }
        let resolution = Resolution.probable(raster.resolution, of: size)
        let factor = Int(clamping: (resolution / PrintLayers.maximumResolution).rounded(.up), to: 1...16)
        // Whole pixels of the images cover the rectangle, unless it ends at the edge of the page.
        let width = min(size.width - found.x, (found.width + factor - 1) / factor * factor)
        let height = min(size.height - found.y, (found.height + factor - 1) / factor * factor)
        place = PixelRect(x: found.x, y: found.y, width: width, height: height)
        let part = Raster(
            size: size, format: raster.format, samples: tones, resolution: raster.resolution,
            iccProfile: raster.iccProfile
        ).cropped(to: place)
        image = try part.scaled(
            to: PixelSize(width: max(1, width / factor), height: max(1, height / factor)))
    }

    /// Makes black pixels white, and the bits of the print 0 in their place.
    ///
    /// - Returns: the box around the other pixels that are not white.
    private static func movePrint(
        of size: PixelSize, _ channels: Int, _ tones: UnsafeMutableBufferPointer<UInt8>,
        into bits: UnsafeMutableBufferPointer<UInt8>
    ) -> Box {
        let stride = (size.width + 7) / 8
        var box = Box()
        for y in 0..<size.height {
            for x in 0..<size.width {
                let first = (y * size.width + x) * channels
                var (any, all) = (tones[first], tones[first])
                for place in first + 1..<first + channels {
                    any |= tones[place]
                    all &= tones[place]
                }
                if any == 0 {
                    bits[y * stride + x / 8] &= ~(0x80 >> UInt8(x % 8))
                    for place in first..<first + channels { tones[place] = UInt8.max }
                } else if all != UInt8.max {
                    box.add(x, y)
                }
            }
        }
        return box
    }

    /// The box around pixels.
    private struct Box {
        private var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)

        mutating func add(_ x: Int, _ y: Int) {
            (left, right) = (min(left, x), max(right, x + 1))
            (top, bottom) = (min(top, y), max(bottom, y + 1))
        }

        /// The box; nil without pixels.
        var rect: PixelRect? {
            right < left ? nil : PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        }
    }
}
