internal import Metadata
private import Synchronization

/// The styles of a page's document: those of its style sheets and of its elements.
struct PageStyle {
    /// The images that styles show at an element.
    struct Painting {
        /// The address of the background image, with the file that states it.
        var background: (link: String, base: String)?
        /// The image that is the element's content, or before or after it.
        var content: (link: String, base: String)?
        /// Whether styles also show other images there, or only a part of the image.
        var hasOthers = false
    }

    /// The maximum number of comparisons of selectors and elements in a document.
    static let maximumWork = 5_000_000

    private let rules: [StyleSheet.Rule]
    private let base: String

    /// - Parameters:
    ///   - root: the document.
    ///   - base: the path of the document.
    init(of root: XMLElement, base: String, in container: EPUBContainer?) {
        self.base = base
        var rules: [StyleSheet.Rule] = []
        var (seen, hasAddresses): (Set<String>, Bool) = ([], false)
        func add(_ sheet: StyleSheet, _ base: String) {
            for link in sheet.imports { addFile(link, base) }
            rules += sheet.rules
            hasAddresses = hasAddresses || sheet.hasAddresses
        }
        func addFile(_ link: String, _ base: String) {
            guard let container, let path = container.path(of: link, in: base), seen.count < PageStyle.maximumSheets,
                seen.insert(path).inserted, let sheet = container.styleSheet(path)
            else { return }
            add(sheet, path)
        }
        func search(_ element: XMLElement) {
            for inner in element.elements {
                switch inner.name.local {
                case "style": add(StyleSheet(inner.text, base: base), base)
                case "link":
                    let words = (inner["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
                    if words.contains("stylesheet"), !words.contains("alternate"), let link = inner["href"] {
                        addFile(link, base)
                    }
                default: search(inner)
                }
            }
        }
        search(root)
        // In most books no style sheet paints an image.
        self.rules = hasAddresses ? rules : []
    }

    private static let maximumSheets = 64

    /// Returns the images that the styles paint at the last element of a path from the root.
    ///
    /// - Parameter work: the number of comparisons in the document so far, which is increased.
    func painting(at path: [XMLElement], _ work: inout Int) -> Painting {
        var painting = Painting()
        guard let element = path.last, work <= PageStyle.maximumWork else { return painting }
        let own = element["style"].map { StyleSheet.declarations($0, base: base) } ?? []
        if rules.isEmpty && own.isEmpty { return painting }
        var found: [(priority: Int, declaration: StyleSheet.Declaration)] = []
        for rule in rules where rule.selector.matches(path, &work) {
            found += rule.declarations.map { (rule.selector.specificity, $0) }
        }
        found += own.map { (PageStyle.ownPriority, $0) }
        if found.isEmpty { return painting }
        func last(_ property: StyleSheet.Declaration.Property) -> StyleSheet.Declaration? {
            found.enumerated().filter { $0.element.declaration.property == property }.max { left, right in
                let (one, other) = (left.element, right.element)
                return (one.declaration.isImportant ? 1 : 0, one.priority, left.offset)
                    < (other.declaration.isImportant ? 1 : 0, other.priority, right.offset)
            }?.element.declaration
        }
        if last(.display)?.value.lowercased() == "none" { return painting }
        if let declaration = last(.background) {
            let links = StyleValue.addresses(in: declaration.value)
            painting.background = links.first.map { ($0, declaration.base) }
            let place = last(.backgroundPlace)?.value ?? ""
            painting.hasOthers =
                links.count > 1 && !declaration.value.lowercased().contains("image-set")
                || !links.isEmpty && (StyleValue.showsPart(declaration.value) || StyleValue.showsPart(place))
        }
        if let declaration = last(.content) {
            painting.content = StyleValue.addresses(in: declaration.value).first.map { ($0, declaration.base) }
        }
        if let other = last(.other), !StyleValue.addresses(in: other.value).isEmpty { painting.hasOthers = true }
        return painting
    }

    /// The priority of an element's own styles over those of any selector.
    private static let ownPriority = Int.max
}

/// The style sheets of a book, which are read once.
final class StyleSheets: Sendable {
    private let known = Mutex<[String: StyleSheet]>([:])

    /// Returns the style sheet at a path.
    ///
    /// - Parameter text: reads its text.
    func sheet(_ path: String, text: () -> String?) -> StyleSheet? {
        if let sheet = known.withLock({ $0[path] }) { return sheet }
        guard let text = text() else { return nil }
        let sheet = StyleSheet(text, base: path)
        known.withLock { $0[path] = sheet }
        return sheet
    }
}
