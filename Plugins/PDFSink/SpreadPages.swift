internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// Pages side by side on one page of a PDF.
struct PDFSpread {
    /// One of them.
    enum Part {
        /// A picture, by its place in the spool.
        case picture(Int, Framing)
        case copy(CopiedPage)
    }

    let parts: [(content: Part, place: PDFBox)]
    /// The whole page.
    let media: PDFBox
    /// What is shown of it.
    let shown: PDFBox
    /// The colour of what they leave free; nil where they leave nothing, or paper is white.
    let background: RGB?
}

extension PDFSpread {
    /// One of the pages, where its pixels are to lie.
    struct Placed {
        let content: Part
        let place: PixelRect
        /// The size in points of a page that is copied.
        let paper: PaperSize?
    }

    /// Parts that differ from their paper by no more pixels are meant to have it: sizes in pixels are rounded.
    fileprivate static let tolerance = 2.0

    /// - Parameters:
    ///   - size: of the whole, in pixels.
    ///   - resolution: its pixels per inch.
    ///   - paper: the size of the page; nil for the parts' own.
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
        // Copied pages keep their size to the last digit, and those beside them give way.
        var boxes = placed.map { places.box(of: $0.place) }
        // The pages that are as high as the whole say how high that is.
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

    /// One page alone, as large as it fits on paper.
    init(_ page: CopiedPage, _ geometry: PageGeometry, on paper: PaperSize) {
        let size = page.framing.rect.size
        self.init(
            [Placed(content: .copy(page), place: PixelRect(x: 0, y: 0, size), paper: nil)], size: size, background: nil,
            resolution: geometry.resolution(page.framing), paper: paper)
    }
}

extension PDFSpread.Placed {
    /// The size in points of a copied page that its place does not scale.
    ///
    /// - Parameter scale: points a pixel takes.
    fileprivate func exactSize(_ scale: (x: Double, y: Double)) -> PaperSize? {
        guard let paper else { return nil }
        let across = abs(paper.width - Double(place.width) * scale.x)
        let up = abs(paper.height - Double(place.height) * scale.y)
        return across <= PDFSpread.tolerance * scale.x && up <= PDFSpread.tolerance * scale.y ? paper : nil
    }
}

/// Makes pages that show several side by side: pictures as they are, copied pages as forms.
struct SpreadPages {
    let pictures: PicturePages
    let copier: PageCopier

    /// - Throws: `.damaged` for a copied page that is; `.unwritable`.
    func page(_ spread: PDFSpread, _ text: TextLayers.Layer?) throws(AdapterError) -> PDFObject {
        var (objects, content): ([String: PDFValue], [UInt8]) = ([:], [])
        if let color = spread.background {
            content += SpreadPages.fill(spread.shown, color)
        }
        var copies: [(page: CopiedPage, matrix: [Double])] = []
        for (number, part) in spread.parts.enumerated() {
            let (name, place) = ("P\(number)", part.place)
            // A page may leave its paper free, which is white all the same.
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
