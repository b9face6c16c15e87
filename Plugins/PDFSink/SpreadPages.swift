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

    let parts: [(content: Part, place: PixelRect)]
    let size: PixelSize
    /// The colour of what they leave free; nil where they leave nothing, or paper is white.
    let background: RGB?
    /// Pixels per inch of the whole; nil where a page that is copied says it.
    let resolution: Resolution?
    let paper: PaperSize?
}

extension PDFSpread {
    /// What is shown of the page, in its coordinates; nil where copied pages say how large it is.
    var shown: PDFBox? {
        if parts.contains(where: { if case .copy = $0.content { true } else { false } }) { return nil }
        return PixelPlaces(size, resolution ?? PDFOptions.usualResolution, paper).box(of: PixelRect(x: 0, y: 0, size))
    }

    /// One page alone, as large as it fits on paper.
    init(_ page: CopiedPage, on paper: PaperSize) {
        let size = page.framing.rect.size
        self.init(
            parts: [(.copy(page), PixelRect(x: 0, y: 0, size))], size: size, background: nil, resolution: nil,
            paper: paper)
    }
}

/// Makes pages that show several side by side: pictures as they are, copied pages as forms.
struct SpreadPages {
    let pictures: PicturePages
    let copier: PageCopier

    /// - Throws: `.damaged` for a copied page that is; `.unwritable`.
    func page(_ spread: PDFSpread, _ text: TextLayers.Layer?) throws(AdapterError) -> PDFObject {
        let places = PixelPlaces(spread.size, try resolution(of: spread), spread.paper)
        var (objects, content): ([String: PDFValue], [UInt8]) = ([:], [])
        if let color = spread.background {
            content += SpreadPages.fill(places.box(of: PixelRect(x: 0, y: 0, spread.size)), color)
        }
        var copies: [(page: CopiedPage, matrix: [Double])] = []
        for (number, part) in spread.parts.enumerated() {
            let (name, place) = ("P\(number)", places.box(of: part.place))
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
        let page = try pictures.page(media: places.media, content, objects, text)
        for (copy, matrix) in copies { try copier.move(copy, to: page, by: matrix) }
        return page
    }

    /// Pixels per inch of the whole.
    private func resolution(of spread: PDFSpread) throws(AdapterError) -> Resolution {
        for part in spread.parts {
            guard case .copy(let page) = part.content else { continue }
            // A page that is copied keeps its size.
            let points = try copier.geometry(of: page).size.width
            return Resolution(72 * Double(page.framing.source.width) / points)
        }
        return spread.resolution ?? PDFOptions.usualResolution
    }

    private static func fill(_ box: PDFBox, _ color: RGB) -> [UInt8] {
        let parts = [color.red, color.green, color.blue].map { Double($0) / 255 }
        let corners = [box.left, box.bottom, box.width, box.height]
        func numbers(_ values: [Double]) -> String { values.map(PDFValue.decimal).joined(separator: " ") }
        return Array("q \(numbers(parts)) rg \(numbers(corners)) re f Q\n".utf8)
    }
}
