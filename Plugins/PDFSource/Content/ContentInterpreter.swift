internal import PDFStructure
internal import PageModel
internal import Processes

/// A visible mark that a page's content paints.
enum Mark {
    case picture(PaintedPicture)
    /// An image in the content itself; nil if it cannot be read.
    case inlinePicture(PaintedPicture?)
    case text
    case shape
    case shading
    /// An annotation, by its place in the page's list.
    case annotation(Int)

    /// The mark in words for the report: "… lies over the image".
    var description: Message {
        switch self {
        case .picture: "another picture"
        case .inlinePicture: "an inline image"
        case .text: "text"
        case .shape: "a drawn shape"
        case .shading: "a shading"
        case .annotation: "an annotation"
        }
    }
}

/// An image that a page's content paints, and the graphics state with which it is painted.
struct PaintedPicture {
    let object: PDFObject
    let state: GraphicsState
    /// The resources whose Default color spaces apply to it.
    let resources: PDFObject
    /// Whether it is written into the content. Its object is then only in the memory of the open file.
    var isInline = false

    /// Returns the data of an inline image without undoing its last filters; nil for other images.
    func inlineData(keepingFilters kept: Int, _ file: PDFFile) -> [UInt8]? {
        isInline ? try? file.data(of: object, keepingFilters: kept, limit: InlineImage.maximumBytes) : nil
    }
}

extension Mark {
    /// The image that it paints; nil for other marks.
    var painted: PaintedPicture? {
        if case .inlinePicture(let picture) = self { picture } else { xObject }
    }

    /// The image that it paints, if that is an object of the file.
    var xObject: PaintedPicture? { if case .picture(let picture) = self { picture } else { nil } }
}

/// An interpreter that reads a page's content and records the marks in painting order, without painting them.
struct ContentInterpreter {
    /// The marks on the page, from the bottom up.
    var marks: [Mark] = []
    /// The place of each mark in the page's contents; nil for an annotation.
    private(set) var spots: [ContentSpot?] = []
    /// The places of invisible text.
    private(set) var invisibleText: [ContentSpot] = []
    /// The contents that the page paints: its own, and then each form as often as it is painted.
    private(set) var frames: [ContentFrame] = []
    /// Whether it shows text, even if only the invisible text of a scan.
    private(set) var hasText = false
    /// Whether a mark within a transparency group depends on the other content of the group.
    private(set) var mixesInGroups = false
    /// Whether a mark has a calibrated color.
    private(set) var hasCalibratedColors = false
    /// Whether the content is malicious: designed to use any amount of memory or time of a renderer.
    private(set) var isHostile = false
    private let file: PDFFile
    private let layers: OptionalContent
    private var hiddenContents: [PDFReference: Bool] = [:]
    /// The number of operators that may still be read: a page that has more is not a scan.
    private var budget = 3_000_000
    /// The cost in operators of painting a form, which has to be opened and unpacked.
    private static let operatorsOfAForm = 30
    /// The time spent on the page, measured once in that many operators.
    private let time: CPUTimeLimit
    private static let operatorsBetweenLooks = 256
    /// The bytes of inline images that may still be copied. Pages with more are not scans.
    private var inlineBytesLeft = InlineImage.maximumBytes
    /// The bytes of content that may still be read, including forms that are painted repeatedly.
    private var bytesLeft = 512 << 20
    /// The number of graphics states that are saved and not restored, in all open forms.
    private var savedCount = 0
    private static let maximumNesting = 16
    /// The maximum number of nested saved graphics states, which use memory in a renderer.
    ///
    /// PDF 1.7 requires a program to support only 28 (Annex C), and sloppy producers leave some hundreds open.
    private static let maximumSavedStates = 100_000
    private static let maximumContentBytes = 256 << 20
    /// The size up to which content is accepted at any compression ratio; above it, `maximumGrowth` is the limit.
    private static let harmlessContentBytes = 16 << 20
    private static let maximumGrowth = 200

    /// - Parameter seconds: the processor time that the analysis of the page may use.
    init(_ file: PDFFile, layers: OptionalContent, seconds: Int) {
        time = CPUTimeLimit(seconds: seconds)
        self.file = file
        self.layers = layers
    }

    /// Records the marks of a page's content streams and annotations.
    ///
    /// - Throws: `.damaged` if the content cannot be read, `.tooLarge` if it is too long.
    mutating func run(page: PageNode) throws(AdapterError) {
        let contents = page["Contents"]
        let streams = contents.kind == .array ? contents.items : [contents]
        let content = try read(streams) { file, limit throws(AdapterError) in
            try file.contents(of: page.page, limit: limit)
        }
        let resources = page["Resources"]
        try run(content, resources: resources, state: GraphicsState(), depth: 0, spot: nil)
        for (place, annotation) in page["Annots"].items.enumerated()
        where Annotation.isVisible(annotation, layers) {
            marks.append(.annotation(place))
            spots.append(nil)
        }
    }

    /// Forgets marks, as if the page did not have them.
    mutating func remove(_ removed: Set<Int>) {
        guard !removed.isEmpty else { return }
        marks = marks.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
        spots = spots.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
        hasText = !invisibleText.isEmpty || marks.contains { if case .text = $0 { true } else { false } }
    }

    /// Reads content, unless it is too large compared with its source.
    ///
    /// - Parameter streams: the source of the content.
    private mutating func read(
        _ streams: [PDFObject], _ body: (PDFFile, _ limit: Int) throws(AdapterError) -> [UInt8]
    ) throws(AdapterError) -> [UInt8] {
        let packed = streams.reduce(0) { min(file.size, $0 + min(file.size, max(0, $1["Length"].integer ?? 0))) }
        let grown = max(ContentInterpreter.harmlessContentBytes, packed * ContentInterpreter.maximumGrowth)
        let maximum = min(grown, ContentInterpreter.maximumContentBytes, bytesLeft)
        do throws(AdapterError) {
            let content = try body(file, maximum)
            bytesLeft -= content.count
            return content
        } catch  where error.code == .tooLarge && file.fault == nil {
            guard maximum == grown else { throw AdapterError(.tooLarge, "the page's content is too long to analyze") }
            isHostile = true
            throw AdapterError(
                .tooLarge,
                "its content unpacks to more than \(maximum >> 20) MB, over \(ContentInterpreter.maximumGrowth) times its size"
            )
        }
    }

    private mutating func run(
        _ bytes: [UInt8], resources: PDFObject, state: GraphicsState, depth: Int, spot: ContentSpot?
    ) throws(AdapterError) {
        let outerCount = savedCount
        defer { savedCount = outerCount }
        var content = OpenContent(
            bytes, resources: resources, state: state, outerCount: outerCount, depth: depth, frame: frames.count)
        frames.append(ContentFrame(spot: spot))
        while let keyword = content.nextOperator() {
            try spend(1)
            // The most frequent operators first.
            if content.addToPath(keyword) || content.changeState(keyword, file) { continue }
            try perform(keyword, &content)
        }
    }

    /// Follows an operator that paints, hides content, or saves and restores the graphics state.
    private mutating func perform(_ keyword: String, _ content: inout OpenContent) throws(AdapterError) {
        switch keyword {
        case "q": try save(&content)
        case "Q":
            savedCount = max(content.outerCount, savedCount - 1)
            if savedCount - content.outerCount < content.saved.count {
                content.state = content.saved.popLast() ?? content.state
            }
        case "Tj", "TJ", "'", "\"": noteText(keyword, &content)
        case "n", "f", "F", "f*", "S", "s", "B", "B*", "b", "b*":
            let state = content.state
            if try paintTile(keyword, content) {
                content.endPath()
                return
            }
            if keyword != "n", !content.path.isEmpty, !content.isHidden, !isPaper(keyword, state) {
                note(.shape, state, content.spot(.endPath))
            }
            content.endPath()
        case "sh": if !content.isHidden { note(.shading, content.state, content.spot()) }
        case "BI": content.beginInlineImage()
        case "ID":
            let image = content.inlineImage()
            if !content.isHidden { note(.inlinePicture(try painted(image, content)), content.state, content.spot()) }
        case "BMC": content.beginSection(isHidden: false)
        case "BDC": content.beginSection(isHidden: isHidden(content.resource("Properties")))
        case "EMC": content.endSection()
        case "Do":
            let object = content.resource("XObject")
            if !content.isHidden && !isHidden(object["OC"]) {
                try paint(
                    object, resources: content.resources, state: content.state, depth: content.depth,
                    content.spotOfObject())
            }
        default: break
        }
    }

    /// Returns an inline image as if it were an object of the file.
    private mutating func painted(_ image: InlineImage?, _ content: OpenContent) throws(AdapterError) -> PaintedPicture?
    {
        guard let image, inlineBytesLeft >= image.data.count else { return nil }
        inlineBytesLeft -= image.data.count
        guard let object = try image.object(in: file) else { return nil }
        return PaintedPicture(object: object, state: content.state, resources: content.resources, isInline: true)
    }

    private mutating func save(_ content: inout OpenContent) throws(AdapterError) {
        savedCount += 1
        guard savedCount <= ContentInterpreter.maximumSavedStates else {
            isHostile = true
            throw AdapterError(
                .tooLarge, "its content saves more than \(ContentInterpreter.maximumSavedStates) graphics states")
        }
        if content.saved.count < OpenContent.maximumStates { content.saved.append(content.state) }
    }

    private mutating func noteText(_ keyword: String, _ content: inout OpenContent) {
        let mode = content.state.textMode
        // Mode 3 paints nothing: the text layer of a scan. Modes from 4 on clip the content after them; 7 does only that.
        if mode >= 4 { content.state.clip = .shape }
        guard content.hasText, !content.isHidden else { return }
        hasText = true
        if mode != 3, mode != 7 {
            note(.text, content.state, content.spotOfText(keyword))
        } else {
            invisibleText.append(content.spotOfText(keyword))
        }
    }

    /// Whether a shape is white on paper that is still empty: producers begin pages with it.
    private func isPaper(_ keyword: String, _ state: GraphicsState) -> Bool {
        marks.isEmpty && ["f", "F", "f*"].contains(keyword) && state.fill.isWhite && !state.isTranslucent
            && !state.isInGroup
    }

    private mutating func note(_ mark: Mark, _ state: GraphicsState, _ spot: ContentSpot) {
        if state.isInGroup && state.blends { mixesInGroups = true }
        if state.fill.isCalibrated { hasCalibratedColors = true }
        marks.append(mark)
        spots.append(spot)
    }

    /// Counts operators, and checks the clock at intervals.
    private mutating func spend(_ operators: Int) throws(AdapterError) {
        budget -= operators
        guard budget > 0 else { throw AdapterError(.tooLarge, "the page's content is too long to analyze") }
        guard operators > 1 || budget.isMultiple(of: ContentInterpreter.operatorsBetweenLooks), time.isOver else {
            return
        }
        throw AdapterError(
            .tooLarge, "analyzing the page's content takes too long",
            hint: "use --page-timeout to allow more seconds")
    }

    /// Whether the content of a group of optional content is hidden; computed once for each.
    private mutating func isHidden(_ content: PDFObject) -> Bool {
        guard let reference = content.reference else { return layers.hides(content) }
        if let known = hiddenContents[reference] { return known }
        let isHidden = layers.hides(content)
        hiddenContents[reference] = isHidden
        return isHidden
    }

    /// Follows the content of a tile of a pattern, which has its own state.
    mutating func paintTile(_ pattern: PDFObject, _ state: GraphicsState, _ content: OpenContent) throws(AdapterError) {
        try spend(ContentInterpreter.operatorsOfAForm)
        let bytes = try read([pattern]) { file, limit throws(AdapterError) in
            try file.data(of: pattern, limit: limit)
        }
        try run(
            bytes, resources: pattern["Resources"], state: state, depth: content.depth + 1,
            spot: content.spot(.endPath))
    }

    private mutating func paint(
        _ object: PDFObject, resources: PDFObject, state: GraphicsState, depth: Int, _ spot: ContentSpot
    ) throws(AdapterError) {
        guard object.kind == .stream else { return }
        switch object["Subtype"].name {
        case "Image":
            note(.picture(PaintedPicture(object: object, state: state, resources: resources)), state, spot)
        case "Form":
            guard depth < ContentInterpreter.maximumNesting else {
                throw AdapterError(.damaged, "the page's forms are nested too deeply")
            }
            try spend(ContentInterpreter.operatorsOfAForm)
            var inner = state
            if object["Group"]["S"].name == "Transparency" {
                if state.isInGroup && state.blends || object["Group"]["K"].boolean == true { mixesInGroups = true }
                inner.beginGroup()
            }
            if let matrix = Matrix(object["Matrix"].numbers) { inner.matrix = matrix.then(inner.matrix) }
            if let box = PDFBox(object["BBox"].numbers) {
                let clip: GraphicsState.Clip =
                    inner.matrix.keepsAxes ? .box(inner.matrix.bounds(of: box)) : .shape
                inner.clip = inner.clip.narrowed(to: clip)
            }
            let own = object["Resources"]
            let content = try read([object]) { file, limit throws(AdapterError) in
                try file.data(of: object, limit: limit)
            }
            try run(content, resources: own.isNull ? resources : own, state: inner, depth: depth + 1, spot: spot)
        default:
            break
        }
    }
}
