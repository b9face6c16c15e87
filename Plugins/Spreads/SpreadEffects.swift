internal import AdapterKit
internal import PageModel

/// The recorded effects of the options about facing pages, so that a run can report options without an effect.
extension SpreadOptions {
    /// The conditions for an effect of `--spreads`: some modes need pages that a book may not have.
    static let rule = EffectRule(
        [[.own], [merging, .joined], [sidesChanged, .sidesShown]],
        causes: [
            .shownAsSpread,
            .init(
                after: allWide, "every page is wide and counts as a whole spread",
                hint: "use --wide-ratio 1.5 to count only wider pages as spreads"),
            .init(after: asked(.merge), "no two pages faced each other"),
            .init(
                after: keptWhole, "every wide page was kept whole",
                hint: "use --fold 50% to split them in the middle"),
            .init(
                after: asked(.split), "no page was wide",
                hint: "use --wide-ratio 0.8 to count narrower pages as spreads"),
            .init(
                after: asked(.rotate), "no page was wide",
                hint: "use --wide-ratio 0.8 to count narrower pages as spreads"),
            .init(
                after: asked(.rotateLeft), "no page was wide",
                hint: "use --wide-ratio 0.8 to count narrower pages as spreads"),
            .init(after: asked(.joinArt), "no artwork was found that continues on the next page"),
            .init(after: .pairedAnyway, "the output pairs pages like that by itself"),
            .init(
                after: paired, "the output does not show which pages face each other",
                hint: "use --spreads merge to make one image of two pages"),
            .init("no two pages faced each other"),
        ])

    /// The conditions for an effect of `--shift`: only some outputs show the sides of pages that are not joined.
    static let shiftRule = EffectRule(
        [[.own], [sideShifted, .sidesShown]],
        causes: [
            .init(
                after: sideShifted, "the output does not show which pages face each other",
                hint: "use --spreads merge to make one image of two pages"),
            .init("pages face each other in the same way without it"),
        ])

    /// The reading direction changed the result.
    static let direction = Effect.option("direction")

    /// Two pages face each other.
    private static let paired = Effect.named("paired")

    /// Pages are on other sides of an open book than their source says.
    static let sidesChanged = Effect.named("sides-changed")

    /// A page that is not joined is on its other side.
    private static let sideShifted = Effect.named("side-shifted")

    /// No page was narrow enough to face another.
    private static let allWide = Effect.named("all-wide")

    /// A wide page was not split.
    static let keptWhole = Effect.named("kept-whole")

    /// Two pages were to become one.
    private static let merging = Effect.named("merging")

    /// Returns the requested mode, regardless of its result.
    private static func asked(_ mode: Mode) -> Effect { .named("spreads-\(mode.rawValue)") }

    /// Notes the effects that are known before pages are paired.
    func noteUse(on pages: [Page], _ request: TransformRequest) async throws {
        request.effects.note(SpreadOptions.asked(mode))
        guard given["wide-ratio"] != nil else { return }
        let sized = try await SizedPage.all(pages, width: request.width)
        let isUsed = sized.contains {
            $0.showsSpread(wideRatio) != $0.showsSpread(SpreadOptions.usualRatio)
                || $0.isWideSpread(wideRatio) != $0.isWideSpread(SpreadOptions.usualRatio)
        }
        if isUsed { request.effects.note(option: "wide-ratio") }
    }

    /// Notes that a file has the decisions, which were made with the given options.
    func noteFile(_ request: TransformRequest) {
        request.effects.note(Set(given.keys.map(Effect.option)))
    }

    /// Notes the result of pairing.
    ///
    /// - Parameters:
    ///   - usual: the result with an unpaired cover.
    ///   - unshifted: the result without `--shift`.
    func noteUse(of pairing: Pairing, usual: Pairing, unshifted: Pairing, _ request: TransformRequest) {
        if !pairing.facingPages.isEmpty { request.effects.note([SpreadOptions.paired, SpreadOptions.direction]) }
        if pairing.spreads != unshifted.spreads {
            let isJoined = mode == .merge || mode == .joinArt
            let isSeen = addsBlanks || isJoined && pairing.facingPages != unshifted.facingPages
            request.effects.note(isSeen ? .option("shift") : SpreadOptions.sideShifted)
        }
        if pairing.spreads != usual.spreads { request.effects.note(option: "cover") }
        let isAllWide = pairing.spreads.allSatisfy { if case .wide = $0 { true } else { false } }
        if isAllWide, mode == .pair || mode == .merge { request.effects.note(SpreadOptions.allWide) }
    }

    /// Returns a message about the facing pages, if the book does not state them. It is nil if no two pages face each other.
    ///
    /// - Parameter beginsBook: whether the first page is the book's first.
    func choice(of pairing: Pairing, by evidence: PairingEvidence?, beginsBook: Bool) -> Warning? {
        guard readsNumbers, mode == .pair || mode == .merge, !pairing.facingPages.isEmpty else { return nil }
        let (message, hint): (Message, Message)
        if let evidence {
            (message, hint) = (evidence.choice, "use --cover or --shift to change it")
        } else if !beginsBook {
            (message, hint) = ("paired pages as in the whole book", "use --cover or --shift to change it")
        } else if case .cover? = pairing.spreads.first {
            (message, hint) = (
                "paired the pages after the first, which stands alone like a cover",
                "use --cover paired to pair it with the second"
            )
        } else {
            return nil
        }
        return Warning(code: "pairing", message: message, hint: hint, isNote: true)
    }

    /// Notes the options that affected the merging of two pages.
    func noteMerging(_ first: SizedPage, _ second: SizedPage, _ request: TransformRequest) {
        let effects = request.effects
        effects.note(SpreadOptions.merging)
        effects.note(option: "gutter")
        effects.note(SpreadOptions.direction)
        let isUneven = first.size?.height != second.size?.height
        if isUneven { effects.note(option: Setting.align.name) }
        if gutter > 0 || isUneven && alignment != .scale { effects.note(option: Setting.background.name) }
    }
}
