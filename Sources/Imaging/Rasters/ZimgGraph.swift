internal import CZimg
internal import PageModel

/// A chain of zimg's filters that takes lines as input and returns changed lines.
///
/// Only as many lines are kept as the filters need, so an image of any height needs little memory.
final class ZimgGraph {
    /// A function that fills or empties a stretch of a line: its number, the columns, and the address of the whole line in each
    /// plane.
    typealias Pass = (_ row: Int, _ columns: Range<Int>, _ planes: [UnsafeMutableRawPointer]) -> Void

    private let handle: OpaquePointer
    private let source: zimg_image_format
    private let target: zimg_image_format

    /// - Throws: `PictureFault` if zimg refuses the request, for example absurd sizes.
    init(
        from source: zimg_image_format, to target: zimg_image_format, _ parameters: zimg_graph_builder_params
    ) throws(PictureFault) {
        var (from, to, parameters) = (source, target, parameters)
        guard let handle = zimg_filter_graph_build(&from, &to, &parameters) else { throw ZimgGraph.fault }
        self.handle = handle
        self.source = source
        self.target = target
    }

    deinit {
        zimg_filter_graph_free(handle)
    }

    /// Returns the format of an image in planes: one of gray or three of colors, followed by the alpha.
    static func format(_ size: PixelSize, _ pixels: zimg_pixel_type_e, like format: PixelFormat) -> zimg_image_format {
        var result = zimg_image_format()
        zimg_image_format_default(&result, ZimgGraph.version)
        result.width = UInt32(clamping: size.width)
        result.height = UInt32(clamping: size.height)
        result.pixel_type = pixels
        result.pixel_range = ZIMG_RANGE_FULL
        if format.colorants == 3 {
            result.color_family = ZIMG_COLOR_RGB
            result.matrix_coefficients = ZIMG_MATRIX_RGB
        }
        if format.hasAlpha { result.alpha = ZIMG_ALPHA_PREMULTIPLIED }
        return result
    }

    static func parameters() -> zimg_graph_builder_params {
        var result = zimg_graph_builder_params()
        zimg_graph_builder_params_default(&result, ZimgGraph.version)
        return result
    }

    /// Processes the whole image.
    ///
    /// - Parameters:
    ///   - fill: writes lines of the source into the planes. It may be called for a part of a line at a time, and repeatedly.
    ///   - empty: reads lines of the result from the planes.
    func run(fill: @escaping Pass, empty: @escaping Pass) throws(PictureFault) {
        var (linesIn, linesOut): (UInt32, UInt32) = (0, 0)
        var scratchSize = 0
        guard zimg_filter_graph_get_input_buffering(handle, &linesIn) == ZIMG_ERROR_SUCCESS,
            zimg_filter_graph_get_output_buffering(handle, &linesOut) == ZIMG_ERROR_SUCCESS,
            zimg_filter_graph_get_tmp_size(handle, &scratchSize) == ZIMG_ERROR_SUCCESS
        else { throw ZimgGraph.fault }
        let input = ZimgLines(source, keeping: linesIn, pass: fill)
        let output = ZimgLines(target, keeping: linesOut, pass: empty)
        let scratch = UnsafeMutableRawPointer.allocate(byteCount: scratchSize, alignment: ZimgLines.alignment)
        defer { scratch.deallocate() }
        var (from, to) = (input.buffer, output.buffer)
        var source = czimg_source(&from)
        let call: zimg_filter_graph_callback = { lines, row, left, right in
            // zimg returns the pointer it was given, which is not null.
            guard let lines else { return 1 }
            Unmanaged<ZimgLines>.fromOpaque(lines).takeUnretainedValue().pass(Int(row), Int(left)..<Int(right))
            return 0
        }
        let result = withExtendedLifetime((input, output)) {
            zimg_filter_graph_process(
                handle, &source, &to, scratch, call, Unmanaged.passUnretained(input).toOpaque(), call,
                Unmanaged.passUnretained(output).toOpaque())
        }
        guard result == ZIMG_ERROR_SUCCESS else { throw ZimgGraph.fault }
    }

    /// The interface version for which this was written: 2.4, which has alpha.
    static let version: UInt32 = 2 << 8 | 4

    /// The last error of zimg on this thread.
    private static var fault: PictureFault {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 200) { buffer in
            zimg_get_last_error(buffer.baseAddress, buffer.count)
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        zimg_clear_last_error()
        return PictureFault("the image cannot be scaled" + (text.isEmpty ? "" : " (\(text))"))
    }
}

/// The lines of an image that a zimg graph keeps, one after the other in a ring.
final class ZimgLines {
    /// The alignment that zimg's instructions need for every line, on any processor.
    static let alignment = 64

    private let memory: UnsafeMutableRawPointer
    private let places: [Int]
    private let stride: Int
    private let planeSize: Int
    private let mask: UInt32
    private let action: ZimgGraph.Pass

    /// - Parameter count: the number of lines that the graph needs at once.
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
        // zimg computes whole vectors, beyond a line's end; it must not read uninitialized memory.
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
