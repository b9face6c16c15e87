internal import Files

/// The order of page files by their names, the same on every machine and in every locale.
///
/// Paths are compared component by component. Within a component, a run of digits, ASCII or full-width, is one number
/// of any length. Other text is compared without regard to case, width or Unicode normalization. The order of kanji is
/// that of a Japanese bookshelf: 上 before 中 before 下, 前 before 後, and 第九巻 before 第十巻. The extension of a file counts
/// only between names that are otherwise equal. Leading zeros and, last, the raw bytes do so, too. Two different names
/// are therefore never equal, and the files of two folders are never mixed.
public struct PageOrder: Sendable {
    /// A name prepared for many comparisons.
    public struct Key: Sendable {
        fileprivate let components: [Component]
        fileprivate let bytes: [UInt8]
    }

    fileprivate struct Component: Sendable {
        let tokens: [Token]
        /// Whether it is a folder: a file comes before a folder of the same name.
        let isFolder: Bool
        let ending: String
        let zeros: [Int]
        let bytes: [UInt8]
    }

    fileprivate enum Token: Hashable, Sendable {
        /// The digits without leading zeros.
        case number([UInt8])
        case text(String)
    }

    /// Returns elements sorted by the path that each of them has.
    public static func sorted<Element>(_ elements: [Element], by path: (Element) -> String) -> [Element] {
        elements.map { (key(for: path($0)), $0) }
            .sorted { precedes($0.0, $1.0) }
            .map(\.1)
    }

    public static func key(for path: String) -> Key {
        let parts = FileName.components(of: path)
        let components = parts.enumerated().map { component($1, isFolder: $0 < parts.count - 1) }
        return Key(components: components, bytes: Array(path.utf8))
    }

    private static func component(_ name: String, isFolder: Bool) -> Component {
        var (stem, ending) = (name, "")
        if !isFolder, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex {
            (stem, ending) = (String(name[..<dot]), name[dot...].lowercased() + end)
        }
        var zeros: [Int] = []
        let tokens = tokens(of: stem, zeros: &zeros)
        return Component(tokens: tokens, isFolder: isFolder, ending: ending, zeros: zeros, bytes: Array(name.utf8))
    }

    /// Whether `left` comes before `right`.
    public static func precedes(_ left: Key, _ right: Key) -> Bool {
        let order =
            compare(left.components, right.components, by: compare)
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

    private static func compare(_ left: Component, _ right: Component) -> Bool? {
        compare(left.tokens, right.tokens, by: compare)
            ?? (left.isFolder == right.isFolder ? nil : right.isFolder)
            ?? compare(left.ending, right.ending)
            ?? compare(left.zeros, right.zeros, by: compare)
            ?? compare(left.bytes, right.bytes, by: compare)
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

    /// The terminator of every text: it occurs in no name, and it comes before all letters.
    ///
    /// Swift 6.3.1 has a bug: if one string is the beginning of another in a different normal form, neither is less.
    /// Example: `"\u{304B}\u{3099}" < "\u{304C}\u{304C}"` is false in both directions. With a terminator, no text is
    /// the beginning of another.
    private static let end = "\0"

    private static func tokens(of component: String, zeros: inout [Int]) -> [Token] {
        let scalars = component.unicodeScalars.map(folded)
        var tokens: [Token] = []
        // Bytes, because a view of scalars is copied whenever several are appended to it. Long names then cost the
        // square of their length.
        var text: [UInt8] = []
        var index = 0
        func flush() {
            if !text.isEmpty { tokens.append(.text(String(decoding: text, as: UTF8.self) + end)) }
            text.removeAll(keepingCapacity: true)
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
                appendLowercase(scalars[index], to: &text)
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

/// The Japanese ways to count volumes without digits: 第十二巻, 三話, 上巻, （中）, 後編.
enum JapaneseOrdinal {
    /// Returns the number at `start` and the number of its scalars, or nil if there is not a number there.
    static func read(_ scalars: [Unicode.Scalar], at start: Int) -> (value: Int, count: Int)? {
        position(scalars, at: start) ?? numeral(scalars, at: start)
    }

    /// Reads 上, 中, 下, 前, 後 when they are alone or before a counter; in 上田 or 中村 they are just text.
    private static func position(_ scalars: [Unicode.Scalar], at start: Int) -> (value: Int, count: Int)? {
        let value =
            switch scalars[start] {
            case "上", "前": 1
            case "中": 2
            case "下", "後": 3
            default: 0
            }
        guard value > 0, start == 0 || !isWord(scalars[start - 1]) else { return nil }
        let next = start + 1
        guard next == scalars.count || counters.contains(scalars[next]) || !isWord(scalars[next]) else { return nil }
        return (value, 1)
    }

    /// Reads a kanji numeral below 10,000 after 第 or before a counter.
    private static func numeral(_ scalars: [Unicode.Scalar], at start: Int) -> (value: Int, count: Int)? {
        // Not further than necessary: this runs at every position of a name.
        let run = scalars[start...].prefix(maximumDigits + 1).prefix { digits[$0] != nil || units[$0] != nil }
        guard !run.isEmpty, run.count <= maximumDigits else { return nil }
        let follows = start > 0 && scalars[start - 1] == "第"
        let precedes = run.endIndex < scalars.count && counters.contains(scalars[run.endIndex])
        guard follows || precedes else { return nil }
        var total = 0
        var digit: Int?
        for scalar in run {
            if let unit = units[scalar] {
                total += (digit ?? 1) * unit
                digit = nil
            } else if let value = digits[scalar] {
                // 二五 is written for 25 as well as 二十五.
                digit = (digit ?? 0) * 10 + value
            }
        }
        return (total + (digit ?? 0), run.count)
    }

    /// The kanji of the longest numeral below 10,000: 九千九百九十九.
    private static let maximumDigits = 7

    private static let counters: Set<Unicode.Scalar> = [
        "巻", "卷", "話", "章", "回", "部", "集", "号", "冊", "編", "篇", "頁", "節",
    ]
    private static let digits: [Unicode.Scalar: Int] = [
        "〇": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    ]
    private static let units: [Unicode.Scalar: Int] = ["十": 10, "百": 100, "千": 1000]

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.isIdeographic
    }
}
