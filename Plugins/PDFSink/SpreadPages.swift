internal import PDFStructure
internal import PageModel

/// Several pages side by side on one page of a PDF.
struct PDFSpread {
    /// A part of the spread.
    enum Content {
        /// An image, by its place in the spool.
        case picture(Int, Framing)
        case copy(CopiedPage)
    }

    let parts: [(content: Content, place: PDFBox)]
    /// The whole page.
    let media: PDFBox
    /// The visible part of it.
    let shown: PDFBox
    /// The color of the area outside the parts; nil if they leave no such area, or paper is white.
    let background: RGB?
}

extension PDFSpread {
    /// A part with the place of its pixels.
    struct Placed {
        let content: Content
        let place: PixelRect
        /// The size in points of a copied page.
        let paper: PaperSize?
    }

    /// The difference in pixels up to which parts count as equal to their paper: sizes in pixels are rounded.
    fileprivate static let tolerance = 2.0

    /// - Parameters:
    ///   - size: the size of the whole, in pixels.
    ///   - resolution: its pixels per inch.
    ///   - paper: the size of the page. Nil for the parts' own.
    init(
        _ placed: [Placed], size: PixelSize, background: RGB?, resolution: Resolution, paper: PaperSize?
    ) {
        let places = PixelPlaces(size, resolution, paper)
        let whole = places.box(of: PixelRect(x: 0, y: 0, size))
        self.background = background
        let exact = placed.map { paper == nil ? $0.exactSize(places.scale) : nil }
        guard exact.contains(where: { $0 != nil }) else {
            (media, shown) = (places.media, whole)
            parts = placed.map { ($0.content, places.box(of: $0.place)) }
            return
        }
        // Copied pages keep their size to the last digit, and adjacent pages are adjusted.
        var boxes = placed.map { places.box(of: $0.place) }
        // The pages as high as the whole determine its height.
        let heights = placed.indices.filter { placed[$0].place.height == size.height }
            .map { exact[$0]?.height ?? whole.top }
        let top = heights.max() ?? whole.top
        var moved = 0.0
        for index in placed.indices.sorted(by: { placed[$0].place.x < placed[$1].place.x }) {
            let (box, size) = (boxes[index], exact[index] ?? PaperSize(boxes[index].width, boxes[index].height))
            let (left, upper) = (box.left + moved, top - (whole.top - box.top))
            boxes[index] = PDFBox(left: left, bottom: upper - size.height, right: left + size.width, top: upper)
            moved += size.width - box.width
        }
        media = PDFBox(left: 0, bottom: 0, right: whole.right + moved, top: top)
        shown = media
        parts = zip(placed, boxes).map { ($0.content, $1) }
    }

    /// Creates one unpaired page, as large as it fits on paper.
    init(_ page: CopiedPage, _ geometry: PageGeometry, on paper: PaperSize) {
        let size = page.framing.rect.size
        self.init(
            [Placed(content: .copy(page), place: PixelRect(x: 0, y: 0, size), paper: nil)], size: size, background: nil,
            resolution: geometry.resolution(page.framing), paper: paper)
    }
}

extension PDFSpread.Placed {
    /// Returns the size in points of a copied page that its place does not scale.
    ///
    /// - Parameter scale: the size of a pixel in points.
    fileprivate func exactSize(_ scale: (x: Double, y: Double)) -> PaperSize? {
        guard let paper else { return nil }
        let across = abs(paper.width - Double(place.width) * scale.x)
        let up = abs(paper.height - Double(place.height) * scale.y)
        return across <= PDFSpread.tolerance * scale.x && up <= PDFSpread.tolerance * scale.y ? paper : nil
    }
}

/// A builder for pages that show several side by side: unchanged images, and copied pages as forms.
struct SpreadPages {
    let pictures: PicturePages
    let copier: PageCopier

    /// - Throws: `.damaged` for a damaged copied page; `.unwritable`.
    func page(_ spread: PDFSpread, _ text: TextLayers.Layer?) throws(AdapterError) -> PDFObject {
        var (objects, content): ([String: PDFValue], [UInt8]) = ([:], [])
        if let color = spread.background {
            content += SpreadPages.fill(spread.shown, color)
        }
        var copies: [(page: CopiedPage, matrix: [Double])] = []
        for (number, part) in spread.parts.enumerated() {
            let (name, place) = ("P\(number)", part.place)
            // A page may leave parts of its paper unpainted, which are white all the same.
            if spread.background != nil { content += SpreadPages.fill(place, .white) }
            switch part.content {
            case .picture(let index, let framing):
                objects[name] = .reference(pictures.image(index))
                let (clip, matrix) = PictureLayout.painting(framing, onto: place)
                content += PictureLayout.content(name, clip, matrix)
            case .copy(let page):
                objects[name] = .reference(try copier.form(of: page))
                let matrix = try copier.geometry(of: page).matrix(page.framing, onto: place)
                content += PictureLayout.content(name, nil, matrix)
                copies.append((page, matrix))
            }
            content.append(UInt8(ascii: "\n"))
        }
        let page = try pictures.page(media: spread.media, content, objects, text)
        for (copy, matrix) in copies { try copier.move(copy, to: page, by: matrix) }
        return page
    }

    private static func fill(_ box: PDFBox, _ color: RGB) -> [UInt8] {
        let parts = [color.red, color.green, color.blue].map { Double($0) / 255 }
        let corners = [box.left, box.bottom, box.width, box.height]
        func numbers(_ values: [Double]) -> String { values.map(PDFValue.decimal).joined(separator: " ") }
        return Array("q \(numbers(parts)) rg \(numbers(corners)) re f Q\n".utf8)
    }
}
