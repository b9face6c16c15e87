internal import AdapterKit
internal import Metadata
internal import PageModel

/// What is done to PDFs that may cost the output what they claim to be.
struct ClaimDoubt {
    /// The documents from which pages are copied.
    let sources: [SourceDocument]
    /// Whether the output shows nothing else.
    let isCopied: Bool
    /// Whether its pages are those of one document, all of them and in its order.
    let isOriginal: Bool
    /// Whether text was read off pages.
    let hasNewText: Bool
    /// As in `SinkRequest`.
    let overrulesSources: Bool
    let book: BookMetadata

    /// What is said of each claim that is left out; none where the output keeps what its source claims.
    var warnings: [Warning] {
        if sources.isEmpty, let standard = book.standard {
            return [ClaimDoubt.warning("the claim to be \(standard) was left out: all pages were made anew")]
        }
        return sources.compactMap { source in
            guard let claim = source.claim, let reason = reason(against: claim) else { return nil }
            return ClaimDoubt.warning("\(source.name): its claim to be \(claim.english) was left out: \(reason)")
        }
    }

    private static func warning(_ message: String) -> Warning {
        Warning(
            code: "pdfa-claim-dropped", message: message,
            advice: "have a program for PDF/A check the output if it is to be one")
    }

    /// Why the output may not be what a source claims to be; nil where nothing is done that could matter.
    private func reason(against claim: ArchivalClaim) -> String? {
        if sources.count > 1 { return "several PDFs were put together" }
        if !isCopied { return "it has pages that were pictures" }
        if hasNewText { return "text was read off its pages" }
        if claim.level == "A", !isOriginal { return "its tags were made for all of its pages, as they were" }
        // Part 1 wants everything to be said alike in two places, of which one takes only one author, and jisui writes keywords in
        // one of them.
        if claim.part == 1, overrulesSources, book.authors.count > 1 || !book.subjects.isEmpty {
            return "it names several authors, or keywords, which PDF/A-1 has a form of its own for"
        }
        return nil
    }
}
