internal import CPoppler
internal import PageModel

/// The pixels of a cairo surface: one native 32-bit word each, with red, green and blue in the low 24 bits.
struct CairoPixels {
    private let library: CPopplerFunctions
    private let surface: OpaquePointer
    private let size: PixelSize

    init(_ library: CPopplerFunctions, _ surface: OpaquePointer, _ size: PixelSize) {
        self.library = library
        self.surface = surface
        self.size = size
    }

    func rgb(resolution: Resolution) -> Raster {
        let total = 3 * size.area
        let samples = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            var index = 0
            forEachRow { row in
                for pixel in row {
                    output[index] = UInt8(truncatingIfNeeded: pixel >> 16)
                    output[index + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
                    output[index + 2] = UInt8(truncatingIfNeeded: pixel)
                    index += 3
                }
            }
            count = total
        }
        return Raster(size: size, format: .rgb(bits: 8), samples: samples, resolution: resolution)
    }

    /// One bit a pixel; nil when a pixel is neither black nor white.
    func bilevel() -> Raster? {
        let rowBytes = (size.width + 7) / 8
        var samples = [UInt8](repeating: 0, count: rowBytes * size.height)
        var start = 0
        var isBilevel = true
        forEachRow { row in
            for (x, pixel) in row.enumerated() {
                switch pixel & 0xFF_FFFF {
                case 0: break
                case 0xFF_FFFF: samples[start + x / 8] |= 0x80 >> UInt8(x % 8)
                default: isBilevel = false
                }
            }
            start += rowBytes
        }
        return isBilevel ? Raster(size: size, format: .gray(bits: 1), samples: samples) : nil
    }

    private func forEachRow(_ body: (UnsafeBufferPointer<UInt32>) -> Void) {
        guard let data = library.cairo_image_surface_get_data(surface) else { return }
        let stride = Int(library.cairo_image_surface_get_stride(surface))
        for y in 0..<size.height {
            let row = UnsafeRawPointer(data + y * stride).assumingMemoryBound(to: UInt32.self)
            body(UnsafeBufferPointer(start: row, count: size.width))
        }
    }
}
