internal import Metadata
internal import OrderedJSON
internal import PageModel
internal import PageNames

/// The content of a page's document: an image or a part of one, several, or none.
struct PageContent {
    /// An image reference in a document.
    struct Reference {
        let link: String
        /// The path of the file with the reference, to which the link is relative.
        let base: String
        /// The visible part, if an SVG selects one: in a square of side 1 that the image fills.
        let part: VisibleArea?
        /// The display size, if the document states it.
        var size: PixelSize?
        /// Whether a style may move it from its place in the text flow.
        var isMoved = true
    }

    /// A rectangle within an image, in fractions of its sides.
    struct VisibleArea {
        let x: Double
        let y: Double
        let width: Double
        let height: Double

        /// Returns the part of an image of a size, in whole pixels; nil if it is all of it, or none.
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

    /// A part of the page with a link, as a document has it.
    struct Anchor {
        let link: String
        /// The area in a square of side 1 that the page's only image fills; nil for the whole image.
        let area: PageArea?
    }

    private(set) var pictures: [Reference] = []
    /// The links over an image, or around it.
    private(set) var anchors: [Anchor] = []
    /// The number of letters of text on the page.
    private(set) var letterCount = 0
    /// Whether other content is visible: several backgrounds, a film, a drawing made by a program.
    private(set) var hasOthers = false
    /// Whether styles paint a background as well.
    private(set) var hidesBackground = false
    /// The size of the page in the units of its images' sizes; nil if the document does not state it.
    let viewport: PixelSize?

    private let base: String
    private let style: PageStyle
    /// The elements around the current one, from the root.
    private var path: [XMLElement]
    /// The number of comparisons of selectors and elements so far.
    private var styleWork = 0
    /// The images that styles paint as backgrounds.
    private var backgrounds: [Reference] = []
    /// Whether styles show something else than one whole image.
    private var stylesShowOthers = false

    /// - Parameters:
    ///   - root: an XHTML document, or an SVG.
    ///   - base: its path.
    ///   - container: the book with its style sheets; nil to ignore those.
    init(_ root: XMLElement, base: String = "", in container: EPUBContainer? = nil) {
        let inner = root.elements.first { $0.name.local == "body" }
        let body = inner ?? root
        viewport = PageContent.viewport(of: root)
        enlargements = PageContent.enlargements(in: body)
        (self.base, style, path) = (base, PageStyle(of: root, base: base, in: container), [root])
        paint()
        if let inner {
            path.append(inner)
            paint()
        }
        visit(body, viewBox: PageContent.viewBox(of: body))
        placeBackgrounds()
    }

    /// Makes backgrounds the images of a page that has no other.
    private mutating func placeBackgrounds() {
        var known = Set(pictures.map(\.link))
        let others = backgrounds.filter { known.insert($0.link).inserted }
        guard pictures.isEmpty else {
            hidesBackground = !others.isEmpty || stylesShowOthers
            return
        }
        hasOthers = hasOthers || stylesShowOthers || styleWork > PageStyle.maximumWork
        if !hasOthers { pictures = others }
    }

    /// Notes what styles paint at the current element.
    private mutating func paint() {
        let painting = style.painting(at: path, &styleWork)
        if painting.hasOthers { stylesShowOthers = true }
        if let (link, base) = painting.background { backgrounds.append(Reference(link: link, base: base, part: nil)) }
        if let (link, base) = painting.content { pictures.append(Reference(link: link, base: base, part: nil)) }
    }

    /// The ids of the parts that stay hidden until a person magnifies a quarter of the page, as in Panel View of the Kindle.
    private var enlargements: Set<String> = []

    private static func enlargements(in element: XMLElement) -> Set<String> {
        var found: Set<String> = []
        for inner in element.elements {
            if let text = inner["data-app-amzn-magnify"],
                let id = JSON(parsing: Array(text.utf8))?["targetId"]?.asString
            {
                found.insert(id)
            }
            found.formUnion(enlargements(in: inner))
        }
        return found
    }

    /// Whether an element is invisible on the page.
    private func isHidden(_ element: XMLElement) -> Bool {
        if let id = element["id"], enlargements.contains(id) { return true }
        let style = element["style"].map { $0.lowercased().filter { !$0.isWhitespace } } ?? ""
        return style.split(separator: ";").contains("display:none")
    }

    private static let invisibleElements: Set<String> = ["script", "style", "title", "desc", "metadata", "head"]

    /// The maximum number of links, above that of any real page.
    private static let maximumAnchors = 10_000

    /// - Parameter link: the target of the enclosing link.
    private mutating func visit(_ element: XMLElement, viewBox: [Double]?, link: String? = nil) {
        for node in element.nodes {
            switch node {
            case .comment: break
            case .text(let text): letterCount += text.unicodeScalars.count { !$0.properties.isWhitespace }
            case .element(let inner) where isHidden(inner): break
            case .element(let inner):
                path.append(inner)
                defer { path.removeLast() }
                let count = pictures.count
                paint()
                // A style replaces the image of an element.
                if pictures.count > count, inner.name.local == "img" { continue }
                let wasMoved = isMoved
                isMoved = isMoved || PageContent.moves(inner)
                defer { isMoved = wasMoved }
                switch inner.name.local {
                case "object" where isImage(inner), "embed" where isImage(inner), "img":
                    if let source = PageContent.source(of: inner) {
                        let size = PageContent.size(width: inner["width"], height: inner["height"])
                        pictures.append(Reference(link: source, base: base, part: nil, size: size, isMoved: isMoved))
                    }
                    add(link, over: nil)
                case "object", "embed", "iframe", "canvas", "video": hasOthers = true
                case "image", "feImage":
                    if let source = PageContent.target(of: inner) {
                        frame = PageContent.frame(of: inner)
                        pictures.append(
                            Reference(link: source, base: base, part: PageContent.part(of: inner, viewBox)))
                        add(link, over: nil)
                    }
                case "rect": if let link, viewBox != nil { add(link, over: PageContent.frame(of: inner)) }
                case "a":
                    visit(
                        inner, viewBox: inner["transform"] == nil ? viewBox : nil, link: PageContent.target(of: inner))
                case let name where PageContent.invisibleElements.contains(name): break
                case "svg": visit(inner, viewBox: PageContent.viewBox(of: inner), link: link)
                default:
                    // Content that is moved or rotated within the image has other coordinates.
                    visit(inner, viewBox: inner["transform"] == nil ? viewBox : nil, link: link)
                }
            }
        }
    }

    /// Whether an element for any medium shows an image.
    private func isImage(_ element: XMLElement) -> Bool {
        let type = element["type"]?.lowercased() ?? ""
        return type.hasPrefix("image/")
            || type.isEmpty
                && PageContent.source(of: element).map { PictureName.matches($0) || $0.hasSuffix(".svg") } ?? false
    }

    /// Returns the address of the image of an element; of several sizes, that of the last and usually largest.
    private static func source(of element: XMLElement) -> String? {
        if let source = element["src"] ?? element["data"], !source.isEmpty { return source }
        let last = element["srcset"]?.split(separator: ",").last?.split(whereSeparator: \.isWhitespace).first
        return last.map(String.init)
    }

    /// Whether a style around the current element may move it.
    private var isMoved = false

    private static let movingStyles = [
        "position:", "float:", "transform:", "flex", "grid", "column", "writing-mode:", "zoom:", "margin", "width:",
        "height:",
    ]

    private static func moves(_ element: XMLElement) -> Bool {
        guard let style = element["style"]?.lowercased().filter({ !$0.isWhitespace }) else { return false }
        return movingStyles.contains { style.contains($0) }
    }

    /// Returns the viewport for which a fixed layout is made (EPUB 3.3, §8.2.2.6).
    private static func viewport(of root: XMLElement) -> PixelSize? {
        let head = root.elements.first { $0.name.local == "head" }
        let meta = head?.elements.first { $0.name.local == "meta" && $0["name"]?.lowercased() == "viewport" }
        var values: [String: String] = [:]
        for pair in (meta?["content"] ?? "").split(whereSeparator: { $0 == "," || $0 == ";" }) {
            let words = pair.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace }.lowercased() }
            if words.count == 2 { values[words[0]] = words[1] }
        }
        return size(width: values["width"], height: values["height"])
    }

    private static func size(width: String?, height: String?) -> PixelSize? {
        func pixels(_ text: String?) -> Int? {
            guard let text, let number = Int(text.hasSuffix("px") ? String(text.dropLast(2)) : text) else { return nil }
            return (1...maximumPixels).contains(number) ? number : nil
        }
        guard let width = pixels(width), let height = pixels(height) else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The maximum length of an image's side.
    private static let maximumPixels = 1_000_000

    /// The last image in the units of its SVG.
    private var frame: PageArea?

    /// - Parameter rect: the rectangle in the units of the SVG; nil for the whole image.
    private mutating func add(_ link: String?, over rect: PageArea?) {
        guard let link, anchors.count < PageContent.maximumAnchors else { return }
        guard let rect else {
            anchors.append(Anchor(link: link, area: nil))
            return
        }
        guard let frame, !frame.isEmpty else { return }
        anchors.append(
            Anchor(
                link: link,
                area: PageArea(
                    left: (rect.left - frame.left) / frame.width, top: (rect.top - frame.top) / frame.height,
                    right: (rect.right - frame.left) / frame.width, bottom: (rect.bottom - frame.top) / frame.height)))
    }

    /// Returns the link target of an element: in SVG's own namespace of links, or in none, as since SVG 2 and in XHTML.
    private static func target(of element: XMLElement) -> String? {
        element.attributes.first { $0.name.local == "href" }?.value
    }

    /// Returns the place of an image or a rectangle, in the units of its SVG; nil if it is not stated, or is transformed.
    private static func frame(of element: XMLElement) -> PageArea? {
        func number(_ name: XMLName) -> Double? {
            element[name].flatMap { Double($0.hasSuffix("px") ? String($0.dropLast(2)) : $0) }
        }
        let (x, y) = (number("x") ?? 0, number("y") ?? 0)
        guard element["transform"] == nil, let width = number("width"), let height = number("height") else {
            return nil
        }
        let area = PageArea(left: x, top: y, right: x + width, bottom: y + height)
        return area.isEmpty || ![x, y].allSatisfy(\.isFinite) ? nil : area
    }

    /// Returns the x, y, width and height of an SVG's visible part (SVG 2, §8.6).
    private static func viewBox(of element: XMLElement) -> [Double]? {
        guard element.name.local == "svg", let text = element["viewBox"] else { return nil }
        let numbers = text.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
        return numbers.count == 4 && numbers.allSatisfy(\.isFinite) && numbers[2] > 0 && numbers[3] > 0 ? numbers : nil
    }

    private static func part(of image: XMLElement, _ viewBox: [Double]?) -> VisibleArea? {
        guard let viewBox, let frame = frame(of: image) else { return nil }
        return VisibleArea(
            x: (viewBox[0] - frame.left) / frame.width, y: (viewBox[1] - frame.top) / frame.height,
            width: viewBox[2] / frame.width, height: viewBox[3] / frame.height)
    }
}
