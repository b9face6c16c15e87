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
        let (full, rect) = (framing.full, framing.rect)
        guard let paper else {
            let scale = PictureLayout.scale(full, resolution)
            func box(_ rect: PixelRect) -> PDFBox {
                PDFBox(
                    left: Double(rect.x) * scale.x, bottom: Double(full.height - rect.y - rect.height) * scale.y,
                    right: Double(rect.x + rect.width) * scale.x, top: Double(full.height - rect.y) * scale.y)
            }
            let whole = box(PixelRect(x: 0, y: 0, full))
            media = whole.shortened
            shown = box(rect)
            crop = framing.isWhole ? nil : shown.shortened
            clip = nil
            matrix = PictureLayout.matrix(framing.orientation, onto: whole.inset(by: scale))
            return
        }
        // The shape that the pixels have on paper.
        let shape = (
            width: Double(rect.width) / resolution.horizontal, height: Double(rect.height) / resolution.vertical
        )
        let isWide = shape.width > shape.height
        let long = max(paper.width, paper.height)
        let short = min(paper.width, paper.height)
        let page =
            isWide == (paper.width > paper.height) ? paper : PaperSize(isWide ? long : short, isWide ? short : long)
        let factor = min(page.width / shape.width, page.height / shape.height)
        let scale = (x: factor / resolution.horizontal, y: factor / resolution.vertical)
        let size = (width: Double(rect.width) * scale.x, height: Double(rect.height) * scale.y)
        let place = PDFBox(
            left: (page.width - size.width) / 2, bottom: (page.height - size.height) / 2,
            right: (page.width + size.width) / 2, top: (page.height + size.height) / 2)
        media = PDFBox(left: 0, bottom: 0, right: page.width, top: page.height)
        crop = nil
        shown = place
        clip = framing.isWhole ? nil : place
        let left = place.left - Double(rect.x) * scale.x
        let top = place.top + Double(rect.y) * scale.y
        matrix = PictureLayout.matrix(
            framing.orientation,
            onto: PDFBox(
                left: left, bottom: top - Double(full.height) * scale.y, right: left + Double(full.width) * scale.x,
                top: top
            ).inset(by: scale))
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
    var content: [UInt8] {
        func numbers(_ values: [Double]) -> String { values.map(PDFValue.decimal).joined(separator: " ") }
        let cut = clip.map { "\(numbers([$0.left, $0.bottom, $0.width, $0.height])) re W n " } ?? ""
        return Array("q \(cut)\(numbers(matrix)) cm /I Do Q".utf8)
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
