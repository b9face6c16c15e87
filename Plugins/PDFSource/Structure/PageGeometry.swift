internal import PageModel

/// A page's place on the paper: its boxes and turning (ISO 32000-1, 7.7.3).
struct PageGeometry: Hashable, Sendable {
    let media: PDFBox
    /// The part that is shown when nothing else is asked for.
    let crop: PDFBox
    /// The box that was asked for.
    let shown: PDFBox
    /// Clockwise quarter turns, 0 to 3.
    let turns: Int
    /// The size of a unit of the page's coordinates, in points.
    let userUnit: Double

    init(_ page: PageNode, showing box: PageBox) {
        let letter = PDFBox(left: 0, bottom: 0, right: 612, top: 792)
        let stated = PDFBox(page["MediaBox"].numbers)
        let media = stated.flatMap { $0.isEmpty ? nil : $0 } ?? letter
        func clipped(_ object: PDFObject, else fallback: PDFBox) -> PDFBox {
            guard let box = PDFBox(object.numbers)?.intersection(media), !box.isEmpty else { return fallback }
            return box
        }
        let crop = clipped(page["CropBox"], else: media)
        self.media = media
        self.crop = crop
        shown =
            switch box {
            case .media: media
            case .crop: crop
            // Not inherited, and the crop box where they are missing.
            case .trim, .bleed, .art: clipped(page[box.key], else: crop)
            }
        let degrees = page["Rotate"].integer ?? 0
        turns = degrees.isMultiple(of: 90) ? ((degrees / 90) % 4 + 4) % 4 : 0
        let unit = page["UserUnit"].number ?? 1
        userUnit = unit > 0 && unit.isFinite ? unit : 1
    }

    /// The width and height of what is shown, turned as a reader sees it, in points.
    var size: (width: Double, height: Double) {
        let (width, height) = (shown.width * userUnit, shown.height * userUnit)
        return turns.isMultiple(of: 2) ? (width, height) : (height, width)
    }

    /// The geometry in the model's words.
    var paper: Paper {
        func numbers(_ box: PDFBox) -> Paper.Box { [box.left, box.bottom, box.right, box.top] }
        return Paper(
            mediaBox: numbers(media), cropBox: numbers(crop), rotation: 90 * turns, userUnit: userUnit)
    }
}
