/// ICC profiles for gray (ICC.1: header, white point, curve).
enum SyntheticProfile {
    /// A gamma of 1.8.
    static let dim = gray(text("curv") + number(0) + number(1) + [1, 0xCD, 0, 0])

    /// The curve of sRGB: 2.4, 1/1.055, 0.055/1.055, 1/12.92 and 0.04045.
    static let plain = gray(
        text("para") + number(0) + number(0x0003_0000)
            + [0x26666, 0xF2A7, 0x0D59, 0x13D0, 0x0A5B].flatMap { number($0) })

    /// Says that it is for gray, and has no curve.
    static let broken = Array(dim.prefix(130))

    /// Says that it is for RGB.
    static let foreign = Array(dim.prefix(16)) + text("RGB ") + dim.dropFirst(20)

    private static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func gray(_ curve: [UInt8]) -> [UInt8] {
        let white = [0xF6D6, 0x10000, 0xD32D].flatMap { number($0) }
        let head = text("mntrGRAYXYZ ") + [UInt8](repeating: 0, count: 12) + text("acsp")
        let size = UInt32(176 + curve.count)
        let header = number(size) + number(0) + number(0x0240_0000) + head + [UInt8](repeating: 0, count: 28) + white
        let tags =
            number(2) + text("wtpt") + number(156) + number(20) + text("kTRC") + number(176)
            + number(UInt32(curve.count))
        return header + [UInt8](repeating: 0, count: 48) + tags + text("XYZ ") + number(0) + white + curve
    }
}
