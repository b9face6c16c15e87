/// The metadata of a book, without its pages.
public struct BookMetadata: Hashable, Sendable {
    public var title: String?
    /// The contributors, in the order in which they are to be listed.
    public var credits: [Credit]
    public var series: String?
    /// The volume of the series, if issues are numbered within volumes: "2", "1998".
    public var volume: String?
    /// The volume or issue within the series, as text: "3", "12.5".
    public var number: String?
    public var publisher: String?
    /// The date of publication.
    public var date: BookDate?
    /// The description: lines of plain text, with empty lines between paragraphs.
    public var summary: String?
    /// The genres, each once: "Comedy", "Science Fiction".
    public var genres: [String]
    /// The other subjects, each once: "school life".
    public var tags: [String]
    public var isbn: ISBN?
    /// The copyright holder or the license, on one line.
    public var rights: String?
    /// A BCP 47 tag: "ja", "en-GB".
    public var language: String?
    /// The reading direction, when the source states one.
    public var direction: Direction?
    /// Whether the direction was only inferred, for an output that has to state one. A ComicInfo.xml without a
    /// direction then stays as it is.
    public var isDirectionInferred = false
    public var outline: [OutlineItem]
    /// The metadata documents of the sources, which may hold more than the fields above.
    public var documents: [SourceDocument]
    /// Whether the title is the same as the input's name, regardless of its origin.
    public var isNamedByInput = false
    /// The names of the attached files.
    public var attachments: [String] = []
    /// The fields that differ between combined books, by their names in ComicInfo.
    public var conflictingFields: [String] = []
    /// The metadata of the source that this type cannot hold, by the source's names.
    public var unsupportedFields: [String] = []
    /// The archival standard that its source claims to follow: "PDF/A-2b".
    public var standard: String?

    /// - Parameter authors: the authors, whose credits come before the others.
    public init(
        title: String? = nil, authors: [String] = [], credits: [Credit] = [], series: String? = nil,
        volume: String? = nil,
        number: String? = nil, publisher: String? = nil, date: BookDate? = nil,
        summary: String? = nil, genres: [String] = [], tags: [String] = [], isbn: ISBN? = nil, rights: String? = nil,
        language: String? = nil, direction: Direction? = nil,
        outline: [OutlineItem] = [],
        documents: [SourceDocument] = []
    ) {
        self.title = title
        self.credits = authors.map { Credit($0, .author) } + credits
        self.series = series
        self.volume = volume
        self.number = number
        self.publisher = publisher
        self.date = date
        self.summary = summary
        self.genres = genres
        self.tags = tags
        self.isbn = isbn
        self.rights = rights
        self.language = language
        self.direction = direction
        self.outline = outline
        self.documents = documents
    }

    /// The genres and tags, which most formats do not distinguish; each once.
    public var subjects: [String] { (genres + tags).unique }

    /// The names of the people who wrote, drew or colored the book, each once.
    public var authors: [String] { credits.names(Set(CreatorRole.allCases.filter(\.isAuthor))) }

    /// Replaces the people with the role of an author.
    ///
    /// Others keep their credits, even if `authors` lists them: formats without roles list those who drew a book among
    /// its authors.
    public mutating func replaceAuthors(with names: [String]) {
        credits = names.map { Credit($0, .author) } + credits.filter { $0.role != .author }
    }
}

/// A date of the Gregorian calendar, exact to the day, the month or the year.
public struct BookDate: Hashable, Sendable, CustomStringConvertible {
    public let year: Int
    public let month: Int?
    public let day: Int?

    /// Returns nil for an invalid date, or for a day without a month.
    public init?(year: Int, month: Int? = nil, day: Int? = nil) {
        guard (1...9999).contains(year), month.map((1...12).contains) ?? (day == nil) else { return nil }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        if let month, let day, !(1...lengths[month - 1]).contains(day) { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Reads "2019", "2019-05" or "2019-05-31" (ISO 8601) and ignores a time after the date.
    public init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:T.*)?)?)?/) else { return nil }
        self.init(
            year: Int(match.1) ?? 0, month: match.2.map { Int($0) ?? 0 }, day: match.3.map { Int($0) ?? 0 })
    }

    /// The date in ISO 8601: "2019-05-31".
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return ([padded(year, 4)] + [month, day].compactMap { $0.map { padded($0, 2) } }).joined(separator: "-")
    }
}

/// A metadata document of a source, kept so that a sink that writes the same format loses nothing.
public struct SourceDocument: Hashable, Sendable {
    /// The document's format: "ComicInfo", "MetronInfo", "ACBF".
    public var format: String
    public var bytes: [UInt8]
    /// The book that it is about, as `Page.book`; nil for the whole, regardless of the sources' own documents.
    public var book: Int?
    /// The ids of the pages in the document, in its order.
    public var pages: [Int]
    /// Whether its statements about the book are current: false once the user overrode metadata.
    public var isCurrent = true

    public init(format: String, bytes: [UInt8], book: Int? = 0, pages: [Int] = []) {
        self.format = format
        self.bytes = bytes
        self.book = book
        self.pages = pages
    }
}
