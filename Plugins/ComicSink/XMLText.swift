/// Text on its way into XML 1.0.
enum XMLText {
    /// The text without characters that XML cannot hold, on one line, without space at its ends.
    static func clean(_ text: String) -> String {
        var words: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20:
                words.append(String.UnicodeScalarView())
            case 0x20...0xFFFD, 0x10000...0x10FFFF:
                // The production Char (XML 1.0 §2.2), less the controls C1, which it discourages.
                if !(0x7F...0x9F).contains(scalar.value) { words[words.count - 1].append(scalar) }
            default:
                break
            }
        }
        return words.filter { !$0.isEmpty }.map { String($0) }.joined(separator: " ")
    }

    /// The text with the characters that mean something to XML written as references, for elements and attributes.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
