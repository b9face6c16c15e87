internal import PDFStructure

/// A content stream that is being read: a page's or a form's.
struct OpenContent {
    let resources: PDFObject
    /// The number of forms around it.
    let depth: Int
    /// The number of graphics states that the contents around it have saved.
    let outerCount: Int
    /// The index of the content among all that a page paints.
    let frame: Int
    var state: GraphicsState
    /// The states saved and not yet restored; beyond `maximumStates` only their number is kept.
    var saved: [GraphicsState] = []
    private(set) var path = PathBox()
    private(set) var hasText = false
    private var lexer: ContentLexer
    private var clipsNext = false
    private var textMatrix = Matrix.identity
    private var numbers: [Double] = []
    private var name: String?
    /// The end of the operator before the last one, and the start of an inline image whose data follow.
    private var operatorStart = 0
    private var imageStart = 0
    /// For each open marked-content section, whether it is hidden; and the number of hidden ones.
    private var sections: [Bool] = []
    private var hiddenSections = 0

    static let maximumStates = 4096
    /// The maximum number of operands of an operator: that of a DeviceN color's components (ISO 32000-1, Annex C).
    private static let maximumOperands = 32

    init(_ bytes: [UInt8], resources: PDFObject, state: GraphicsState, outerCount: Int, depth: Int, frame: Int) {
        self.resources = resources
        self.depth = depth
        self.frame = frame
        self.outerCount = outerCount
        self.state = state
        lexer = ContentLexer(bytes)
    }

    /// Whether a marked-content section hides all marks now.
    var isHidden: Bool { hiddenSections > 0 }

    /// Reads the next operator with its operands; nil at the end.
    mutating func nextOperator() -> String? {
        numbers.removeAll(keepingCapacity: true)
        name = nil
        hasText = false
        operatorStart = lexer.position
        while let token = lexer.next() {
            switch token {
            case .number(let value): if numbers.count < OpenContent.maximumOperands { numbers.append(value) }
            case .name(let text): name = text
            case .string(let count): hasText = count > 0
            case .compound(let text): hasText = text
            case .keyword(let keyword): return keyword
            }
        }
        return nil
    }

    /// Returns the resource of a kind that the operator names.
    func resource(_ kind: String) -> PDFObject { resources[kind][name ?? ""] }

    /// Follows an operator that constructs a path.
    ///
    /// - Returns: false for any other operator.
    mutating func addToPath(_ keyword: String) -> Bool {
        switch keyword {
        case "re": path.addBox(numbers, state.matrix)
        case "m": path.move(numbers, state.matrix)
        case "l": path.line(numbers, state.matrix)
        case "c", "v", "y": path.addCurve()
        case "h": break
        case "W", "W*": clipsNext = true
        default: return false
        }
        return true
    }

    /// Ends the path that an operator paints or only clips with.
    mutating func endPath() {
        if clipsNext { state.clip = state.clip.narrowed(to: path.clip) }
        clipsNext = false
        path = PathBox()
    }

    /// Follows an operator that sets a value of the graphics state.
    ///
    /// - Parameter file: the file, for the functions of color spaces.
    /// - Returns: false for any other operator.
    mutating func changeState(_ keyword: String, _ file: PDFFile) -> Bool {
        switch keyword {
        case "cm": if let matrix = Matrix(numbers) { state.matrix = matrix.then(state.matrix) }
        case "gs": state.apply(resource("ExtGState"))
        case "g": setFill(components: 1)
        case "rg": setFill(components: 3)
        case "k": setFill(components: 4)
        case "cs":
            state.fill.setSpace(name, resources: resources, file)
            state.pattern = nil
        // A pattern has a name.
        case "sc", "scn":
            state.fill.setColor(name == nil ? numbers : [])
            state.pattern = keyword == "scn" && numbers.isEmpty && name != nil ? resource("Pattern") : nil
        case "Tr": state.textMode = numbers.last.map { Int($0.clamped(to: 0...7)) } ?? 0
        case "BT": textMatrix = .identity
        case "Tm": if let matrix = Matrix(numbers) { textMatrix = matrix }
        default: return false
        }
        return true
    }

    private mutating func setFill(components: Int) {
        state.fill.setDeviceColor(numbers, components: components)
        state.pattern = nil
    }

    /// Notes that the operands of an inline image follow.
    mutating func beginInlineImage() { imageStart = operatorStart }

    /// Skips the data of an inline image, and returns it; nil if its dictionary cannot be read.
    mutating func inlineImage() -> InlineImage? {
        let dictionary = lexer.bytes(from: imageStart, to: lexer.position)
        let start = lexer.position
        var image = InlineImage(dictionary: dictionary)
        lexer.skipInlineImage(image?.rawCount)
        operatorStart = imageStart
        image?.data = lexer.inlineData(from: start)
        return image
    }

    /// Returns the place of the last operator.
    func spot(_ replacement: ContentSpot.Replacement = .nothing) -> ContentSpot {
        ContentSpot(
            frame: frame, range: operatorStart..<lexer.position, replacement: replacement, object: nil,
            isTranslucent: state.isTranslucent)
    }

    /// Returns the place of the last operator, which paints a named object.
    func spotOfObject() -> ContentSpot {
        var spot = spot()
        spot.object = name
        return spot
    }

    /// Returns the place of the last operator, which shows text.
    func spotOfText(_ keyword: String) -> ContentSpot {
        var spot =
            switch keyword {
            case "'": spot(.nextLine)
            case "\"" where numbers.count >= 2: spot(.spacedNextLine(word: numbers[0], character: numbers[1]))
            default: spot()
            }
        spot.slant = textMatrix.then(state.matrix).slantOfText
        return spot
    }

    mutating func beginSection(isHidden: Bool) {
        sections.append(isHidden)
        if isHidden { hiddenSections += 1 }
    }

    mutating func endSection() {
        if sections.popLast() == true { hiddenSections -= 1 }
    }
}

extension GraphicsState {
    /// Applies a graphics state parameter dictionary (ISO 32000-1, 8.4.5).
    fileprivate mutating func apply(_ settings: PDFObject) {
        guard settings.kind == .dictionary else { return }
        let mask = settings["SMask"]
        if !mask.isNull { hasSoftMask = mask.kind == .dictionary }
        if let alpha = settings["ca"].number { fillAlpha = alpha }
        if let alpha = settings["CA"].number { strokeAlpha = alpha }
        let mode = settings["BM"]
        if !mode.isNull {
            let name = mode.name ?? mode.items.first?.name
            blends = name != "Normal" && name != "Compatible"
        }
    }
}

extension Double {
    /// Returns the nearest value within a range; its lower bound for NaN.
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
