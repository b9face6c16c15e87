internal import Imaging
internal import PageModel

/// Small pictures of pages for a sheet.
enum Thumbnail {
    /// The least length of the longer side, in pixels.
    private static let length = 300
    private static let quality = 55

    /// Nil when it cannot be encoded.
    static func jpeg(of raster: Raster) -> [UInt8]? {
        let factor = max(1, max(raster.size.width, raster.size.height) / length)
        return try? PictureEncoder.encode(raster.reducedToGray(by: factor), as: .jpeg, .quality(quality))
    }

    /// Bytes as text for a `data:` address (RFC 4648 §4).
    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[value >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
