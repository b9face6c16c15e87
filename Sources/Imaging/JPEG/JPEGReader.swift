internal import CJPEGShims
public import PageModel

/// Decodes a JPEG row by row. Belongs to one task.
public final class JPEGReader {
    private let handle: OpaquePointer
    /// The size of what is decoded, as the picture is stored.
    public let size: PixelSize
    /// `.gray(bits: 8)` or `.rgb(bits: 8)`.
    public let format: PixelFormat
    /// What libjpeg said first of damaged data it had to guess.
    public private(set) var complaint: String?

    /// - Parameter scale: 1, 2, 4 or 8: the picture is decoded at that fraction of its size, which takes less time.
    /// - Throws: `PictureFault` when it is no JPEG that can be decoded, or one of four colours.
    public convenience init(_ file: [UInt8], scale: Int = 1) throws(PictureFault) {
        var complaint = cjpeg_complaint()
        guard let handle = cjpeg_reader_open(file, file.count, &complaint) else { throw complaint.fault }
        try self.init(handle, complaint, scale)
    }

    /// Reads a part of an open file as it is needed, so that many pictures can be decoded in step in little memory.
    ///
    /// - Parameter descriptor: stays open as long as the reader is there.
    public convenience init(descriptor: Int32, offset: Int, count: Int) throws(PictureFault) {
        var complaint = cjpeg_complaint()
        guard let handle = cjpeg_reader_open_file(descriptor, Int64(offset), count, &complaint) else {
            throw complaint.fault
        }
        try self.init(handle, complaint, 1)
    }

    private init(_ handle: OpaquePointer, _ opened: cjpeg_complaint, _ scale: Int) throws(PictureFault) {
        var complaint = opened
        let components = cjpeg_reader_components(handle)
        var (width, height): (CInt, CInt) = (0, 0)
        guard components == 1 || components == 3,
            cjpeg_reader_start(handle, CInt(scale), components, &width, &height, &complaint)
        else {
            cjpeg_reader_close(handle)
            throw components == 1 || components == 3
                ? complaint.fault : PictureFault("the JPEG has \(components) colours, which cannot be decoded yet")
        }
        self.handle = handle
        size = PixelSize(width: Int(width), height: Int(height))
        format = components == 1 ? .gray(bits: 8) : .rgb(bits: 8)
        note(complaint)
    }

    deinit {
        cjpeg_reader_close(handle)
    }

    /// The samples of the next `count` rows.
    ///
    /// - Throws: `PictureFault` when the data cannot be decoded, or there are not so many rows left.
    public func read(rows count: Int) throws(PictureFault) -> [UInt8] {
        let stride = Raster.bytesPerRow(width: size.width, format: format)
        var complaint = cjpeg_complaint()
        var isRead = false
        let samples = [UInt8](unsafeUninitializedCapacity: stride * count) { buffer, filled in
            isRead = cjpeg_reader_rows(handle, buffer.baseAddress, stride, CInt(count), &complaint)
            filled = isRead ? stride * count : 0
        }
        guard isRead else { throw complaint.fault }
        note(complaint)
        return samples
    }

    private func note(_ complaint: cjpeg_complaint) {
        if self.complaint == nil, complaint.warnings > 0 { self.complaint = complaint.text }
    }
}
