internal import LayoutAnalysis
public import PageModel

/// The limits of the decision about pages whose own text does not show their way up.
///
/// Chosen without a measurement: the open corpora have no book that was scanned on its side.
enum BookOrientationLimits {
    /// The minimum number of pages that must agree.
    static let minimumPages = 3
    /// The minimum share of the decided pages that must agree.
    static let minimumShare = 0.9
}

/// The decisions about the pages of a book.
///
/// A page without text follows the others: a book that was scanned on its side lies on it as a whole. Scanners that turn the
/// sheet over put every second page on its head, so odd and even pages are compared separately.
enum BookOrientation {
    /// A page that was analyzed, or the reason why it could not be.
    enum Page: Equatable {
        case seen(TextOrientation)
        case unseen(reason: Message, damage: Message?)

        fileprivate var orientation: TextOrientation? {
            if case .seen(let orientation) = self { orientation } else { nil }
        }
    }

    static func findings(of pages: [Page]) -> [OrientationFinding] {
        let pages = withoutDoubtful(pages)
        let lines = pages.compactMap { $0.orientation?.uprightLines }
        // The lines of Japanese and Chinese books may run down.
        let usual: Strokes.Lines = 2 * lines.count { $0 == .vertical } > lines.count ? .vertical : .horizontal
        let common = (0...1).map { parity in
            commonTurn(of: pages.indices.filter { $0 % 2 == parity }.compactMap { pages[$0].orientation?.quarters })
                .map { CommonTurn(turn: $0, lines: usual) }
        }
        return pages.enumerated().map { index, page in
            switch page {
            case .unseen(let reason, let damage): OrientationFinding(unseen: reason, damage: damage)
            case .seen(let orientation): OrientationFinding(orientation, others: common[index % 2])
            }
        }
    }

    /// Returns the pages without the decisions that contradict the other pages and are not sure.
    private static func withoutDoubtful(_ pages: [Page]) -> [Page] {
        let decided = (0...1).map { parity in
            pages.indices.filter { $0 % 2 == parity }.compactMap { pages[$0].orientation?.quarters }
        }
        return pages.enumerated().map { index, page in
            guard let orientation = page.orientation, !orientation.isSure, let quarters = orientation.quarters,
                let usual = agreed(decided[index % 2]), usual != quarters
            else { return page }
            return .seen(TextOrientation(lines: orientation.lines, quarters: nil))
        }
    }

    /// The turn of the pages around a page.
    struct CommonTurn {
        let turn: QuarterTurn
        /// The direction of the lines of most pages of the book when they are upright.
        let lines: Strokes.Lines
    }

    /// Returns the turn on which the decided pages agree; nil if they are too few, disagree or are upright.
    private static func commonTurn(of decided: [Int]) -> QuarterTurn? {
        agreed(decided).flatMap { quarters in QuarterTurn.all.first { $0.quarters == quarters } }
    }

    /// Returns the number of quarter turns on which the decided pages agree; nil if they are too few, or disagree.
    private static func agreed(_ decided: [Int]) -> Int? {
        Set(decided).first { quarters in
            let count = decided.count { $0 == quarters }
            return count >= BookOrientationLimits.minimumPages
                && Double(count) >= BookOrientationLimits.minimumShare * Double(decided.count)
        }
    }
}

/// The way up of a page, and the decision.
public struct OrientationFinding: PageFinding {
    /// The decision and its reason; a sentence fragment.
    public let remark: Message
    /// The rotation; nil for a page that stays.
    let turn: QuarterTurn?
    /// The damage of the page's data that the analysis found; nil for intact data.
    public let damage: Message?

    /// - Parameter others: the turn of the pages around it that show theirs; nil if they have none in common.
    init(_ orientation: TextOrientation, others: BookOrientation.CommonTurn?) {
        damage = nil
        if let quarters = orientation.quarters {
            turn = QuarterTurn.all.first { $0.quarters == quarters }
            remark = orientation.isByTesseract ? OrientationFinding.read(turn) : OrientationFinding.shown(turn)
        } else if let others, [others.lines, nil].contains(orientation.lines(after: others.turn.quarters)) {
            turn = others.turn
            remark = "rotated by \(others.turn.degrees)°, as the pages around it"
        } else {
            turn = nil
            remark =
                orientation.lines == nil
                ? "not rotated: it has too few lines of text" : "not rotated: its text does not show which way up it is"
        }
    }

    /// Returns the decision that the heights of letters show.
    private static func shown(_ turn: QuarterTurn?) -> Message {
        switch turn?.quarters {
        case nil: "not rotated: its text is upright"
        case 2: "rotated by 180°, because its text is upside down"
        case _: "rotated by \(turn?.degrees ?? 0)°, because its text lies on its side"
        }
    }

    /// Returns the decision by what tesseract found.
    private static func read(_ turn: QuarterTurn?) -> Message {
        switch turn?.quarters {
        case nil: "not rotated: tesseract found its text upright"
        case 2: "rotated by 180°, because tesseract found its text upside down"
        case _: "rotated by \(turn?.degrees ?? 0)°, because tesseract found its text on its side"
        }
    }

    init(unseen reason: Message, damage: Message?) {
        (turn, remark, self.damage) = (nil, "not rotated: \(reason)", damage)
    }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [("orientation", .text(remark.english))]
    }
}
