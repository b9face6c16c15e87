internal import AdapterKit
internal import PageModel

/// A page of a document, whose copy an output of the same kind can contain.
struct DocumentCandidate: Sendable {
    let planner: Planner
    let document: DocumentPage
    let page: Page
    let picture: Picture
    /// The changes that a copy is to show.
    let changes: Planner.DocumentChanges

    static let rules: [PlanRule<DocumentCandidate>] = [
        PlanRule(
            name: "Copy the page of the document",
            condition:
                "The input and the output are documents of the same kind. A scan that needs new pixels or another format "
                + "is made from its image instead; for other pages such options are errors.",
            treatments: [.verbatim, .lossless],
            applies: { $0.canBeCopied || !$0.picture.isStoredImage },
            plans: { candidate, _ throws(AdapterError) in [try candidate.copy()] })
    ]

    /// Nil if the output cannot contain copies of such pages.
    ///
    /// - Throws: `.usage` if the edits leave nothing of the page.
    init?(_ planner: Planner, _ page: Page, _ picture: Picture) throws(AdapterError) {
        guard let document = picture.document, planner.capabilities.documents.contains(document.format) else {
            return nil
        }
        (self.planner, self.document, self.page, self.picture) = (planner, document, page, picture)
        changes = try planner.changes(of: document, page, picture)
    }
}
