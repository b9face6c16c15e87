/// An address outside the book that a reader may be led to: a URI of a scheme that only shows something, writes a message or
/// calls somebody.
///
/// There is none with another scheme: a script or a file that was linked in a source can not get into an output.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in ASCII, everything else percent-encoded (RFC 3986, §2.1; RFC 3987, §3.1).
    public let text: String

    /// The schemes, in lower case.
    public static let schemes = ["http", "https", "mailto", "tel"]
    /// More than any address is long.
    public static let mostBytes = 4096

    /// Nil for an address of another scheme or of none, for one that is too long, and for one with a control character.
    public init?(_ text: String) {
        let scalars = Array(text.unicodeScalars.drop { $0 == " " })
        guard let colon = scalars.firstIndex(of: ":") else { return nil }
        let scheme = String(String.UnicodeScalarView(scalars[..<colon])).lowercased()
        guard WebAddress.schemes.contains(scheme), scheme.utf8.count == colon, scalars.count > colon + 1 else {
            return nil
        }
        var encoded = "\(scheme):"
        for scalar in scalars[(colon + 1)...] {
            if scalar.properties.generalCategory == .control { return nil }
            if WebAddress.isAllowed(scalar) {
                encoded.unicodeScalars.append(scalar)
            } else {
                for byte in String(scalar).utf8 {
                    let digits = String(byte, radix: 16, uppercase: true)
                    encoded += (byte < 16 ? "%0" : "%") + digits
                }
            }
            guard encoded.utf8.count <= WebAddress.mostBytes else { return nil }
        }
        self.text = encoded
    }

    public var description: String { text }

    /// Whether a character may stand in a URI (RFC 3986, appendix A); "%" as well, since it encodes others.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        case "-", ".", "_", "~", ":", "/", "?", "#", "[", "]", "@", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";",
            "=", "%":
            true
        default: false
        }
    }
}
