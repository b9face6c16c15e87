internal import PageModel

/// One rule of the planner: the condition for a treatment, and the plans that follow from it.
///
/// The rules of a list are ordered. The first that applies gives the plans. docs/lossless.md prints them as a table.
struct PlanRule<Candidate: Sendable>: Sendable {
    /// The rules that are tried after one that applied.
    enum Next: Sendable {
        /// No further rule.
        case done
        /// The next rule that applies adds a fallback, because the plan can fail when it is carried out. The note is
        /// the fallback's reason. Nil keeps the reason of a preceding rule.
        case fallback(@Sendable (Candidate) -> Note?)
        /// No further rule, because the next image of the page is better. The note is the reason not to use this one.
        case nextImage(@Sendable (Candidate) -> Note?)
    }

    /// The name, as the documentation prints it.
    let name: String
    /// The condition, as the documentation prints it.
    let condition: String
    /// The treatments that the first plan can have, the least lossy first; empty if the rule makes no plan.
    let treatments: [Treatment]
    /// The fallback among the plans of the rule itself, as the documentation prints it; empty without one.
    var fallback = ""
    var next = Next.done
    /// Whether the rule applies.
    let applies: @Sendable (Candidate) -> Bool
    /// The reason that a rule does not apply, which explains the plans of the following rules. Nil keeps the reason of
    /// a preceding rule.
    var blocker: @Sendable (Candidate) -> Note? = { _ in nil }
    /// Returns the plans, the best first. The note is the reason that no preceding rule was enough.
    var plans: @Sendable (Candidate, Note?) throws(AdapterError) -> [PagePlan] = { _, _ in [] }
}

/// The plans for an image of a page, and the rule that made them.
struct PlanMatch: Sendable {
    let rule: String
    var plans: [PagePlan]
}

extension [Treatment] {
    /// The treatments of an image whose data are copied: it can have an overlay or a repair.
    static let copying: [Treatment] = [.verbatim, .lossless, .patched]
    /// The treatments of an image whose data are moved without decoding.
    static let moving: [Treatment] = [.lossless, .patched]
    /// The treatments of an image that is decoded.
    static let decoding: [Treatment] = [.lossless, .patched, .encoded]
    /// The treatments of an image that its source renders. Layers of a scan are decoded and merged.
    static let rendering: [Treatment] = [.encoded, .drawn]
}

extension Planner {
    /// Returns the plans of the first rule that applies, and those of its fallbacks.
    ///
    /// - Parameters:
    ///   - candidate: an image of a page.
    ///   - blocker: the reason that no better image of the page is used. It receives the reason not to use this one.
    static func apply<Candidate>(
        _ rules: [PlanRule<Candidate>], to candidate: Candidate, _ blocker: inout Note?
    ) throws(AdapterError) -> [PlanMatch] {
        var matches: [PlanMatch] = []
        for rule in rules {
            guard rule.applies(candidate) else {
                blocker = rule.blocker(candidate) ?? blocker
                continue
            }
            matches.append(PlanMatch(rule: rule.name, plans: try rule.plans(candidate, blocker)))
            switch rule.next {
            case .done: return matches
            case .fallback(let reason): blocker = reason(candidate) ?? blocker
            case .nextImage(let reason):
                blocker = reason(candidate)
                return matches
            }
        }
        return matches
    }
}
