internal import PageModel

/// One dimension of a page that is to have the size of the other pages.
///
/// Pages are compared in pixels of the book. They are those of a page at the book's usual resolution.
struct CanvasSpan {
    /// The stretch of its print, in pixels of the page; nil for a page without print.
    let print: Range<Int>?
    /// The length of the page in its pixels.
    let whole: Int
    /// The number of pixels of the page per pixel of the book.
    let unit: Double
    /// The pixel from which places are measured.
    let origin: Double
    /// The pixels at which it can be cut without loss: the first of them, and the distance between them.
    let cuts: (first: Int, step: Int)

    /// The stretch of the print in pixels of the book, measured from the origin.
    var place: (start: Double, end: Double)? {
        print.map { ((Double($0.lowerBound) - origin) / unit, (Double($0.upperBound) - origin) / unit) }
    }

    /// The length of the page in pixels of the book.
    var bookLength: Int { Int(clamping: (Double(whole) / unit).rounded(.down), to: MarginLimits.pixels) }

    /// Returns a length of the book in pixels of a page.
    static func pixels(_ length: Int, _ unit: Double) -> Int {
        Int(clamping: (Double(length) * unit).rounded(), to: MarginLimits.pixels)
    }

    /// Returns the beginning of a stretch that holds the print with a margin. The page can be cut there without loss.
    ///
    /// Nil if the page has no such stretch.
    ///
    /// - Parameters:
    ///   - length: the length of the stretch, in pixels of the page.
    ///   - wanted: the preferred beginning, in pixels of the book from the origin.
    ///   - margin: the minimum margin in pixels of the page. It may end with the page.
    func start(_ length: Int, near wanted: Double, margin: Int) -> Int? {
        // Without print, any stretch of the page will do.
        MarginSpan(print?.lowerBound ?? whole, print?.upperBound ?? 0, margin: 0, within: whole).start(
            length, near: Int(clamping: (origin + wanted * unit).rounded(), to: 0...whole), cuts, minimumMargin: margin)
    }

    /// Returns the stretch for a page that has no suitable stretch of `length`.
    ///
    /// It has all print with its margins, and that length if the page has it. The page can be cut there without loss.
    func widened(_ length: Int, margin: Int) -> Range<Int> {
        if length >= whole { return 0..<whole }
        let print = print ?? 0..<0
        let start = max(0, min(print.lowerBound - margin, whole - length))
        let cut = max(0, start - ((start - cuts.first) % cuts.step + cuts.step) % cuts.step)
        return cut..<min(whole, max(cut + length, print.upperBound + margin))
    }
}
