internal import CJPEGShims

extension cjpeg_complaint {
    /// libjpeg's words, if it had any.
    var text: String? {
        let text = withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? nil : text
    }

    /// The error that a failed call left behind.
    var fault: PictureFault {
        PictureFault("the JPEG cannot be processed" + (text.map { " (\($0))" } ?? ""))
    }
}

extension [UInt8] {
    /// Takes over bytes that C code allocated.
    init(taking bytes: UnsafeMutablePointer<UInt8>, count: Int) {
        self = Array(UnsafeBufferPointer(start: bytes, count: count))
        bytes.deallocate()
    }
}
