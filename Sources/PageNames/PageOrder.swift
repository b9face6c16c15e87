internal import Files

/// The order of page files by their names, the same on every machine and in every locale.
///
/// Paths are compared component by component. Within a component, a run of digits, ASCII or full-width, is one number
/// of any length. Other text is compared without regard to case, width or Unicode normalization. The order of kanji is
/// that of a Japanese bookshelf: 上 before 中 before 下, 前 before 後, and 第九巻 before 第十巻. A number may have decimals:
/// chapter 9.5 is between 9 and 10. The extension of a file counts only between names that are otherwise equal. Leading zeros
/// and, last, the raw bytes do so, too. Two different names are therefore never equal, and the files of two folders are never
/// mixed.
package struct PageOrder: Sendable {
    /// A name prepared for many comparisons.
    package struct Key: Sendable {
        fileprivate let components: [Component]
        fileprivate let bytes: [UInt8]

        /// Whether it has a word that states the place of a page.
        fileprivate var hasPlace: Bool {
            components.contains { component in
                component.tokens.contains { if case .place = $0 { true } else { false } }
            }
        }
    }

    fileprivate struct Component: Sendable {
        let tokens: [Token]
        /// Whether it is a folder: a file comes before a folder of the same name.
        let isFolder: Bool
        let ending: String
        let zeros: [Int]
        let fractions: [Fraction]
        let bytes: [UInt8]
    }

    /// The digits after a number's decimal separator, and the text of the component before it.
    fileprivate struct Fraction: Hashable, Sendable {
        let prefix: String
        let digits: String
    }

    fileprivate enum Token: Hashable, Sendable {
        /// The digits without leading zeros, and those after the decimal separator.
        case number([UInt8], fraction: [UInt8])
        case text(String)
        /// A word for a page that has its place before (negative) or after the numbered pages.
        case place(Int)
    }

    /// Returns elements sorted by the path that each of them has.
    package static func sorted<Element>(_ elements: [Element], by path: (Element) -> String) -> [Element] {
        sorted(elements.map { (key(for: path($0)), $0) })
    }

    /// Returns the order in which pages are read whose names are words: the cover first, the colophon last.
    ///
    /// - Parameter paths: the names, as `sorted` orders them.
    /// - Returns: the places in `paths`, and those of the names with such words; nil if the order does not change.
    package static func readingOrder(of paths: [String]) -> (order: [Int], named: [Int])? {
        let keys = paths.map { key(for: $0, placesWords: true) }
        let named = paths.indices.filter { keys[$0].hasPlace }
        guard !named.isEmpty else { return nil }
        let order = sorted(Array(zip(keys, paths.indices)))
        return order == Array(paths.indices) ? nil : (order, named)
    }

    private static func sorted<Element>(_ elements: [(key: Key, Element)]) -> [Element] {
        let countsParts = countsParts(elements.map(\.key))
        return elements.enumerated().sorted { left, right in
            // The pages of one file keep their order.
            order(left.element.key, right.element.key, countsParts) ?? (left.offset < right.offset)
        }.map(\.element.1)
    }

    /// - Parameter placesWords: whether "cover" and similar words state the place of a page.
    package static func key(for path: String, placesWords: Bool = false) -> Key {
        let parts = FileName.components(of: path)
        let components = parts.enumerated().map {
            component($1, isFolder: $0 < parts.count - 1, placesWords: placesWords)
        }
        return Key(components: components, bytes: Array(path.utf8))
    }

    private static func component(_ name: String, isFolder: Bool, placesWords: Bool) -> Component {
        var (stem, ending) = (name, "")
        if !isFolder, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex,
            !isDecimal(name[dot...])
        {
            (stem, ending) = (String(name[..<dot]), name[dot...].lowercased() + end)
        }
        var reader = TokenReader(stem, placesWords: placesWords)
        reader.run()
        return Component(
            tokens: reader.tokens, isFolder: isFolder, ending: ending, zeros: reader.zeros,
            fractions: reader.fractions, bytes: Array(name.utf8))
    }

    /// Whether the end of a name is not an extension, but the decimals of its number: "Chapter 9.5".
    private static func isDecimal(_ ending: Substring) -> Bool {
        let rest = ending.utf8.dropFirst()
        let next = rest.first { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return rest.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
            && [nil, UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(next)
    }

    /// Whether the digits after a dot count parts, as in 9.9 before 9.10, and are not decimals.
    ///
    /// Only digits of different lengths show that: a part follows the one before it, or its number ends with a zero.
    private static func countsParts(_ keys: [Key]) -> Bool {
        let found = Set(keys.flatMap { $0.components.flatMap(\.fractions) })
        let lengths = Dictionary(grouping: found, by: \.prefix).mapValues { Set($0.map(\.digits.count)) }
        return found.contains { fraction in
            guard lengths[fraction.prefix]?.count ?? 0 > 1, fraction.digits.count > 1,
                !fraction.digits.hasPrefix("0"), let number = Int(fraction.digits)
            else { return false }
            return fraction.digits.hasSuffix("0")
                || found.contains(Fraction(prefix: fraction.prefix, digits: String(number - 1)))
        }
    }

    /// Whether `left` comes before `right`.
    package static func precedes(_ left: Key, _ right: Key) -> Bool {
        order(left, right, false) ?? false
    }

    private static func order(_ left: Key, _ right: Key, _ countsParts: Bool) -> Bool? {
        compare(left.components, right.components) { compare($0, $1, countsParts) }
            ?? compare(left.bytes, right.bytes, by: compare)
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

    private static func compare(_ left: Component, _ right: Component, _ countsParts: Bool) -> Bool? {
        compare(left.tokens, right.tokens) { compare($0, $1, countsParts) }
            ?? (left.isFolder == right.isFolder ? nil : right.isFolder)
            ?? compare(left.ending, right.ending)
            ?? compare(left.zeros, right.zeros, by: compare)
            ?? compare(left.bytes, right.bytes, by: compare)
    }

    private static func compare(_ left: Token, _ right: Token, _ countsParts: Bool) -> Bool? {
        switch (left, right) {
        case (.number(let one, let part), .number(let other, let otherPart)):
            compare(one.count, other.count) ?? compare(one, other, by: compare)
                ?? (countsParts ? compare(part.count, otherPart.count) : nil) ?? compare(part, otherPart, by: compare)
        case (.text(let one), .text(let other)):
            // String compares by canonical equivalence: が and か゛ are one letter.
            compare(one, other)
        case (.place(let one), .place(let other)): compare(one, other)
        case (.place(let place), _): place < 0
        case (_, .place(let place)): place > 0
        case (.number, .text):
            true
        case (.text, .number):
            false
        }
    }

    // MARK: Reading names

    /// The terminator of every text: it occurs in no name, and it comes before all letters.
    ///
    /// Swift 6.3.1 has a bug: if one string is the beginning of another in a different normal form, neither is less.
    /// Example: `"\u{304B}\u{3099}" < "\u{304C}\u{304C}"` is false in both directions. With a terminator, no text is
    /// the beginning of another.
    private static let end = "\0"

    /// A reader for the tokens of a name.
    private struct TokenReader {
        private(set) var tokens: [Token] = []
        /// The numbers of leading zeros.
        private(set) var zeros: [Int] = []
        private(set) var fractions: [Fraction] = []

        private let scalars: [Unicode.Scalar]
        private let placesWords: Bool
        private var index = 0
        // Bytes, because a view of scalars is copied whenever several are appended to it. Long names then cost the
        // square of their length.
        private var text: [UInt8] = []

        /// The maximum number of decimals that are compared, so that long names do not cost the square of their length.
        private static let maximumFractions = 4

        init(_ component: String, placesWords: Bool) {
            scalars = component.unicodeScalars.map(TokenReader.folded)
            self.placesWords = placesWords
        }

        mutating func run() {
            while index < scalars.count {
                if let run = digits(at: index) {
                    addNumber(run)
                } else if let (value, count) = JapaneseOrdinal.read(scalars, at: index) {
                    flush()
                    tokens.append(.number(Array(String(value).utf8), fraction: []))
                    index += count
                } else if placesWords, let (place, count) = PlaceWord.read(scalars, at: index) {
                    flush()
                    tokens.append(.place(place))
                    index += count
                } else {
                    TokenReader.appendLowercase(scalars[index], to: &text)
                    index += 1
                }
            }
            flush()
        }

        private mutating func flush() {
            if !text.isEmpty { tokens.append(.text(String(decoding: text, as: UTF8.self) + end)) }
            text.removeAll(keepingCapacity: true)
        }

        private mutating func addNumber(_ run: [UInt8]) {
            flush()
            let significant = Array(run.drop { $0 == UInt8(ascii: "0") })
            zeros.append(run.count - significant.count)
            let decimals = decimals(before: index, after: index + run.count)
            index += run.count
            if let decimals {
                if fractions.count < TokenReader.maximumFractions {
                    var prefix: [UInt8] = []
                    for scalar in scalars[..<index] { TokenReader.appendLowercase(scalar, to: &prefix) }
                    fractions.append(
                        Fraction(
                            prefix: String(decoding: prefix, as: UTF8.self),
                            digits: String(decoding: decimals, as: UTF8.self)))
                }
                index += 1 + decimals.count
            }
            tokens.append(.number(significant, fraction: decimals ?? []))
        }

        /// Returns the decimals of a number; nil in a date or a version, such as 2024.01.05, and in 1,000.
        private func decimals(before start: Int, after end: Int) -> [UInt8]? {
            guard end < scalars.count, TokenReader.separators.contains(scalars[end]), let run = digits(at: end + 1)
            else { return nil }
            if start > 1, TokenReader.separators.contains(scalars[start - 1]), isDigit(start - 2) { return nil }
            let next = end + 1 + run.count
            if next < scalars.count, TokenReader.separators.contains(scalars[next]), isDigit(next + 1) { return nil }
            return scalars[end] == "," && run.count == 3 ? nil : run
        }

        private static let separators: Set<Unicode.Scalar> = [".", ","]

        private func isDigit(_ index: Int) -> Bool {
            scalars.indices.contains(index) && ("0"..."9").contains(scalars[index])
        }

        private func digits(at start: Int) -> [UInt8]? {
            guard isDigit(start) else { return nil }
            return scalars[start...].prefix { ("0"..."9").contains($0) }.map { UInt8($0.value) }
        }

        /// Returns the plain counterpart of full-width ASCII (U+FF01 to U+FF5E) and of the ideographic space.
        private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
            switch scalar.value {
            case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
            case 0x3000: " "
            default: scalar
            }
        }

        private static func appendLowercase(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
            if scalar.isASCII {
                text.append(("A"..."Z").contains(scalar) ? UInt8(scalar.value) + 32 : UInt8(scalar.value))
            } else {
                text += scalar.properties.lowercaseMapping.utf8
            }
        }
    }
}
