internal import Conversion
internal import PageModel

/// The pages that a book-wide change treats by themselves, for a person to look at first.
struct Outliers {
    let text: String

    /// More would not be read.
    private static let most = 20

    /// Nil when there are none.
    init?(_ report: Report) {
        let pages = report.pages.filter(\.isOutlier)
        guard !pages.isEmpty else { return nil }
        let numbers = pages.prefix(Outliers.most).map { String($0.number) }.joined(separator: ", ")
        let more = pages.count > Outliers.most ? " and \(pages.count - Outliers.most) more" : ""
        text = "treated by themselves: page\(pages.count == 1 ? "" : "s") \(numbers)\(more)"
    }
}
