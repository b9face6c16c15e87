internal import AdapterKit
internal import PageModel

/// A page of a document, whose copy an output of the same kind can contain.
struct DocumentCandidate: Sendable {
    let planner: Planner
    let document: DocumentPage
    let page: Page
    let picture: Picture

    static let rules: [PlanRule<DocumentCandidate>] = [
        PlanRule(
            name: "Copy the page of the document",
            condition:
                "The input and the output are documents of the same kind. Options that need new pixels or another "
                + "format are errors.",
            treatments: [.verbatim, .lossless],
            applies: { $0.planner.capabilities.documents.contains($0.document.format) },
            plans: { candidate, _ throws(AdapterError) in
                [try candidate.planner.copy(candidate.document, of: candidate.page, candidate.picture)]
            })
    ]
}
