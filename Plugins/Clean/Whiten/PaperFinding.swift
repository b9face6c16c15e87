public import PageModel

/// The paper of a page, and the decision to whiten it.
public struct PaperFinding: PageFinding {
    /// The decision and its reason; a sentence fragment.
    public let remark: Message
    /// The color of the paper; nil if none was found.
    public internal(set) var paper: RGB?
    /// Whether the page is whitened.
    public internal(set) var isWhitened = false
    /// Whether the paper is white already.
    var isWhite = false
    /// The probability that the color is that of the paper, 0 to 1; nil if none was found.
    public internal(set) var confidence: Double?
    /// The damage of the page's data that the analysis found; nil for intact data.
    public internal(set) var damage: Message?

    /// Returns the finding with another decision and its reason.
    func becoming(_ remark: Message, isWhitened: Bool) -> PaperFinding {
        PaperFinding(
            remark: remark, paper: paper, isWhitened: isWhitened, isWhite: isWhite, confidence: confidence,
            damage: damage)
    }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [
            ("whitened", .boolean(isWhitened)), ("paperColor", paper.map { .text($0.hex) } ?? .none),
            ("paperConfidence", confidence.map { .number(($0 * 100).rounded() / 100) } ?? .none),
            ("whiten", .text(remark.english)),
        ]
    }
}

extension PaperReading {
    /// Returns the decision about a page.
    ///
    /// - Parameters:
    ///   - agreement: how well its paper agrees with that of the pages around it, 0 to 1; nil without such pages.
    ///   - mayChangeArt: whether art on the paper may become lighter together with it.
    ///   - becomes: the color that paper gets.
    func decision(agreement: Double?, mayChangeArt: Bool, becomes target: RGB = .white) -> PaperFinding {
        guard let color, share >= PaperLimits.minimumShare else {
            return PaperFinding(remark: "not whitened: it shows no paper, or too little")
        }
        let confidence = min(1, share / 0.6) * (agreement.map { 0.5 + $0 / 2 } ?? 0.75)
        func leftAlone(_ reason: Message, isWhite: Bool = false) -> PaperFinding {
            PaperFinding(remark: "not whitened: \(reason)", paper: color, isWhite: isWhite, confidence: confidence)
        }
        if isWhite, target == .white { return leftAlone("its paper is white already", isWhite: true) }
        if agreement == 0 { return leftAlone("its ground differs from the paper of the pages around it") }
        if agreement == nil, printShare < PaperLimits.minimumPrint {
            return leftAlone("no print shows that its ground is paper")
        }
        if !mayChangeArt, coloredShare > PaperLimits.maximumColored { return leftAlone("it shows art in color") }
        if middleShare > PaperLimits.maximumMiddle { return leftAlone("most of it is art") }
        return PaperFinding(
            remark: "whitened: its paper was \(color.hex)", paper: color, isWhitened: true, confidence: confidence)
    }
}
