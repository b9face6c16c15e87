/// An International Standard Book Number (ISO 2108).
public struct ISBN: Hashable, Sendable, CustomStringConvertible {
    /// The thirteen digits: "9784088820118".
    public let description: String

    /// Parses a number as books and programs write it: "978-4-08-882011-8", "urn:isbn:4088820118", "ISBN-13: 978…
    /// (paperback)". A number of ten digits gets the prefix 978.
    ///
    /// - Returns: nil for an invalid length or check digit.
    public init?(_ text: String) {
        // Longer text is not a number, and malicious text could take long to parse.
        guard text.utf8.count <= 200 else { return nil }
        guard let digits = ISBN.digits(text) ?? ISBN.digitsBehindWords(text) else { return nil }
        description = digits
    }

    private static func digitsBehindWords(_ text: String) -> String? {
        let plain = text.lowercased().replacing(/\s*\([^)]*\)\s*$/, with: "")
        let bare = plain.replacing(/^\s*(urn:)?([ep]?-?isbn)?[:\s-]*/, with: "")
        // "ISBN-13" and "ISBN 10" state the number of digits that follow.
        let counted = bare.replacing(/^1[03][:\s]+/, with: "")
        return digits(bare) ?? (bare == plain ? nil : digits(counted))
    }

    private static func digits(_ number: String) -> String? {
        // Printed numbers have several kinds of hyphens, or spaces, between their parts.
        let signs = number.unicodeScalars.lazy.filter { !$0.properties.isDash && !$0.properties.isWhitespace }
        var digits: [Int] = signs.prefix(14).map { $0 == "x" ? 10 : Int(String($0)) ?? 11 }
        guard digits.dropLast().allSatisfy({ $0 < 10 }) else { return nil }
        if digits.count == 10 {
            let sum = digits.enumerated().reduce(0) { $0 + $1.element * (10 - $1.offset) }
            guard digits[9] <= 10, sum.isMultiple(of: 11) else { return nil }
            digits = [9, 7, 8] + digits.dropLast()
            digits.append(checkDigit(of: digits))
        }
        guard digits.count == 13, digits.starts(with: [9, 7, 8]) || digits.starts(with: [9, 7, 9]),
            digits[12] == checkDigit(of: Array(digits.dropLast()))
        else { return nil }
        return digits.map(String.init).joined()
    }

    /// The form in EPUBs and catalogs (RFC 8254).
    public var urn: String { "urn:isbn:\(description)" }

    /// Returns the digit after the first twelve, as in all retail bar codes (GS1 General Specifications, §7.9).
    private static func checkDigit(of digits: [Int]) -> Int {
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 1 : 3) }
        return (10 - sum % 10) % 10
    }
}
