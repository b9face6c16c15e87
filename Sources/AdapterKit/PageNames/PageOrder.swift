/// The order of page files by their names, the same on every machine and in every locale.
///
/// Paths are compared component by component. Within a component a run of digits, ASCII or full-width, is one
/// number of any length; other text is compared without regard to case, width or Unicode normalisation.
/// 上 comes before 中 before 下, 前 before 後, and 第十巻 after 第九巻, as on a Japanese shelf. The extension of
/// a file counts only between names that are otherwise equal, and so do leading zeros and, last, the raw bytes:
/// two different names are never equal.
public struct PageOrder: Sendable {
    /// A name made ready to be compared many times.
    public struct Key: Sendable {
        fileprivate let components: [[Token]]
        fileprivate let ending: String
        fileprivate let zeros: [Int]
        fileprivate let bytes: [UInt8]
    }

    fileprivate enum Token: Hashable, Sendable {
        /// The digits without leading zeros.
        case number([UInt8])
        case text(String)
    }

    /// Sorts elements by the path each of them has.
    public static func sorted<Element>(_ elements: [Element], by path: (Element) -> String) -> [Element] {
        elements.map { (key(for: path($0)), $0) }
            .sorted { precedes($0.0, $1.0) }
            .map(\.1)
    }

    public static func key(for path: String) -> Key {
        var parts = path.split(separator: "/").map(String.init)
        var ending = ""
        if let last = parts.last, let dot = last.lastIndex(of: "."), dot != last.startIndex {
            ending = last[dot...].lowercased() + end
            parts[parts.count - 1] = String(last[..<dot])
        }
        var zeros: [Int] = []
        let components = parts.map { tokens(of: $0, zeros: &zeros) }
        return Key(components: components, ending: ending, zeros: zeros, bytes: Array(path.utf8))
    }

    /// Whether `left` comes before `right`.
    public static func precedes(_ left: Key, _ right: Key) -> Bool {
        let order =
            compare(left.components, right.components) { compare($0, $1, by: compare) }
            ?? compare(left.ending, right.ending)
            ?? compare(left.zeros, right.zeros, by: compare)
            ?? compare(left.bytes, right.bytes, by: compare)
        return order ?? false
    }

    // MARK: Comparing. nil means equal, true that the left comes first.

    private static func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
        left == right ? nil : left < right
    }

    private static func compare<Element>(
        _ left: [Element], _ right: [Element], by order: (Element, Element) -> Bool?
    ) -> Bool? {
        for (one, other) in zip(left, right) {
            if let result = order(one, other) { return result }
        }
        return compare(left.count, right.count)
    }

    private static func compare(_ left: Token, _ right: Token) -> Bool? {
        switch (left, right) {
        case (.number(let one), .number(let other)):
            compare(one.count, other.count) ?? compare(one, other, by: compare)
        case (.text(let one), .text(let other)):
            // String compares by canonical equivalence: が and か゛ are one letter.
            compare(one, other)
        case (.number, .text):
            true
        case (.text, .number):
            false
        }
    }

    // MARK: Reading names

    /// What every text ends with: no name holds it, and it comes before all letters.
    ///
    /// Swift 6.3.1 finds neither of two strings less than the other when one is the beginning of the other in
    /// another normal form: `"\u{304B}\u{3099}" < "\u{304C}\u{304C}"` is false both ways round. With an end of
    /// its own no text is the beginning of another.
    private static let end = "\0"

    private static func tokens(of component: String, zeros: inout [Int]) -> [Token] {
        let scalars = component.unicodeScalars.map(folded)
        var tokens: [Token] = []
        var text = ""
        var index = 0
        func flush() {
            if !text.isEmpty { tokens.append(.text(text + end)) }
            text = ""
        }
        while index < scalars.count {
            if let run = digits(in: scalars, at: index) {
                flush()
                let significant = Array(run.drop { $0 == UInt8(ascii: "0") })
                zeros.append(run.count - significant.count)
                tokens.append(.number(significant))
                index += run.count
            } else if let (value, count) = JapaneseOrdinal.read(scalars, at: index) {
                flush()
                tokens.append(.number(Array(String(value).utf8)))
                index += count
            } else {
                text.unicodeScalars.append(contentsOf: lowercase(scalars[index]))
                index += 1
            }
        }
        flush()
        return tokens
    }

    private static func digits(in scalars: [Unicode.Scalar], at start: Int) -> [UInt8]? {
        let run = scalars[start...].prefix { ("0"..."9").contains($0) }.map { UInt8($0.value) }
        return run.isEmpty ? nil : run
    }

    /// Full-width ASCII (U+FF01 to U+FF5E) and the ideographic space as their plain counterparts.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0x3000: " "
        default: scalar
        }
    }

    private static func lowercase(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        if scalar.isASCII {
            var view = String.UnicodeScalarView()
            view.append(("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
            return view
        }
        return scalar.properties.lowercaseMapping.unicodeScalars
    }
}
