/// A colour of sRGB.
public struct RGB: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public static let black = RGB(red: 0, green: 0, blue: 0)
    public static let white = RGB(red: 255, green: 255, blue: 255)
    /// The names a colour can be given by.
    public static let named: [(name: String, color: RGB)] = [
        ("white", white), ("black", black), ("gray", RGB(red: 128, green: 128, blue: 128)),
    ]

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A colour as it is typed: one of the names, or #rrggbb, or #rgb.
    public init?(_ text: String) {
        if let known = RGB.named.first(where: { $0.name == text.lowercased() }) {
            self = known.color
            return
        }
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst().compactMap(\.hexDigitValue).map(UInt8.init)
        guard digits.count == text.count - 1 else { return nil }
        switch digits.count {
        case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
        case 6:
            self.init(
                red: digits[0] * 16 + digits[1], green: digits[2] * 16 + digits[3], blue: digits[4] * 16 + digits[5])
        default: return nil
        }
    }

    public var isGray: Bool { red == green && green == blue }
}
