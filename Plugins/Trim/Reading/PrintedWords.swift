internal import AdapterKit
internal import LayoutAnalysis
internal import PageModel

/// The limits of the search for words that pixels alone do not show to be print.
///
/// Measured with `Benchmarks/words_outside.py` on 468 rendered pages of public PDFs: their crop boxes contain all 44,969
/// words that the pages show.
enum PrintedWordsLimits {
    /// The minimum difference of gray levels that is print. Compression of an image changes its levels by less.
    static let minimumContrast = 24
    /// The pixels of the preview by which the smoothed edges of print reach beyond its box.
    static let smoothing = 2
    /// The share of a word's height, or width if that is less, that may be outside. Boxes of words contain blank space
    /// above and below the letters.
    static let blankShare = Ratio(1, 4)
    /// The maximum number of pixels to examine, as a multiple of the preview's. Words of a book hardly overlap.
    static let maximumOverlap = 8
    /// The maximum number of words that a page number consists of, such as "( 12 )".
    static let numberWords = 3
    /// The maximum number of characters of a page number.
    static let numberLength = 8
    /// The maximum probability for a box that pixels alone would have made too small: an image may be cut, too.
    static let confidence = 0.8
}

/// The words of a page rendered from a PDF that are outside the printed area that its pixels show.
///
/// White words on a color, pale words and words far from other text look like dirt or like a scanner's background. The
/// PDF knows them as words. Words that the page does not show, such as the recognized text of a scan, do not count.
struct PrintedWords: Sendable {
    /// A word, in pixels of the page.
    private struct Word: Sendable {
        let box: Bounds
        /// Its digits or Roman numerals; empty for punctuation, nil for other text.
        let number: String?
    }

    private var words: [Word] = []

    /// - Parameters:
    ///   - reading: the printed area that the pixels show.
    ///   - mayLeaveOut: whether the crop box may leave out page numbers and running heads.
    /// - Throws: `CancellationError`. A page whose text is unreadable has no words.
    init(
        of page: Page, _ preview: PagePreview, outside reading: PageReading, mayLeaveOut: Bool
    ) async throws {
        // Other pages stay whole.
        guard reading.kind == .printed || reading.kind == .blank,
            let map = try await PrintedWords.map(of: page, reading)
        else { return }
        let box = (mayLeaveOut ? reading.body : reading.whole).map { Bounds($0) }
        var levels = Levels(preview, degrees: reading.isDeskewed ? reading.skew : nil)
        // Most pages are blank there, so their text need not be read.
        guard levels.hasPrint(in: levels.page, outside: box) else { return }
        for line in try await PrintedWords.lines(of: page) {
            for word in line.words {
                guard let place = Bounds(map.place(of: word.area), of: preview.size), place.reaches(beyond: box) else {
                    continue
                }
                guard levels.budget > 0 else { return }
                if levels.hasPrint(in: place, outside: box) {
                    words.append(Word(box: place, number: PrintedWords.number(in: word.text)))
                }
            }
        }
    }

    /// Creates a list without words.
    init() {}

    /// Adds objects that are print, like words that are not a number.
    ///
    /// - Parameter boxes: their boxes, in pixels of the page.
    mutating func add(_ boxes: [Bounds]) {
        words += boxes.map { Word(box: $0, number: nil) }
    }

    /// Returns the words outside a box, except those that are left out.
    ///
    /// - Parameters:
    ///   - parts: the parts of the page that are left out.
    ///   - leavesOutNumbers: whether to leave out a number by itself above or below the box. Its pixels look like dirt,
    ///     so that it is not among the parts.
    func outside(_ box: Bounds?, leavingOut parts: [Bounds], leavesOutNumbers: Bool) -> [Bounds] {
        let outside = words.filter { word in
            word.box.reaches(beyond: box)
                && !parts.contains { $0.hasMiddle(of: word.box) || word.box.hasMiddle(of: $0) }
        }
        guard leavesOutNumbers else { return outside.map(\.box) }
        func place(_ word: Word) -> Int {
            guard let box else { return 0 }
            return word.box.bottom <= box.top ? -1 : word.box.top >= box.bottom ? 1 : 0
        }
        let places = Dictionary(grouping: outside, by: place)
        return places.flatMap { place, words in
            (place != 0 || box == nil) && PrintedWords.arePageNumber(words) ? [] : words.map(\.box)
        }
    }

    private static func arePageNumber(_ words: [Word]) -> Bool {
        words.count <= PrintedWordsLimits.numberWords && words.allSatisfy { $0.number != nil }
            && words.count { $0.number?.isEmpty == false } == 1
    }

    /// Returns the digits or Roman numerals of a word without its punctuation; nil for other text.
    private static func number(in text: String) -> String? {
        guard text.utf8.count <= PrintedWordsLimits.numberLength else { return nil }
        let number = text.lowercased().filter { $0.isLetter || $0.isNumber }
        let isNumber = number.allSatisfy { "0123456789".contains($0) } || number.allSatisfy { "ivxlc".contains($0) }
        return isNumber ? number : nil
    }

    /// Returns the map from a page's text to its analyzed pixels; nil for a page that is not rendered, or has no words.
    private static func map(of page: Page, _ reading: PageReading) async throws -> PageMap? {
        let picture: Picture
        do {
            picture = try await page.examine()
        } catch {
            try error.throwIfCancelled()
            return nil
        }
        // A scan in layers shows its images, not this text.
        guard picture.document != nil, picture.hasText, case .drawn(let drawn)? = picture.representations.first,
            drawn.layers == nil
        else { return nil }
        if case .bilevel? = drawn.likeness { return nil }
        var map = PageMap(drawn.size)
        for edit in page.edits { map.append(edit) }
        if reading.isDeskewed, let skew = reading.skew { map.append(.change(Deskew(degrees: skew))) }
        return map
    }

    private static func lines(of page: Page) async throws -> [TextLine] {
        do {
            return try await page.text()
        } catch {
            try error.throwIfCancelled()
            return []
        }
    }
}

/// The gray levels of a preview, by places in pixels of its page.
private struct Levels {
    /// The box around the whole page.
    let page: Bounds
    /// The number of pixels that may still be examined.
    private(set) var budget: Int
    private let raster: Raster
    private let preview: PagePreview

    /// - Parameter degrees: the angle by which the page is deskewed; nil for none.
    init(_ preview: PagePreview, degrees: Double?) {
        self.preview = preview
        raster = degrees.map { preview.raster.deskewed(by: $0) } ?? preview.raster
        page = Bounds(PixelRect(x: 0, y: 0, preview.size))
        budget = PrintedWordsLimits.maximumOverlap * raster.size.area
    }

    /// Whether a box has different levels outside another one.
    mutating func hasPrint(in box: Bounds, outside other: Bounds?) -> Bool {
        let whole = pixels(of: box)
        guard let inner = other.map({ pixels(of: $0).grown(PrintedWordsLimits.smoothing) }), inner.intersects(whole)
        else { return isMixed([whole]) }
        let (top, bottom) = (max(whole.top, inner.top), min(whole.bottom, inner.bottom))
        return isMixed([
            Bounds(left: whole.left, top: whole.top, right: whole.right, bottom: top),
            Bounds(left: whole.left, top: bottom, right: whole.right, bottom: whole.bottom),
            Bounds(left: whole.left, top: top, right: inner.left, bottom: bottom),
            Bounds(left: inner.right, top: top, right: whole.right, bottom: bottom),
        ])
    }

    /// Returns the pixels of the raster that a box covers at least in part.
    private func pixels(of box: Bounds) -> Bounds {
        func place(_ page: Int, _ start: Double, _ scale: Double, _ rule: FloatingPointRoundingRule) -> Int {
            Int(clamping: ((Double(page) - start) / scale).rounded(rule), to: 0...1 << 30)
        }
        let (start, scale) = (preview.start, preview.scale)
        return Bounds(
            left: place(box.left, start.x, scale.across, .down), top: place(box.top, start.y, scale.down, .down),
            right: place(box.right, start.x, scale.across, .up), bottom: place(box.bottom, start.y, scale.down, .up)
        ).clamped(to: raster.size)
    }

    /// Whether the levels in boxes of the raster differ enough for print.
    private mutating func isMixed(_ boxes: [Bounds]) -> Bool {
        var (low, high) = (Int.max, Int.min)
        for box in boxes where box.width > 0 && box.height > 0 {
            budget -= box.width * box.height
            for row in box.top..<box.bottom {
                let start = row * raster.size.width
                for level in raster.samples[start + box.left..<start + box.right] {
                    (low, high) = (min(low, Int(level)), max(high, Int(level)))
                }
            }
        }
        return low <= high && high - low >= PrintedWordsLimits.minimumContrast
    }
}

extension Bounds {
    /// Creates the box of a word in pixels of its page; nil for a word whose middle is not on the page.
    fileprivate init?(_ area: PageArea, of size: PixelSize) {
        let shown = area.intersection(.page)
        guard !shown.isEmpty, PageArea.page.contains(area.center) else { return nil }
        func pixels(_ share: Double, _ length: Int, _ rule: FloatingPointRoundingRule) -> Int {
            Int(clamping: (share * Double(length)).rounded(rule), to: 0...length)
        }
        self.init(
            left: pixels(shown.left, size.width, .down), top: pixels(shown.top, size.height, .down),
            right: pixels(shown.right, size.width, .up), bottom: pixels(shown.bottom, size.height, .up))
    }

    /// Whether a word reaches further beyond a box than the blank space in its own box; true without a box.
    fileprivate func reaches(beyond box: Bounds?) -> Bool {
        guard let box else { return true }
        let reach = max(box.left - left, box.top - top, right - box.right, bottom - box.bottom)
        return reach.isMore(than: PrintedWordsLimits.blankShare, of: min(width, height))
    }

    /// Whether the middle of another box is in it.
    fileprivate func hasMiddle(of other: Bounds) -> Bool {
        let (across, down) = (other.left + other.right, other.top + other.bottom)
        return 2 * left <= across && across <= 2 * right && 2 * top <= down && down <= 2 * bottom
    }
}
