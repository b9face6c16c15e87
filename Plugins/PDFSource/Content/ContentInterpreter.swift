internal import AdapterKit
internal import PDFStructure

/// Something visible that a page's content paints.
enum Mark {
    case picture(PaintedPicture)
    case inlinePicture
    case text
    case shape
    case shading
    case annotation

    /// The mark in words for the report: "… lies over the picture".
    var description: String {
        switch self {
        case .picture: "another picture"
        case .inlinePicture: "an inline picture"
        case .text: "text"
        case .shape: "a drawn shape"
        case .shading: "a shading"
        case .annotation: "an annotation"
        }
    }
}

/// A picture that a page's content paints, and the graphics state it is painted with.
struct PaintedPicture {
    let object: PDFObject
    let state: GraphicsState
    /// The resources whose Default colour spaces apply to it.
    let resources: PDFObject
}

/// Reads a page's content and notes what it would paint, in order, without painting it.
struct ContentInterpreter {
    /// What the page paints, from the bottom up.
    private(set) var marks: [Mark] = []
    /// Whether it shows text, be it only the invisible text of a scan.
    private(set) var hasText = false
    /// Whether something within a transparency group depends on what else is in the group.
    private(set) var mixesInGroups = false
    /// Whether the content was made to take any amount of memory or time of whoever draws it.
    private(set) var isHostile = false
    private let file: PDFFile
    private let layers: OptionalContent
    private var hiddenContents: [PDFReference: Bool] = [:]
    /// How many more operators are read: a page that has more is no scan.
    private var budget = 3_000_000
    /// Painting a form, which opens and unpacks it, takes about as long as so many operators.
    private static let operatorsOfAForm = 30
    /// The time of looking at the page, asked for once in so many operators.
    private let time: ThreadTime
    private static let operatorsBetweenLooks = 256
    /// How many more bytes of content are read, forms that are painted again and again included.
    private var bytesLeft = 512 << 20
    /// The graphics states that are saved and not restored, in all forms that are open.
    private var savedCount = 0
    private static let mostNested = 16
    /// Graphics states saved within each other, which cost what draws the page memory: 28 are all that PDF 1.7 asks a
    /// program for (Annex C), and sloppy producers leave some hundreds open.
    private static let mostSaved = 100_000
    private static let mostContentBytes = 256 << 20
    /// Content of so many bytes is taken whatever it was compressed to; more must not have grown by more than this.
    private static let harmlessContentBytes = 16 << 20
    private static let mostGrowth = 200
    /// An operator takes no more operands than a DeviceN colour has components (ISO 32000-1, Annex C).
    private static let mostOperands = 32

    /// - Parameter seconds: of a processor, which looking at the page may take.
    init(_ file: PDFFile, layers: OptionalContent, seconds: Int) {
        time = ThreadTime(seconds: seconds)
        self.file = file
        self.layers = layers
    }

    /// Notes what a page's content streams and annotations paint.
    ///
    /// - Throws: `.damaged` when the content cannot be read, `.tooLarge` when there is too much of it.
    mutating func run(page: PageNode) throws(AdapterError) {
        let contents = page["Contents"]
        let streams = contents.kind == .array ? contents.items : [contents]
        let content = try read(streams) { file, limit throws(AdapterError) in
            try file.contents(of: page.page, limit: limit)
        }
        let resources = page["Resources"]
        try run(content, resources: resources, state: GraphicsState(), depth: 0)
        for annotation in page["Annots"].items where Annotation.isVisible(annotation, layers) {
            marks.append(.annotation)
        }
    }

    /// Reads content, unless it is too much for what it is made of.
    ///
    /// - Parameter streams: what it is read from.
    private mutating func read(
        _ streams: [PDFObject], _ body: (PDFFile, _ limit: Int) throws(AdapterError) -> [UInt8]
    ) throws(AdapterError) -> [UInt8] {
        let packed = streams.reduce(0) { min(file.size, $0 + min(file.size, max(0, $1["Length"].integer ?? 0))) }
        let grown = max(ContentInterpreter.harmlessContentBytes, packed * ContentInterpreter.mostGrowth)
        let most = min(grown, ContentInterpreter.mostContentBytes, bytesLeft)
        do throws(AdapterError) {
            let content = try body(file, most)
            bytesLeft -= content.count
            return content
        } catch  where error.code == .tooLarge && file.fault == nil {
            guard most == grown else { throw AdapterError(.tooLarge, "the page's content is too long to look at") }
            isHostile = true
            throw AdapterError(
                .tooLarge,
                "its content unpacks to more than \(most >> 20) MB, over \(ContentInterpreter.mostGrowth) times its size"
            )
        }
    }

    private mutating func run(
        _ content: [UInt8], resources: PDFObject, state initial: GraphicsState, depth: Int
    ) throws(AdapterError) {
        var lexer = ContentLexer(content)
        var state = initial
        /// The states saved and not yet restored; beyond 4096 only their number is kept.
        var saved: [GraphicsState] = []
        let outerCount = savedCount
        defer { savedCount = outerCount }
        var path = PathBox()
        var clipsNext = false
        var numbers: [Double] = []
        var name: String?
        var hasText = false
        /// For each open marked-content section, whether it is hidden; and how many are.
        var sections: [Bool] = []
        var hiddenSections = 0
        var isHidden: Bool { hiddenSections > 0 }

        while let token = lexer.next() {
            switch token {
            case .number(let value):
                if numbers.count < ContentInterpreter.mostOperands { numbers.append(value) }
                continue
            case .name(let text):
                name = text
                continue
            case .string(let count):
                hasText = count > 0
                continue
            case .compound(let text):
                hasText = text
                continue
            case .keyword(let keyword):
                try spend(1)
                switch keyword {
                case "q":
                    savedCount += 1
                    guard savedCount <= ContentInterpreter.mostSaved else {
                        isHostile = true
                        throw AdapterError(
                            .tooLarge, "its content saves more than \(ContentInterpreter.mostSaved) graphics states")
                    }
                    if saved.count < 4096 { saved.append(state) }
                case "Q":
                    savedCount = max(outerCount, savedCount - 1)
                    if savedCount - outerCount < saved.count { state = saved.popLast() ?? state }
                case "cm": if let matrix = Matrix(numbers) { state.matrix = matrix.then(state.matrix) }
                case "gs": apply(resources["ExtGState"][name ?? ""], to: &state)
                case "g": state.fill.setDeviceColor(numbers, components: 1)
                case "rg": state.fill.setDeviceColor(numbers, components: 3)
                case "k": state.fill.setDeviceColor(numbers, components: 4)
                case "cs": state.fill.setSpace(name, resources: resources)
                // A pattern has a name.
                case "sc", "scn": state.fill.setColor(name == nil ? numbers : [])
                case "Tr": state.textMode = numbers.last.map { Int($0.clamped(to: 0...7)) } ?? 0
                case "Tj", "TJ", "'", "\"":
                    // Mode 3 paints nothing: the text layer of a scan. Those from 4 on clip what follows, 7 does only that.
                    if state.textMode >= 4 { state.clip = .shape }
                    if hasText, !isHidden { self.hasText = true }
                    if hasText, state.textMode != 3, state.textMode != 7, !isHidden { note(.text, state) }
                case "re": path.addBox(numbers, state.matrix)
                case "m": path.move(numbers, state.matrix)
                case "l": path.line(numbers, state.matrix)
                case "c", "v", "y": path.addCurve()
                case "h": break
                case "W", "W*": clipsNext = true
                case "n", "f", "F", "f*", "S", "s", "B", "B*", "b", "b*":
                    if keyword != "n", !path.isEmpty, !isHidden, !isPaper(keyword, state) { note(.shape, state) }
                    if clipsNext { state.clip = state.clip.narrowed(to: path.clip) }
                    clipsNext = false
                    path = PathBox()
                case "sh": if !isHidden { note(.shading, state) }
                case "ID":
                    lexer.skipInlineImage()
                    if !isHidden { note(.inlinePicture, state) }
                case "BMC": sections.append(false)
                case "BDC":
                    sections.append(self.isHidden(resources["Properties"][name ?? ""]))
                    if sections.last == true { hiddenSections += 1 }
                case "EMC": if sections.popLast() == true { hiddenSections -= 1 }
                case "Do":
                    let object = resources["XObject"][name ?? ""]
                    if !isHidden && !self.isHidden(object["OC"]) {
                        try paint(object, resources: resources, state: state, depth: depth)
                    }
                default: break
                }
                numbers.removeAll(keepingCapacity: true)
                name = nil
                hasText = false
            }
        }
    }

    /// Whether a shape is white on paper on which there is nothing yet: producers begin pages with it.
    private func isPaper(_ keyword: String, _ state: GraphicsState) -> Bool {
        marks.isEmpty && ["f", "F", "f*"].contains(keyword) && state.fill.isWhite && !state.isTranslucent
            && !state.isInGroup
    }

    private mutating func note(_ mark: Mark, _ state: GraphicsState) {
        if state.isInGroup && state.blends { mixesInGroups = true }
        marks.append(mark)
    }

    /// Counts operators, and now and then looks at the clock.
    private mutating func spend(_ operators: Int) throws(AdapterError) {
        budget -= operators
        guard budget > 0 else { throw AdapterError(.tooLarge, "the page's content is too long to look at") }
        guard operators > 1 || budget.isMultiple(of: ContentInterpreter.operatorsBetweenLooks), time.isOver else {
            return
        }
        throw AdapterError(
            .tooLarge, "looking at the page's content takes too long",
            advice: "give it more seconds with --page-timeout")
    }

    /// Whether what belongs to a group of optional content is hidden; found out once for each.
    private mutating func isHidden(_ content: PDFObject) -> Bool {
        guard let reference = content.reference else { return layers.hides(content) }
        if let known = hiddenContents[reference] { return known }
        let isHidden = layers.hides(content)
        hiddenContents[reference] = isHidden
        return isHidden
    }

    private mutating func paint(
        _ object: PDFObject, resources: PDFObject, state: GraphicsState, depth: Int
    ) throws(AdapterError) {
        guard object.kind == .stream else { return }
        switch object["Subtype"].name {
        case "Image":
            note(.picture(PaintedPicture(object: object, state: state, resources: resources)), state)
        case "Form":
            guard depth < ContentInterpreter.mostNested else {
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
            try run(content, resources: own.isNull ? resources : own, state: inner, depth: depth + 1)
        default:
            break
        }
    }

    /// Applies a graphics state parameter dictionary (ISO 32000-1, 8.4.5).
    private func apply(_ settings: PDFObject, to state: inout GraphicsState) {
        guard settings.kind == .dictionary else { return }
        let mask = settings["SMask"]
        if !mask.isNull { state.hasSoftMask = mask.kind == .dictionary }
        if let alpha = settings["ca"].number { state.fillAlpha = alpha }
        if let alpha = settings["CA"].number { state.strokeAlpha = alpha }
        let mode = settings["BM"]
        if !mode.isNull {
            let name = mode.name ?? mode.items.first?.name
            state.blends = name != "Normal" && name != "Compatible"
        }
    }
}

extension Double {
    /// The nearest value within a range; its lower bound for what is no number.
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
