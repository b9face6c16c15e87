public import PageModel

/// The selected pages and their order: `1-10,15,odd,-3..`.
///
/// The text is a list of items, separated by commas. The items are:
/// - Page number: `7`.
/// - Range: `2-5` or `2..5`.
/// - Open range: `..5`, `7..` or `7-`.
/// - `odd`, `even` or `all`.
///
/// A negative number counts from the end: `-1` is the last page, `-3..` the last three. A range may run backwards. The pages come
/// in the order in which they are named, each once.
public struct PageSelection: Hashable, Sendable {
    private enum Item: Hashable {
        case range(first: Int?, last: Int?)
        case odd
        case even
    }

    private let text: String
    private let items: [Item]

    /// - Throws: `.usage` if `text` does not follow the grammar.
    public init(_ text: String) throws(AdapterError) {
        self.text = text
        var items: [Item] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let item = PageSelection.item(part.filter { $0 != " " }) else {
                throw AdapterError(
                    .usage, "--pages has an invalid item '\(part)'",
                    hint: "it takes a list like 1-10,15,odd,-3.. (see 'jisui help convert')")
            }
            items.append(item)
        }
        self.items = items
    }

    /// Returns the selected pages of a sequence. Its outline keeps the entries that link to them.
    ///
    /// - Throws: `.usage` if a selected page does not exist.
    public func apply(to sequence: PageSequence) throws(AdapterError) -> PageSequence {
        let count = sequence.pages.count
        var chosen: [Int] = []
        var seen: Set<Int> = []
        for item in items {
            for number in try numbers(of: item, count: count) where seen.insert(number).inserted {
                chosen.append(number)
            }
        }
        if chosen.isEmpty, count > 0 {
            throw AdapterError(
                .usage,
                count == 1
                    ? "--pages \(text) does not select its 1 page"
                    : "--pages \(text) selects none of its \(count) pages")
        }
        var copy = sequence
        copy.pages = chosen.map { sequence.pages[$0 - 1] }
        let kept = Set(copy.pages.map(\.id))
        copy.book.outline.removeAll { item in item.page.map { !kept.contains($0) } ?? false }
        return copy
    }

    private func numbers(of item: Item, count: Int) throws(AdapterError) -> [Int] {
        switch item {
        case .odd: return Array(stride(from: 1, through: count, by: 2))
        case .even: return Array(stride(from: 2, through: count, by: 2))
        case .range(let first, let last):
            func resolved(_ number: Int) throws(AdapterError) -> Int {
                let page = number < 0 ? count + 1 + number : number
                guard (1...max(count, 1)).contains(page), count > 0 else {
                    throw AdapterError(
                        .usage,
                        count == 1
                            ? "--pages \(text) selects page \(number), and there is 1 page"
                            : "--pages \(text) selects page \(number), and there are \(count) pages")
                }
                return page
            }
            let start = try first.map { number throws(AdapterError) in try resolved(number) } ?? 1
            // A range without a start is "at most these": it may end after the last page.
            if first == nil, let last, count > 0, last > count { return Array(1...count) }
            let end = try last.map { number throws(AdapterError) in try resolved(number) } ?? count
            if count == 0 { return [] }
            return start <= end ? Array(start...end) : Array((end...start).reversed())
        }
    }

    private static func item(_ text: String) -> Item? {
        switch text {
        case "odd": return .odd
        case "even": return .even
        case "all": return .range(first: nil, last: nil)
        default: break
        }
        if let number = number(text[...]) { return .range(first: number, last: number) }
        if let dots = text.firstRange(of: "..") {
            let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
            if first.isEmpty && last.isEmpty { return nil }
            let (start, end) = (number(first), number(last))
            guard first.isEmpty || start != nil, last.isEmpty || end != nil else { return nil }
            return .range(first: start, last: end)
        }
        if text.hasSuffix("-"), let start = number(text.dropLast()) { return .range(first: start, last: nil) }
        if let dash = text.dropFirst().firstIndex(of: "-"), let start = number(text[..<dash]),
            let end = number(text[text.index(after: dash)...])
        {
            return .range(first: start, last: end)
        }
        return nil
    }

    /// Returns a page number that is neither zero nor absurdly large.
    private static func number(_ text: Substring) -> Int? {
        guard let number = Int(text), number != 0, number.magnitude < 10_000_000, text.first != "+" else { return nil }
        return number
    }
}
