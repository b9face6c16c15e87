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
    /// Pixels per inch of the whole.
    let resolution: Resolution
    let paper: PaperSize?
}

extension PDFSpread {
    /// What is shown of the page, in its coordinates.
    var shown: PDFBox { PixelPlaces(size, resolution, paper).box(of: PixelRect(x: 0, y: 0, size)) }

    /// One page alone, as large as it fits on paper.
    init(_ page: CopiedPage, _ geometry: PageGeometry, on paper: PaperSize) {
        let size = page.framing.rect.size
        self.init(
            parts: [(.copy(page), PixelRect(x: 0, y: 0, size))], size: size, background: nil,
            resolution: geometry.resolution(page.framing), paper: paper)
    }
}

/// Makes pages that show several side by side: pictures as they are, copied pages as forms.
struct SpreadPages {
    let pictures: PicturePages
    let copier: PageCopier

    /// - Throws: `.damaged` for a copied page that is; `.unwritable`.
    func page(_ spread: PDFSpread, _ text: TextLayers.Layer?) throws(AdapterError) -> PDFObject {
        let places = PixelPlaces(spread.size, spread.resolution, spread.paper)
        var (objects, content): ([String: PDFValue], [UInt8]) = ([:], [])
        if let color = spread.background {
            content += SpreadPages.fill(places.box(of: PixelRect(x: 0, y: 0, spread.size)), color)
        }
        var copies: [(page: CopiedPage, matrix: [Double])] = []
        for (number, part) in spread.parts.enumerated() {
            let (name, place) = ("P\(number)", places.box(of: part.place))
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
        let page = try pictures.page(media: places.media, content, objects, text)
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
