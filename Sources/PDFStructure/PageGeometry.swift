package import PageModel

/// A rectangle in a page's coordinates: points, y upwards.
package struct PDFBox: Hashable, Sendable {
    package var left: Double
    package var bottom: Double
    package var right: Double
    package var top: Double

    package init(left: Double, bottom: Double, right: Double, top: Double) {
        self.left = left
        self.bottom = bottom
        self.right = right
        self.top = top
    }

    /// Makes the box of an array of four finite numbers: any two opposite corners; nil for anything else.
    package init?(_ numbers: [Double]?) {
        guard let numbers, numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        left = min(numbers[0], numbers[2])
        right = max(numbers[0], numbers[2])
        bottom = min(numbers[1], numbers[3])
        top = max(numbers[1], numbers[3])
    }

    package var width: Double { right - left }
    package var height: Double { top - bottom }
    /// Whether its area is empty, or too large for calculations.
    package var isEmpty: Bool { !(width > 0 && height > 0 && width.isFinite && height.isFinite) }

    /// Returns the area that both boxes cover; an empty box if they do not overlap.
    package func intersection(_ other: PDFBox) -> PDFBox {
        PDFBox(
            left: max(left, other.left), bottom: max(bottom, other.bottom), right: min(right, other.right),
            top: min(top, other.top))
    }
}

/// The boxes of a PDF page (ISO 32000-1, 14.11.2), by the names that `--page-box` takes.
package enum PageBox: String, CaseIterable, Sendable {
    case crop, media, trim, bleed, art

    /// The box's key in a page's dictionary.
    package var key: String {
        switch self {
        case .crop: "CropBox"
        case .media: "MediaBox"
        case .trim: "TrimBox"
        case .bleed: "BleedBox"
        case .art: "ArtBox"
        }
    }
}

/// A page's boxes, rotation and unit (ISO 32000-1, 7.7.3).
package struct PageGeometry: Hashable, Sendable {
    /// The whole medium; US Letter when the page does not state a usable one.
    package let media: PDFBox
    /// The part that viewers show: the crop box within the medium.
    package let crop: PDFBox
    /// The requested box, within the medium.
    package let shown: PDFBox
    /// The number of clockwise quarter turns, 0 to 3.
    package let turns: Int
    /// The size of a unit of the page's coordinates, in points of 1/72 inch.
    package let userUnit: Double

    package init(_ page: PageNode, showing box: PageBox) {
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
            // These are not inherited; the crop box replaces a missing one.
            case .trim, .bleed, .art: clipped(page[box.key], else: crop)
            }
        let degrees = page["Rotate"].integer ?? 0
        turns = degrees.isMultiple(of: 90) ? ((degrees / 90) % 4 + 4) % 4 : 0
        let unit = page["UserUnit"].number ?? 1
        userUnit = unit > 0 && unit.isFinite ? unit : 1
    }

    /// The width and height of the visible part in points, rotated as shown.
    package var size: (width: Double, height: Double) {
        let (width, height) = (shown.width * userUnit, shown.height * userUnit)
        return turns.isMultiple(of: 2) ? (width, height) : (height, width)
    }

    /// The geometry as a value of the page model.
    package var paper: Paper {
        func numbers(_ box: PDFBox) -> Paper.Box { [box.left, box.bottom, box.right, box.top] }
        return Paper(
            mediaBox: numbers(media), cropBox: numbers(crop), rotation: 90 * turns, userUnit: userUnit)
    }
}
