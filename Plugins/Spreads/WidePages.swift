internal import AdapterKit
internal import PageModel

/// The treatment of wide pages for a screen that is held upright.
struct WidePages: Equatable, Sendable {
    enum Treatment: String, CaseIterable, Sendable {
        /// Rotate them by a quarter turn.
        case rotate
        /// Cut them in two at the fold.
        case split
        /// Show each whole, and then its halves.
        case both
        /// Leave them as they are.
        case whole
    }

    enum Turn: String, CaseIterable, Sendable {
        case clockwise
        case counterclockwise
        case none
    }

    let treatment: Treatment
    /// The given turn; nil for that of the reading direction.
    let turn: Turn?

    static let setting = Setting(
        "wide", .choice(Treatment.allCases.map(\.rawValue)), default: Treatment.whole.rawValue, valueName: "how",
        topic: "spreads", help: "Choose how an upright screen shows wide pages",
        details:
            "Rotate turns them by --wide-turn. Split cuts them at the fold. Both shows the turned page first, then its halves in reading order",
        effect: EffectRule(
            causes: [
                .init(
                    after: SpreadOptions.keptWhole, "every wide page was kept whole",
                    hint: "use --fold 50% to split them in the middle"),
                .init("no page was wide", hint: "use --wide-ratio 0.8 to count narrower pages as spreads"),
            ]))

    static let turnSetting = Setting(
        "wide-turn", .choice(Turn.allCases.map(\.rawValue)), valueName: "turn", topic: "spreads",
        help: "Turn wide pages clockwise, counterclockwise or none",
        details:
            "By default clockwise in books read from right to left, else counterclockwise: the side of the next page is then below, at the thumbs",
        needs: "wide", effect: EffectRule(unless: "no page was wide"))

    /// - Throws: `.usage` for a turn without an effect.
    init(_ settings: Settings) throws(AdapterError) {
        treatment = settings["wide"].flatMap(Treatment.init) ?? .whole
        turn = settings["wide-turn"].flatMap(Turn.init)
        guard let turn else { return }
        switch treatment {
        case .both: break
        case .rotate where turn == .none:
            throw AdapterError(
                .usage, "--wide rotate and --wide-turn none exclude each other", hint: "use --wide whole")
        case .rotate: break
        case .split, .whole:
            throw AdapterError(.usage, "--wide-turn has no effect without --wide rotate or both")
        }
    }

    /// Whether the reading direction decides the turn.
    var turnsByDirection: Bool { turn == nil && (treatment == .rotate || treatment == .both) }

    /// Returns the clockwise quarter turns of wide pages; nil if they are not rotated.
    ///
    /// A person touches the right side of the screen for the next page. In a book read from right to left it is the left
    /// side. The device is turned against the image, and this side comes down to the thumbs.
    func quarters(_ direction: Direction) -> Int? {
        guard treatment == .rotate || treatment == .both else { return nil }
        return switch turn {
        case .clockwise: 1
        case .counterclockwise: 3
        case Turn.none?: nil
        case nil: direction == .rightToLeft ? 1 : 3
        }
    }

    /// Returns the mode for facing pages, with this treatment of the wide ones.
    ///
    /// - Parameters:
    ///   - mode: the mode of `--spreads`; nil without it.
    ///   - isGiven: whether the user gave `--wide`.
    /// - Throws: `.usage` for two answers to one question.
    func mode(beside mode: SpreadOptions.Mode?, isGiven: Bool) throws(AdapterError) -> SpreadOptions.Mode? {
        guard isGiven else { return mode }
        guard let mode else {
            return switch treatment {
            case .rotate: .rotate
            case .split, .both: .split
            case .whole: nil
            }
        }
        let wide = "--wide \(treatment.rawValue)"
        switch (mode, treatment) {
        case (.rotate, _), (.rotateLeft, _), (.split, _):
            throw AdapterError(
                .usage, "\(wide) and --spreads \(mode.rawValue) both choose what happens to wide pages",
                hint: "remove one of them")
        case (.pair, .split), (.pair, .both):
            throw AdapterError(
                .usage, "\(wide) pairs the halves itself and excludes --spreads pair", hint: "remove --spreads pair")
        case (.merge, .split), (.merge, .both), (.joinArt, .split), (.joinArt, .both):
            throw AdapterError(
                .usage, "\(wide) would split the pages that --spreads \(mode.rawValue) joins",
                hint: "use --wide rotate to show them rotated")
        case (.pair, _), (.merge, _), (.joinArt, _): return mode
        }
    }
}
