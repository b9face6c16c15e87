internal import CZimg
internal import PageModel

/// The lines of a picture that a zimg graph has at hand, one behind the other in a ring.
final class ZimgLines {
    /// What zimg's instructions ask of every line, on any processor.
    static let alignment = 64

    private let memory: UnsafeMutableRawPointer
    private let places: [Int]
    private let stride: Int
    private let planeSize: Int
    private let mask: UInt32
    private let action: ZimgGraph.Pass

    /// - Parameter count: how many lines the graph looks at, at once.
    init(_ format: zimg_image_format, keeping count: UInt32, pass: @escaping ZimgGraph.Pass) {
        let sampleSize = format.pixel_type == ZIMG_PIXEL_BYTE ? 1 : format.pixel_type == ZIMG_PIXEL_FLOAT ? 4 : 2
        let unit = ZimgLines.alignment
        stride = (Int(format.width) * sampleSize + unit - 1) / unit * unit
        let ring = zimg_select_buffer_mask(count)
        let isWhole = ring == UInt32.max || ring >= format.height
        mask = isWhole ? UInt32.max : ring
        planeSize = stride * (isWhole ? Int(format.height) : Int(ring) + 1)
        // The alpha is always the fourth.
        places =
            (format.color_family == ZIMG_COLOR_RGB ? [0, 1, 2] : [0]) + (format.alpha == ZIMG_ALPHA_NONE ? [] : [3])
        memory = UnsafeMutableRawPointer.allocate(byteCount: planeSize * places.count, alignment: unit)
        // zimg computes whole vectors, beyond a line's end; nothing must come from memory nobody has written.
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: planeSize * places.count)
        action = pass
    }

    deinit {
        memory.deallocate()
    }

    var buffer: zimg_image_buffer {
        var result = zimg_image_buffer()
        result.version = ZimgGraph.version
        for (index, place) in places.enumerated() {
            czimg_set_plane(&result, CInt(place), memory + index * planeSize, stride, mask)
        }
        return result
    }

    func pass(_ row: Int, _ columns: Range<Int>) {
        let line = Int(UInt32(row) & mask) * stride
        action(row, columns, places.indices.map { memory + $0 * planeSize + line })
    }
}
