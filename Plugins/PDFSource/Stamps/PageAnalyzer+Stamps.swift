internal import PDFStructure
internal import PageModel

/// The objects over a page's scan that may be removed from it.
struct Stamps: Sendable {
    /// Some of these objects.
    struct Removal: Sendable {
        /// The indexes of their marks among those of the page.
        let marks: Set<Int>
        let omission: PageOmission
        /// The kinds of objects, for the report: "text and a web link".
        let description: Message?
    }

    /// The objects that hide nothing: text, links, and content through which the scan shows.
    let transparent: Removal
    /// All objects, if some are not known to be transparent before they are rendered.
    let all: Removal?
    /// The kinds of those objects.
    let doubtful: Message?
    /// The content over the scan, if it has any, and the size of the scan in pixels.
    let overlay: Extraction.Overlay?
    let size: PixelSize
    /// The text over the scan.
    let texts: [Text]

    /// Text of one direction.
    struct Text: Sendable {
        /// The omission of all other text.
        let others: PageOmission
        /// Its slant in degrees, counterclockwise.
        let slant: Int
        /// Whether a report may quote it: nothing is over it that could hide it.
        let isQuotable: Bool
    }
}

extension PageAnalyzer {
    /// Returns the objects over a page's scan that may be removed; nil for a page without a scan, or without such objects.
    ///
    /// Form fields and attached files stay, and so do links within the document.
    func stamps(
        on page: PageNode, _ interpreter: ContentInterpreter, _ geometry: PageGeometry
    ) -> Stamps? {
        guard let (overlay, size) = scan(below: interpreter, geometry) else { return nil }
        let annotations = page["Annots"].items.prefix(StampLimits.maximumAnnotations)
        let (marks, spots) = (interpreter.marks, interpreter.spots)
        let start = overlay?.firstMark ?? marks.count
        let links = annotations.indices.filter { Annotation.leadsOut(annotations[$0]) }
        var (transparent, doubtful): ([Int], [Int]) = ([], [])
        for index in start..<marks.count {
            switch marks[index] {
            case .text: transparent.append(index)
            case .annotation(let place) where annotations.indices.contains(place):
                let kind = annotations[place]["Subtype"].name ?? ""
                if links.contains(place) {
                    transparent.append(index)
                } else if !Annotation.kept.contains(kind) {
                    doubtful.append(index)
                }
            case .annotation: break
            case .picture, .inlinePicture, .shape, .shading:
                if spots[index]?.isTranslucent == true { transparent.append(index) } else { doubtful.append(index) }
            }
        }
        if transparent.isEmpty, doubtful.isEmpty, links.isEmpty { return nil }
        func removal(of indexes: [Int]) -> Stamps.Removal {
            var places = Set(links)
            for case .annotation(let place) in indexes.map({ marks[$0] }) { places.insert(place) }
            let others = indexes.filter { index in
                if case .annotation(let place) = marks[index] { !links.contains(place) } else { true }
            }
            let linkKinds: [Message] = links.isEmpty ? [] : [links.count == 1 ? "a web link" : "web links"]
            let kinds = others.map { marks[$0].description }.unique + linkKinds
            let edit = ContentEdit(
                removing: indexes.compactMap { spots[$0] }, of: spots.compactMap(\.self) + interpreter.invisibleText,
                in: interpreter.frames)
            return Stamps.Removal(
                marks: Set(indexes), omission: PageOmission(content: edit, annotations: places),
                description: kinds.isEmpty ? nil : kinds.listed())
        }
        return Stamps(
            transparent: removal(of: transparent),
            all: doubtful.isEmpty ? nil : removal(of: (transparent + doubtful).sorted()),
            doubtful: doubtful.isEmpty ? nil : doubtful.map { marks[$0].description }.unique.listed(),
            overlay: overlay, size: size,
            texts: texts(in: interpreter, from: start, shownFrom: max(start, (doubtful.last ?? -1) + 1)))
    }

    /// Returns the text over a scan.
    ///
    /// - Parameters:
    ///   - start: the index of the first mark over the scan.
    ///   - shown: the index of the first mark over all content that may be opaque. Text below that could be hidden.
    private func texts(
        in interpreter: ContentInterpreter, from start: Int, shownFrom shown: Int
    ) -> [Stamps.Text] {
        let (marks, spots) = (interpreter.marks, interpreter.spots)
        let all = spots.compactMap(\.self) + interpreter.invisibleText
        let texts = marks.indices.filter { if case .text = marks[$0] { true } else { false } }
        var groups: [Stamps.Text] = []
        for (range, isQuotable) in [(shown..<marks.count, true), (start..<shown, false)] {
            let slants = texts.filter(range.contains).compactMap { spots[$0]?.slant }.unique
            for slant in slants.prefix(StampLimits.maximumSlants) {
                let others = texts.filter { !range.contains($0) || spots[$0]?.slant != slant }
                let edit = ContentEdit(
                    removing: others.compactMap { spots[$0] } + interpreter.invisibleText, of: all,
                    in: interpreter.frames)
                groups.append(
                    Stamps.Text(others: PageOmission(content: edit), slant: slant, isQuotable: isQuotable))
            }
        }
        return groups
    }

    /// Returns the content over a page's scan, and the size of the scan in pixels; nil for a page without a scan.
    private func scan(
        below interpreter: ContentInterpreter, _ geometry: PageGeometry
    ) -> (overlay: Extraction.Overlay?, size: PixelSize)? {
        var analyzer = PageAnalyzer(file: file, layers: layers, limits: limits, seconds: seconds, pagesAs: .scan)
        analyzer.removesOverlay = true
        var straight = interpreter
        straight.marks = interpreter.marks.straightened
        if let extraction = try? analyzer.extraction(from: straight, geometry) {
            return (extraction.overlay, extraction.size)
        }
        return (try? analyzer.mosaic(from: straight, geometry)).map { ($0.overlay, $0.size) }
    }
}

/// The limits of objects over scans.
enum StampLimits {
    /// The maximum number of annotations of a page that are examined.
    static let maximumAnnotations = 1000
    /// The maximum number of directions of text that are read.
    static let maximumSlants = 4
    /// The maximum number of words over a scan. A page with more is a design with text on a picture, which is
    /// not removed. The longest note of a library that was seen has 25.
    static let maximumWords = 50
}

extension Annotation {
    /// The kinds that have functions of their own, and stay.
    fileprivate static let kept: Set = ["Widget", "FileAttachment", "Link", "Popup"]

    /// Whether an annotation is a link that leads out of the document.
    fileprivate static func leadsOut(_ annotation: PDFObject) -> Bool {
        guard annotation["Subtype"].name == "Link" else { return false }
        return ["URI", "GoToR", "GoToE", "Launch"].contains(annotation["A"]["S"].name)
    }
}
