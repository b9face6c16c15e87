/// An allowed link target outside the book. It is a URI whose scheme only shows a page, writes a message or makes a
/// call.
///
/// Other schemes are impossible: a script or a file that a source links to cannot get into an output.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in ASCII, everything else percent-encoded (RFC 3986, §2.1; RFC 3987, §3.1).
    public let text: String

    /// The schemes, in lower case.
    public static let schemes = ["http", "https", "mailto", "tel"]
    /// The maximum length, more than any address needs.
    public static let maximumBytes = 4096

    /// Returns nil for an address with another scheme or without one, for one that is too long, or with a control
    /// character.
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
            guard encoded.utf8.count <= WebAddress.maximumBytes else { return nil }
        }
        self.text = encoded
    }

    public var description: String { text }

    /// Whether a character may occur in a URI (RFC 3986, appendix A); also "%", because it encodes others.
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
