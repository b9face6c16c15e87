internal import Metadata
public import PageModel

/// The reading direction of a book, and the evidence for it.
public struct ReadingDirection: Hashable, Sendable {
    /// The kinds of evidence for a reading direction, the strongest first.
    public enum Hint: String, CaseIterable, Comparable, Sendable {
        case option
        /// The file that `--metadata` names.
        case metadataFile = "metadata-file"
        /// The source states the direction.
        case source
        /// ComicInfo's `Manga` is "Yes": the book is a manga, but its reading direction is not stated.
        case manga
        /// The script of the book's language runs from right to left.
        case script
        /// The source's text of the pages runs in vertical lines, or from right to left.
        case text
        /// The images of pages show vertical lines of text.
        case verticalLines = "vertical-lines"
        /// Odd page numbers are printed at the outer side of right-hand pages, or of left-hand pages.
        case pageNumbers = "page-numbers"
        case genre
        /// The book is in a language that is written in vertical lines as well, but its lines are horizontal.
        case horizontalLines = "horizontal-lines"
        /// The book is in a language that is written in vertical lines as well.
        case language
        /// The book contains no evidence.
        case nothing

        public static func < (one: Hint, other: Hint) -> Bool {
            (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
        }
    }

    /// A hint that was found, and the direction that it indicates.
    public struct Evidence: Hashable, Sendable {
        public let hint: Hint
        public let direction: Direction
        /// The language, if the hint is or includes the language.
        public var language: String?
        /// The number of agreeing pages, and the number of pages with any evidence.
        public var pages: (agreeing: Int, of: Int)?

        public init(
            _ hint: Hint, _ direction: Direction, language: String? = nil, pages: (agreeing: Int, of: Int)? = nil
        ) {
            (self.hint, self.direction, self.language, self.pages) = (hint, direction, language, pages)
        }

        public static func == (one: Evidence, other: Evidence) -> Bool {
            one.hint == other.hint && one.direction == other.direction && one.language == other.language
                && one.pages?.agreeing == other.pages?.agreeing && one.pages?.of == other.pages?.of
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(hint)
            hasher.combine(direction)
        }
    }

    /// The strongest hint.
    public let evidence: Evidence
    /// The strongest of the hints at the other direction.
    public let contrary: Evidence?

    public var direction: Direction { evidence.direction }

    /// Weighs hints in any order; without any, a book is read from left to right.
    public init(_ hints: [Evidence]) {
        let hints = hints.sorted { $0.hint < $1.hint }
        let strongest = hints.first ?? Evidence(.nothing, .leftToRight)
        evidence = strongest
        contrary = hints.first { $0.direction != strongest.direction }
    }

    /// Whether a person or the source states the direction.
    public var isStated: Bool { evidence.hint <= .source }

    /// Infers the direction from a book's metadata alone; nil if they contain no hint.
    public init?(of book: BookMetadata) {
        let stated = book.direction.map { [Evidence(.source, $0)] } ?? []
        let hints = stated + Evidence.facts(of: book)
        if hints.isEmpty { return nil }
        self.init(hints)
    }
}

extension ReadingDirection.Evidence {
    /// Returns the hints in a book's metadata.
    static func facts(of book: BookMetadata) -> [ReadingDirection.Evidence] {
        var hints: [ReadingDirection.Evidence] = []
        if book.isStatedToBeManga { hints.append(Self(.manga, .rightToLeft)) }
        if book.genres.contains(where: { $0.lowercased() == "manga" }) { hints.append(Self(.genre, .rightToLeft)) }
        if let language = book.language {
            switch LanguageTag.rightToLeft(language) {
            case .surely: hints.append(Self(.script, .rightToLeft, language: language))
            case .perhaps: hints.append(Self(.language, .rightToLeft, language: language))
            case nil: break
            }
        }
        return hints
    }
}
