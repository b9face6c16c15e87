internal import AdapterKit
internal import Metadata
internal import PageModel

/// What a page's document shows: a picture or a part of one, several, or none.
struct PageContent {
    /// A picture as a document refers to it.
    struct Reference {
        let link: String
        /// The part that is shown, where an SVG shows one: in a square of side 1 that the picture fills.
        let part: Part?
    }

    /// A rectangle within a picture, in fractions of its sides.
    struct Part {
        let x: Double
        let y: Double
        let width: Double
        let height: Double

        /// The part of a picture of a size, in whole pixels; nil when it is all of it, or none.
        func rect(of size: PixelSize) -> PixelRect? {
            func edges(_ start: Double, _ length: Double, _ whole: Int) -> ClosedRange<Int>? {
                let (first, last) = (start * Double(whole), (start + length) * Double(whole))
                let lower = Int(clamping: first.rounded(), to: 0...whole)
                let upper = Int(clamping: last.rounded(), to: 0...whole)
                return lower < upper ? lower...upper : nil
            }
            guard let across = edges(x, width, size.width), let down = edges(y, height, size.height) else { return nil }
            let rect = PixelRect(
                x: across.lowerBound, y: down.lowerBound, width: across.upperBound - across.lowerBound,
                height: down.upperBound - down.lowerBound)
            return rect.size == size ? nil : rect
        }
    }

    private(set) var pictures: [Reference] = []
    /// The letters of text on the page.
    private(set) var letterCount = 0

    /// - Parameter root: an XHTML document, or an SVG.
    init(_ root: XMLElement) {
        let body = root.elements.first { $0.name.local == "body" } ?? root
        visit(body, viewBox: PageContent.viewBox(of: body))
    }

    private static let unseen: Set<String> = ["script", "style", "title", "desc", "metadata", "head"]

    private mutating func visit(_ element: XMLElement, viewBox: [Double]?) {
        for node in element.nodes {
            switch node {
            case .comment: break
            case .text(let text): letterCount += text.unicodeScalars.count { !$0.properties.isWhitespace }
            case .element(let inner):
                switch inner.name.local {
                case "img":
                    if let link = inner["src"] { pictures.append(Reference(link: link, part: nil)) }
                case "image":
                    // The link is in SVG's own namespace of links, or since SVG 2 in none.
                    if let link = inner.attributes.first(where: { $0.name.local == "href" })?.value {
                        pictures.append(Reference(link: link, part: PageContent.part(of: inner, viewBox)))
                    }
                case let name where PageContent.unseen.contains(name): break
                case "svg": visit(inner, viewBox: PageContent.viewBox(of: inner))
                default:
                    // What is moved or turned within the picture is shown in a way of its own.
                    visit(inner, viewBox: inner["transform"] == nil ? viewBox : nil)
                }
            }
        }
    }

    /// x, y, width and height of what an SVG shows (SVG 2, §8.6).
    private static func viewBox(of element: XMLElement) -> [Double]? {
        guard element.name.local == "svg", let text = element["viewBox"] else { return nil }
        let numbers = text.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
        return numbers.count == 4 && numbers.allSatisfy(\.isFinite) && numbers[2] > 0 && numbers[3] > 0 ? numbers : nil
    }

    private static func part(of image: XMLElement, _ viewBox: [Double]?) -> Part? {
        func number(_ name: XMLName) -> Double? {
            image[name].flatMap { Double($0.hasSuffix("px") ? String($0.dropLast(2)) : $0) }
        }
        guard let viewBox, image["transform"] == nil, let width = number("width"), let height = number("height"),
            width.isFinite, height.isFinite, width > 0, height > 0
        else { return nil }
        let (x, y) = (number("x") ?? 0, number("y") ?? 0)
        return Part(
            x: (viewBox[0] - x) / width, y: (viewBox[1] - y) / height, width: viewBox[2] / width,
            height: viewBox[3] / height)
    }
}
