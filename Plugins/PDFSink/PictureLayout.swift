internal import PDFStructure
internal import PageModel

/// The placement of an image on its page.
struct PictureLayout: Hashable {
    /// The whole page.
    let media: PDFBox
    /// The visible part of it; nil for all of it.
    let crop: PDFBox?
    /// The part of the page with the visible part of the image.
    let shown: PDFBox
    /// The part of the page that the image may paint; nil for all of it.
    let clip: PDFBox?
    /// The image's unit square on the page: a, b, c, d, e, f of PDF's matrices (ISO 32000-1, 8.3.3).
    let matrix: [Double]

    /// - Parameters:
    ///   - framing: the image's orientation and visible part.
    ///   - resolution: the oriented image's pixels per inch.
    ///   - paper: the size of the page. Nil for the image's own. A wide image gets the paper sideways.
    init(_ framing: Framing, resolution: Resolution, _ paper: PaperSize?) {
        if let paper {
            let places = PixelPlaces(framing.rect.size, resolution, paper)
            media = places.media
            crop = nil
            shown = places.box(of: PixelRect(x: 0, y: 0, framing.rect.size))
            (clip, matrix) = PictureLayout.painting(framing, onto: shown)
        } else {
            // The whole image is present, and the crop box selects the visible part.
            let places = PixelPlaces(framing.full, resolution)
            media = places.media.shortened
            shown = places.box(of: framing.rect)
            crop = framing.isWhole ? nil : shown.shortened
            (clip, matrix) = PictureLayout.painting(
                Framing(framing.source, framing.orientation), onto: places.media)
        }
    }

    /// Returns the painting of an image such that its framed part fills a box.
    ///
    /// - Returns: the clip, and the place of the whole image. The clip is nil if it is the whole image.
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

    /// Returns the matrix that brings a stored image onto a box, in its orientation.
    private static func matrix(_ orientation: Orientation, onto box: PDFBox) -> [Double] {
        // The place of a point of the unit square, which contains an image with its last row at the bottom.
        func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            var (across, down) = orientation.isTransposed ? (1 - y, x) : (x, 1 - y)
            if orientation.isMirroredAcross { across = 1 - across }
            if orientation.isMirroredDown { down = 1 - down }
            return (box.left + across * box.width, box.bottom + (1 - down) * box.height)
        }
        let (origin, right, up) = (place(0, 0), place(1, 0), place(0, 1))
        return [right.x - origin.x, right.y - origin.y, up.x - origin.x, up.y - origin.y, origin.x, origin.y]
    }

    /// The operators that paint the image, which the page's resources call `I`.
    var content: [UInt8] { PictureLayout.content("I", clip, matrix) }

    /// Returns the operators that paint an object named in the page's resources.
    static func content(_ name: String, _ clip: PDFBox?, _ matrix: [Double]) -> [UInt8] {
        func numbers(_ values: [Double]) -> String { values.map(PDFValue.decimal).joined(separator: " ") }
        let cut = clip.map { "\(numbers([$0.left, $0.bottom, $0.width, $0.height])) re W n " } ?? ""
        return Array("q \(cut)\(numbers(matrix)) cm /\(name) Do Q".utf8)
    }
}

/// The pixel positions of the visible part on a page.
struct PixelPlaces {
    /// The whole page.
    let media: PDFBox
    /// The size of a pixel in points.
    let scale: (x: Double, y: Double)
    /// The upper left corner of the visible part.
    private let corner: (left: Double, top: Double)

    /// - Parameters:
    ///   - size: the size of the visible part.
    ///   - resolution: its pixels per inch.
    ///   - paper: the size of the page. The image is centered on it, as large as it fits. A wide image gets the paper sideways.
    ///     Nil for a page of the image's own size.
    init(_ size: PixelSize, _ resolution: Resolution, _ paper: PaperSize? = nil) {
        let (width, height) = (Double(size.width), Double(size.height))
        guard let paper else {
            scale = PixelPlaces.scale(size, resolution)
            media = PDFBox(left: 0, bottom: 0, right: width * scale.x, top: height * scale.y)
            corner = (0, media.top)
            return
        }
        // The aspect ratio of the pixels on paper.
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

    /// Returns the place of a part of the visible part.
    func box(of rect: PixelRect) -> PDFBox {
        let (left, top) = (corner.left + Double(rect.x) * scale.x, corner.top - Double(rect.y) * scale.y)
        return PDFBox(
            left: left, bottom: top - Double(rect.height) * scale.y, right: left + Double(rect.width) * scale.x,
            top: top)
    }

    /// Returns the size of a pixel in points, so that viewers accept the size of the page.
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
    /// The box, slightly smaller: renderers round a page's size up to whole pixels.
    fileprivate var shortened: PDFBox {
        PDFBox(left: left, bottom: bottom, right: right - 0.0001, top: top - 0.0001)
    }

    /// Returns the box, smaller by a small part of a pixel.
    ///
    /// If an image ends at a screen pixel's edge, poppler draws it over the next pixel as well. The whole image is then a little
    /// too large.
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
