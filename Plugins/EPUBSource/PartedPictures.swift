internal import AdapterKit
internal import PageModel

/// The documents of a book whose several images became separate pages.
struct PartedPictures {
    private var documents: [(path: String, pages: ClosedRange<Int>)] = []
    private var linksAreLost = false

    /// The maximum number of documents that a warning lists by their pages: a Kindle's book may have hundreds.
    private static let maximumListed = 10

    mutating func add(_ path: String, _ pages: ClosedRange<Int>, hasLinks: Bool) {
        documents.append((path, pages))
        linksAreLost = linksAreLost || hasLinks
    }

    /// One warning for the book; nil without such documents.
    var warning: Warning? {
        guard let (path, pages) = documents.first else { return nil }
        if documents.count == 1 {
            let links: Message = linksAreLost ? "; its links were left out" : ""
            return Warning(
                code: PartedPictures.code, page: pages.lowerBound, subject: path,
                message: "each of its \(pages.count) images became a page of its own\(links)")
        }
        let named = documents.prefix(PartedPictures.maximumListed).map {
            "\($0.pages.lowerBound)-\($0.pages.upperBound)"
        }
        let more = documents.count - named.count
        let others: Message = more > 0 ? " and those of \(more) more" : ""
        let links: Message = linksAreLost ? "; links of these documents were left out" : ""
        return Warning(
            code: PartedPictures.code,
            message: "each image of \(documents.count) documents with several images became a page of its own: "
                + "pages \(named.commaSeparated)\(others)\(links)")
    }

    private static let code = "images-separated"
}
