internal import AdapterKit
internal import Metadata
internal import PageModel

/// The changes to PDFs that may invalidate the output's conformance claim.
struct ClaimCheck {
    /// The documents from which pages are copied.
    let sources: [SourceDocument]
    /// Whether the output shows nothing else.
    let isCopied: Bool
    /// Whether its pages are those of one document, all of them and in its order.
    let isOriginal: Bool
    /// Whether text was recognized on pages.
    let hasNewText: Bool
    /// Whether the user gave metadata that the sources do not have, as in `SinkRequest`.
    let overridesSource: Bool
    let book: BookMetadata

    /// The warning about each claim that is dropped; none if the output keeps its source's claims.
    var warnings: [Warning] {
        if sources.isEmpty, let standard = book.standard {
            return [ClaimCheck.warning("the claim of \(standard) conformance was left out, because all pages are new")]
        }
        return sources.compactMap { source in
            guard let claim = source.claim, let reason = reason(against: claim) else { return nil }
            return ClaimCheck.warning(
                about: source.name, "left out its claim of \(claim.english) conformance: \(reason)")
        }
    }

    private static func warning(about name: String? = nil, _ message: Message) -> Warning {
        Warning(
            code: "pdfa-claim-dropped", subject: name, message: message,
            hint: "use a PDF/A validator to check the output if it must conform")
    }

    /// Returns the reason that a source's claim may be invalid for the output; nil if no relevant change is made.
    private func reason(against claim: ArchivalClaim) -> Message? {
        if sources.count > 1 { return "several PDFs were put together" }
        if !isCopied { return "it has pages that were images" }
        if hasNewText { return "text was recognized on its pages" }
        if claim.level == "A", !isOriginal { return "its tags were made for all of its pages, as they were" }
        // Part 1 requires equal metadata in two places. One place takes only one author, and jisui writes keywords in only one
        // place.
        if claim.part == 1, overridesSource, book.authors.count > 1 || !book.subjects.isEmpty {
            return "it names several authors, or keywords, which PDF/A-1 has a form of its own for"
        }
        return nil
    }
}
