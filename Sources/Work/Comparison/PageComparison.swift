internal import Imaging
package import PageModel

/// The sign of a page or book in the output of a comparison.
package enum ComparisonSign: String, Sendable, CaseIterable {
    case equal = "="
    /// It is only in the first book.
    case missing = "-"
    /// It is only in the other book.
    case added = "+"
    case different = "*"
    case unreadable = "!"
}

/// The result for two pages that belong together, or for a page that only one book has.
package struct PageComparison: Sendable {
    /// A page in its book.
    package struct Place: Hashable, Sendable {
        /// The place from 1.
        package let number: Int
        package let name: String
        /// The size as shown; nil if it is unknown.
        package let size: PixelSize?
    }

    package enum Result: Sendable {
        case sameBytes
        /// The same JPEG, cropped or rotated without decoding.
        case sameCoefficients
        case samePixels
        case differentPixels(PixelDifference)
        case differentSize
        case missing
        case added
        /// The reason that a page cannot be read, in words that follow its name.
        case unreadable(Message, isOfOther: Bool)
    }

    package let one: Place?
    package let other: Place?
    package let result: Result
    /// Whether both pages are in another order than most pages.
    package let isMoved: Bool

    package var sign: ComparisonSign {
        switch result {
        case .sameBytes, .sameCoefficients, .samePixels: isMoved ? .different : .equal
        case .differentPixels, .differentSize: .different
        case .missing: .missing
        case .added: .added
        case .unreadable: .unreadable
        }
    }

    /// The result in a word for programs.
    package var word: String {
        switch result {
        case .sameBytes: "sameBytes"
        case .sameCoefficients: "sameCoefficients"
        case .samePixels: "samePixels"
        case .differentPixels: "differentPixels"
        case .differentSize: "differentSize"
        case .missing: "missing"
        case .added: "added"
        case .unreadable: "unreadable"
        }
    }
}

/// The result for two books.
package struct BookComparison: Sendable {
    /// The pages, in the order of the other book.
    package var pages: [PageComparison]
    package var metadata: [MetadataDifference]
    /// The number of pages of the other book. `pages` may be a sample of them.
    package var pageCount: Int
    /// Whether only a sample of the pages was compared.
    package var isSample: Bool

    package func count(_ sign: ComparisonSign) -> Int { pages.count { $0.sign == sign } }

    /// The sign of the whole book.
    package var sign: ComparisonSign {
        if count(.unreadable) > 0 { return .unreadable }
        return metadata.isEmpty && count(.equal) == pages.count ? .equal : .different
    }
}

/// A field of the metadata that differs.
package struct MetadataDifference: Hashable, Sendable {
    /// The key of the field in JSON, "outline" or "pageLabels".
    package let field: String
    /// The values; nil if a book states none.
    package let one: String?
    package let other: String?
}

/// A share of the pages of each book.
///
/// Which pages it has depends on the name and the pages of the book alone, so that each run takes the same.
package struct PageSample: Hashable, Sendable {
    /// The share, more than 0 and at most 1.
    package let share: Double

    /// Reads "5%" or "0.5%"; nil for anything else.
    package init?(_ text: String) {
        guard text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 0, percent <= 100 else {
            return nil
        }
        share = percent / 100
    }

    /// Returns the places of the pages of a book, in order; at least one.
    ///
    /// - Parameter name: the name of the book without its folder.
    package func places(of count: Int, in name: String) -> [Int] {
        let wanted = Int(clamping: (Double(count) * share).rounded(.up), to: min(1, count)...count)
        if wanted == count { return Array(0..<count) }
        let ranks = (0..<count).map { (SHA256.hexDigest(of: Array("\(name)/\($0)".utf8)), $0) }
        return ranks.sorted { $0 < $1 }.prefix(wanted).map(\.1).sorted()
    }
}
