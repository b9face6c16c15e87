/// The writing properties of a character's script.
public enum Script {
    /// Whether a character belongs to a right-to-left script: Hebrew, Arabic and similar ones (Unicode's bidirectional
    /// classes R and AL).
    public static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: !isDigit(scalar)
        default: false
        }
    }

    /// Whether most letters of a text are of right-to-left scripts.
    public static func readsRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.reduce(0) { sum, scalar in
            isRightToLeft(scalar) ? sum + 1 : scalar.properties.isAlphabetic ? sum - 1 : sum
        } > 0
    }

    /// Whether a character is upright in a vertical line, rather than on its side (Unicode Standard Annex 50):
    /// characters of Chinese, Japanese and Korean.
    public static func standsUpright(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE10...0xFE1F,
            0xFE30...0xFE4F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// Returns the characters of a right-to-left word in their visual order from left to right. Numbers and words of
    /// other scripts in it keep their order (a simple case of Unicode Standard Annex 9).
    public static func visualOrder(_ text: String) -> [Unicode.Scalar] {
        let scalars = Array(text.unicodeScalars)
        guard readsRightToLeft(text) else { return scalars }
        var seen: [Unicode.Scalar] = []
        var run: [Unicode.Scalar] = []
        for scalar in scalars.reversed() {
            if isDigit(scalar) || scalar.properties.isAlphabetic && !isRightToLeft(scalar) {
                run.append(scalar)
            } else {
                seen += run.reversed() + [scalar]
                run = []
            }
        }
        return seen + run.reversed()
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .decimalNumber
    }
}
