internal import CJXL

/// One file that libjxl encodes.
final class JXLSession {
    let handle: OpaquePointer
    /// Belongs to the handle.
    let settings: OpaquePointer
    private let library: CJXLFunctions

    /// - Throws: `PictureFault` when libjxl is not installed.
    init() throws(PictureFault) {
        guard let library = cjxl_load()?.pointee else {
            throw PictureFault(
                "making JPEG XL takes libjxl, 0.7 to 0.11, which is not installed", kind: .unsupported)
        }
        guard let handle = library.JxlEncoderCreate(nil) else {
            throw PictureFault("there is no memory for a JPEG XL encoder")
        }
        guard let settings = library.JxlEncoderFrameSettingsCreate(handle, nil) else {
            library.JxlEncoderDestroy(handle)
            throw PictureFault("there is no memory for a JPEG XL encoder")
        }
        self.library = library
        self.handle = handle
        self.settings = settings
    }

    deinit {
        library.JxlEncoderDestroy(handle)
    }

    /// Calls one function, and fails if it does.
    ///
    /// - Parameter what: what the file could not do or suffer, for the message.
    func check(_ what: String, _ body: (CJXLFunctions) -> CInt) throws(PictureFault) {
        if body(library) == CInt(CJXL_SUCCESS) { return }
        throw PictureFault("the JPEG XL cannot \(what) (libjxl's error \(library.JxlEncoderGetError(handle)))")
    }

    /// The whole file, once everything has been said.
    func finish() throws(PictureFault) -> [UInt8] {
        library.JxlEncoderCloseInput(handle)
        var file: [UInt8] = []
        var size = 1 << 18
        while true {
            var status = CInt(CJXL_SUCCESS)
            file += [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                var (next, available) = (buffer.baseAddress, buffer.count)
                status = library.JxlEncoderProcessOutput(handle, &next, &available)
                count = size - min(size, available)
            }
            if status == CInt(CJXL_SUCCESS) { return file }
            if status != CInt(CJXL_NEED_MORE_OUTPUT) {
                throw PictureFault(
                    "the JPEG XL cannot be encoded (libjxl's error \(library.JxlEncoderGetError(handle)))")
            }
            size *= 2
        }
    }
}
