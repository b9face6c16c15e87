internal import AdapterKit
internal import PageModel

extension PlannedCopies {
    /// Adds the document pages that the plan for a page copies.
    mutating func add(_ plan: PagePlan) {
        if plan.reason.parts.contains(where: { $0.note.code == .textRecognized }) { hasNewText = true }
        if !plan.method.parts.isEmpty { staysPages = false }
        for plan in plan.method.parts.isEmpty ? [plan] : plan.method.parts.map(\.plan) {
            if case .page(let page, let framing) = plan.method.kept {
                pages.append((page, framing))
            } else {
                showsOthers = true
            }
        }
    }
}
