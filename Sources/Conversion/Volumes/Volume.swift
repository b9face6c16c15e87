internal import PageModel

/// A part of a book that becomes a whole book of its own.
struct Volume: Sendable {
    /// The number from 1, and the number of volumes.
    let number: Int
    let count: Int
    let sequence: PageSequence

    /// Divides a book. A book with one volume stays as it is.
    static func all(of whole: PageSequence, _ ranges: [Range<Int>]) -> [Volume] {
        let starts = VolumeOutline(whole)
        return ranges.enumerated().map { place, range in
            guard ranges.count > 1 else { return Volume(number: 1, count: 1, sequence: whole) }
            var book = whole.book
            book.describe(volume: place + 1, of: ranges.count)
            book.outline = starts.items(of: range)
            return Volume(
                number: place + 1, count: ranges.count,
                sequence: PageSequence(book: book, pages: Array(whole.pages[range])))
        }
    }

    /// Returns the places of the pages at which the chapters at the top of the table of contents begin.
    static func chapters(of whole: PageSequence) -> Set<Int> {
        let outline = whole.book.outline
        guard let top = outline.filter({ $0.page != nil }).map(\.level).min() else { return [] }
        let places = VolumeOutline(whole)
        return Set(outline.filter { $0.level == top }.compactMap(places.place))
    }
}

extension BookMetadata {
    /// Describes a volume: by its title, and by its number in a series.
    ///
    /// Library apps show books of one number as duplicates. The volumes of number 7 are thus 7.1, 7.2 and so on, between 7
    /// and 8. Formats without a volume state it as the number, so a book with only a volume is treated alike.
    fileprivate mutating func describe(volume: Int, of count: Int) {
        let part = VolumePaths.text(volume, of: count)
        if number == nil { series = series ?? title }
        if let whole = number ?? self.volume {
            number = whole.contains(".") ? whole + part : "\(whole).\(part)"
        } else {
            number = String(volume)
        }
        title = title.map { "\($0) [\(part)/\(count)]" }
        isNamedByInput = false
    }
}

/// The table of contents of a book, for its volumes.
struct VolumeOutline {
    private let outline: [OutlineItem]
    private let pages: [Page]
    /// The places of pages by their numbers.
    private var places: [Int: Int] = [:]

    init(_ whole: PageSequence) {
        (outline, pages) = (whole.book.outline, whole.pages)
        for (place, page) in pages.enumerated() {
            for number in page.numbers { places[number] = places[number] ?? place }
        }
    }

    /// Returns the place of an item's page; nil if the item has none, or the book lacks it.
    func place(_ item: OutlineItem) -> Int? { item.page.flatMap { places[$0] } }

    /// Returns the items of a volume. The chapter that goes on from the volume before begins with the first page, and so do
    /// the chapters around an item.
    func items(of range: Range<Int>) -> [OutlineItem] {
        guard let first = range.first.map({ pages[$0].id }) else { return [] }
        var items: [OutlineItem] = []
        // The chapters around the item, and the number of them that are listed: always the outer ones.
        var (open, listed): ([OutlineItem], Int) = ([], 0)
        let carried = continuing(at: range.lowerBound)
        for (index, item) in outline.enumerated() {
            while let last = open.last, last.level >= item.level { open.removeLast() }
            listed = min(listed, open.count)
            open.append(item)
            guard index == carried || place(item).map(range.contains) ?? false else { continue }
            for var chapter in open[listed...] {
                // A heading without a page stays one.
                if chapter.page != nil, !(place(chapter).map(range.contains) ?? false) {
                    (chapter.page, chapter.place) = (first, nil)
                }
                items.append(chapter)
            }
            listed = open.count
        }
        return items
    }

    /// Returns the index of the item that a volume continues at its first page; nil if an item begins there.
    private func continuing(at start: Int) -> Int? {
        let found = outline.indices.compactMap { index in place(outline[index]).map { (index: index, place: $0) } }
        if found.contains(where: { $0.place == start }) { return nil }
        let before = found.filter { $0.place < start }
        let last = before.map(\.place).max()
        return before.last { $0.place == last }?.index
    }
}
