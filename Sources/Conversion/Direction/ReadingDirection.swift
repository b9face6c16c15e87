internal import Metadata
public import PageModel

/// In which direction a book is read, and what tells so.
public struct ReadingDirection: Hashable, Sendable {
    /// What may tell in which direction a book is read, the strongest first.
    public enum Hint: String, CaseIterable, Comparable, Sendable {
        case option
        /// The file that `--metadata` names.
        case metadataFile = "metadata-file"
        /// The source states the direction.
        case source
        /// ComicInfo's `Manga` is "Yes", which says that the book is a manga, not how it is read.
        case manga
        /// The script of the book's language runs from right to left.
        case script
        /// The text that the source has of its pages runs in vertical lines, or from right to left.
        case text
        /// Vertical lines of text are seen on pages.
        case verticalLines = "vertical-lines"
        /// Odd page numbers stand at the outer side of right-hand pages, or of left-hand pages.
        case pageNumbers = "page-numbers"
        case genre
        /// The book is in a language that is written in vertical lines as well, but its lines are horizontal.
        case horizontalLines = "horizontal-lines"
        /// The book is in a language that is written in vertical lines as well.
        case language
        /// Nothing tells.
        case nothing

        public static func < (one: Hint, other: Hint) -> Bool {
            (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
        }
    }

    /// A hint that is there, and what it tells.
    public struct Evidence: Hashable, Sendable {
        public let hint: Hint
        public let direction: Direction
        /// The language, where that is the hint or a part of it.
        public var language: String?
        /// How many pages tell so, of how many that tell anything.
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
    /// The strongest of the hints that tell the other direction.
    public let contrary: Evidence?

    public var direction: Direction { evidence.direction }

    /// Weighs hints, in whatever order they are found; without any, a book is read from left to right.
    public init(_ hints: [Evidence]) {
        let hints = hints.sorted { $0.hint < $1.hint }
        let strongest = hints.first ?? Evidence(.nothing, .leftToRight)
        evidence = strongest
        contrary = hints.first { $0.direction != strongest.direction }
    }

    /// Whether a person or the source says so.
    public var isStated: Bool { evidence.hint <= .source }

    /// What is known from a book's metadata alone; nil where they tell nothing.
    public init?(of book: BookMetadata) {
        let stated = book.direction.map { [Evidence(.source, $0)] } ?? []
        let hints = stated + Evidence.facts(of: book)
        if hints.isEmpty { return nil }
        self.init(hints)
    }
}

extension ReadingDirection.Evidence {
    /// The hints in a book's metadata.
    static func facts(of book: BookMetadata) -> [ReadingDirection.Evidence] {
        var hints: [ReadingDirection.Evidence] = []
        if book.isSaidToBeManga { hints.append(Self(.manga, .rightToLeft)) }
        if book.hasMangaGenre { hints.append(Self(.genre, .rightToLeft)) }
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
