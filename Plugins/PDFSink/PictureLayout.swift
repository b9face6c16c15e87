internal import PDFStructure
internal import PageModel

/// How a picture lies on its page.
struct PictureLayout: Hashable {
    /// The whole page.
    let media: PDFBox
    /// What of it is shown; nil for all of it.
    let crop: PDFBox?
    /// What of the page shows the part of the picture that is shown.
    let shown: PDFBox
    /// What of the page the picture may paint; nil for all of it.
    let clip: PDFBox?
    /// The picture's unit square on the page: a, b, c, d, e, f of PDF's matrices (ISO 32000-1, 8.3.3).
    let matrix: [Double]

    /// - Parameters:
    ///   - framing: how the picture is oriented, and which part of it is shown.
    ///   - resolution: pixels per inch of the oriented picture.
    ///   - paper: the size that the page is to have; nil for the picture's own. A wide picture gets the paper sideways.
    init(_ framing: Framing, resolution: Resolution, _ paper: PaperSize?) {
        if let paper {
            let places = PixelPlaces(framing.rect.size, resolution, paper)
            media = places.media
            crop = nil
            shown = places.box(of: PixelRect(x: 0, y: 0, framing.rect.size))
            (clip, matrix) = PictureLayout.painting(framing, onto: shown)
        } else {
            // All of the picture is there, and viewers are told what to show.
            let places = PixelPlaces(framing.full, resolution)
            media = places.media.shortened
            shown = places.box(of: framing.rect)
            crop = framing.isWhole ? nil : shown.shortened
            (clip, matrix) = PictureLayout.painting(
                Framing(framing.source, framing.orientation), onto: places.media)
        }
    }

    /// What brings that part of a picture onto a box that a framing shows.
    ///
    /// - Returns: what may be painted, if that is not all of the picture; and the place of the whole of it.
    static func painting(_ framing: Framing, onto place: PDFBox) -> (clip: PDFBox?, matrix: [Double]) {
        let (full, shown) = (framing.full, framing.rect)
        let scale = (x: place.width / Double(shown.width), y: place.height / Double(shown.height))
        let left = place.left - Double(shown.x) * scale.x
        let top = place.top + Double(shown.y) * scale.y
        let whole = PDFBox(
            left: left, bottom: top - Double(full.height) * scale.y, right: left + Double(full.width) * scale.x,
            top: top)
        return (framing.isWhole ? nil : place, matrix(framing.orientation, onto: whole.inset(by: scale)))
    }

    /// The matrix that brings a stored picture onto a box, in its orientation.
    private static func matrix(_ orientation: Orientation, onto box: PDFBox) -> [Double] {
        // Where a point of the unit square comes to lie, in which a picture stands with its last row at the bottom.
        func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            var (across, down) = orientation.isTransposed ? (1 - y, x) : (x, 1 - y)
            if orientation.isMirroredAcross { across = 1 - across }
            if orientation.isMirroredDown { down = 1 - down }
            return (box.left + across * box.width, box.bottom + (1 - down) * box.height)
        }
        let (origin, right, up) = (place(0, 0), place(1, 0), place(0, 1))
        return [right.x - origin.x, right.y - origin.y, up.x - origin.x, up.y - origin.y, origin.x, origin.y]
    }

    /// What paints the picture, which the page's resources call `I`.
    var content: [UInt8] { PictureLayout.content("I", clip, matrix) }

    /// What paints something that the page's resources have a name for.
    static func content(_ name: String, _ clip: PDFBox?, _ matrix: [Double]) -> [UInt8] {
        func numbers(_ values: [Double]) -> String { values.map(PDFValue.decimal).joined(separator: " ") }
        let cut = clip.map { "\(numbers([$0.left, $0.bottom, $0.width, $0.height])) re W n " } ?? ""
        return Array("q \(cut)\(numbers(matrix)) cm /\(name) Do Q".utf8)
    }
}

/// Where the pixels of what is shown lie on a page.
struct PixelPlaces {
    /// The whole page.
    let media: PDFBox
    /// Points a pixel takes.
    let scale: (x: Double, y: Double)
    /// The upper left corner of what is shown.
    private let corner: (left: Double, top: Double)

    /// - Parameters:
    ///   - size: of what is shown.
    ///   - resolution: its pixels per inch.
    ///   - paper: the size of the page, in whose middle it lies as large as it fits; turned sideways for what is wide.
    ///     Nil for a page of its own size.
    init(_ size: PixelSize, _ resolution: Resolution, _ paper: PaperSize? = nil) {
        let (width, height) = (Double(size.width), Double(size.height))
        guard let paper else {
            scale = PixelPlaces.scale(size, resolution)
            media = PDFBox(left: 0, bottom: 0, right: width * scale.x, top: height * scale.y)
            corner = (0, media.top)
            return
        }
        // The shape that the pixels have on paper.
        let shape = (width: width / resolution.horizontal, height: height / resolution.vertical)
        let isWide = shape.width > shape.height
        let long = max(paper.width, paper.height)
        let short = min(paper.width, paper.height)
        let page =
            isWide == (paper.width > paper.height) ? paper : PaperSize(isWide ? long : short, isWide ? short : long)
        let factor = min(page.width / shape.width, page.height / shape.height)
        scale = (factor / resolution.horizontal, factor / resolution.vertical)
        media = PDFBox(left: 0, bottom: 0, right: page.width, top: page.height)
        corner = ((page.width - width * scale.x) / 2, (page.height + height * scale.y) / 2)
    }

    /// The place of a part of what is shown.
    func box(of rect: PixelRect) -> PDFBox {
        let (left, top) = (corner.left + Double(rect.x) * scale.x, corner.top - Double(rect.y) * scale.y)
        return PDFBox(
            left: left, bottom: top - Double(rect.height) * scale.y, right: left + Double(rect.width) * scale.x,
            top: top)
    }

    /// Points a pixel takes, so that the page has a size that viewers take.
    private static func scale(_ size: PixelSize, _ resolution: Resolution) -> (x: Double, y: Double) {
        func sensible(_ resolution: Double) -> Double {
            (1...100_000).contains(resolution) ? resolution : PDFOptions.usualResolution.horizontal
        }
        let scale = (x: 72 / sensible(resolution.horizontal), y: 72 / sensible(resolution.vertical))
        let sides = [Double(size.width) * scale.x, Double(size.height) * scale.y]
        var factor = max(1, PaperSize.allowed.lowerBound / (sides.min() ?? 1))
        factor = min(factor, PaperSize.allowed.upperBound / (sides.max() ?? 1))
        return (scale.x * factor, scale.y * factor)
    }
}

extension PDFBox {
    /// The box, less than a hair smaller: programs that draw a page round its size up to whole pixels.
    fileprivate var shortened: PDFBox {
        PDFBox(left: left, bottom: bottom, right: right - 0.0001, top: top - 0.0001)
    }

    /// The box, smaller by a small part of a pixel: poppler draws a picture that ends where a pixel of the screen does
    /// over the next one as well, and so all of it a little too large.
    fileprivate func inset(by pixel: (x: Double, y: Double)) -> PDFBox {
        let part = 1.0 / 200
        return PDFBox(
            left: left + part * pixel.x, bottom: bottom + part * pixel.y, right: right - part * pixel.x,
            top: top - part * pixel.y)
    }
}

extension PaperSize {
    init(_ width: Double, _ height: Double) {
        (self.width, self.height) = (width, height)
    }
}
