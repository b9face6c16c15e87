internal import Imaging
internal import PageModel

/// A share of the pages of each book.
///
/// Which pages it has depends on the name and the pages of the book alone, so that each run takes the same.
public struct PageSample: Hashable, Sendable {
    /// The share, more than 0 and at most 1.
    public let share: Double

    /// Reads "5%" or "0.5%"; nil for anything else.
    public init?(_ text: String) {
        guard text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 0, percent <= 100 else {
            return nil
        }
        share = percent / 100
    }

    /// Returns the places of the pages of a book, in order; at least one.
    ///
    /// - Parameter name: the name of the book without its folder.
    public func places(of count: Int, in name: String) -> [Int] {
        let wanted = Int(clamping: (Double(count) * share).rounded(.up), to: min(1, count)...count)
        if wanted == count { return Array(0..<count) }
        let ranks = (0..<count).map { (SHA256.hexDigest(of: Array("\(name)/\($0)".utf8)), $0) }
        return ranks.sorted { $0 < $1 }.prefix(wanted).map(\.1).sorted()
    }
}
