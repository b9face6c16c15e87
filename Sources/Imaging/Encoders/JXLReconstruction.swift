internal import CJXL

/// Makes the JPEG again that a JPEG XL file was made of.
public enum JXLReconstruction {
    /// The JPEG that a file holds, byte for byte as it was.
    ///
    /// - Throws: `PictureFault` when there is none, or it cannot be made again.
    public static func jpeg(of file: [UInt8]) throws(PictureFault) -> [UInt8] {
        // A JPEG is a quarter larger than what is made of it; one that were many times larger would be made up of blanks.
        guard let jpeg = jpeg(of: file, most: 16 * file.count + 1 << 20) else {
            throw PictureFault("the JPEG in the JPEG XL cannot be made again")
        }
        return jpeg
    }

    /// The JPEG that a file holds; nil when there is none, or it is longer than `most` bytes.
    static func jpeg(of file: [UInt8], most: Int) -> [UInt8]? {
        guard let library = cjxl_load()?.pointee, let decoder = library.JxlDecoderCreate(nil) else { return nil }
        defer { library.JxlDecoderDestroy(decoder) }
        let wanted = CInt(CJXL_JPEG_RECONSTRUCTION | CJXL_FULL_IMAGE)
        guard library.JxlDecoderSubscribeEvents(decoder, wanted) == CJXL_SUCCESS else { return nil }
        return file.withUnsafeBufferPointer { file in
            guard library.JxlDecoderSetInput(decoder, file.baseAddress, file.count) == CJXL_SUCCESS else {
                return nil
            }
            library.JxlDecoderCloseInput(decoder)
            guard library.JxlDecoderProcessInput(decoder) == CJXL_JPEG_RECONSTRUCTION else { return nil }
            let jpeg = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
                guard library.JxlDecoderSetJPEGBuffer(decoder, buffer.baseAddress, most) == CJXL_SUCCESS else {
                    return
                }
                let isWhole = library.JxlDecoderProcessInput(decoder) == CJXL_FULL_IMAGE
                let left = library.JxlDecoderReleaseJPEGBuffer(decoder)
                if isWhole { count = most - min(most, left) }
            }
            return jpeg.isEmpty ? nil : jpeg
        }
    }
}
