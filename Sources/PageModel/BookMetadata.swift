/// What is known about a book besides its pages.
public struct BookMetadata: Hashable, Sendable {
    public var title: String?
    /// Who made it, in the order in which they are to be named.
    public var credits: [Credit]
    public var series: String?
    /// The volume of the series, where issues are numbered within volumes: "2", "1998".
    public var volume: String?
    /// The volume or issue within the series, as text: "3", "12.5".
    public var number: String?
    public var publisher: String?
    /// When it was published.
    public var date: BookDate?
    /// What it is about: lines of plain text, of which an empty one parts paragraphs.
    public var summary: String?
    /// "Comedy", "Science Fiction"; each once.
    public var genres: [String]
    /// What else it is filed under: "school life"; each once.
    public var tags: [String]
    public var isbn: ISBN?
    /// Who holds the rights in it, or the licence under which it may be used, on one line.
    public var rights: String?
    /// A BCP 47 tag: "ja", "en-GB".
    public var language: String?
    /// The reading direction, when the source states one.
    public var direction: Direction?
    public var outline: [OutlineItem]
    /// What the sources say about their books in documents of their own, which may hold more than the fields above.
    public var documents: [SourceDocument]
    /// Whether the title is the same as the input's name, whoever gave it.
    public var isNamedByInput = false
    /// The names of the files that are attached to it.
    public var attachments: [String] = []
    /// What only some of the books say that it was combined of, by the names that ComicInfo has for it.
    public var notShared: [String] = []
    /// What its source says of it that has no place here, by the source's names for it.
    public var otherFacts: [String] = []
    /// The archival standard that its source claims to follow: "PDF/A-2b".
    public var standard: String?

    /// - Parameter authors: get credits as authors, before the others.
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

    /// Genres and tags, which most formats do not tell apart; each once.
    public var subjects: [String] { (genres + tags).unique }

    /// By whom the book is said to be: the names of those who wrote, drew or coloured it, each once.
    ///
    /// New authors take the place of all these; others keep their credits.
    public var authors: [String] {
        get { credits.names(Set(CreatorRole.allCases.filter(\.isAuthor))) }
        set { credits = newValue.map { Credit($0, .author) } + credits.filter { !$0.role.isAuthor } }
    }
}

/// A date of the Gregorian calendar, known to the day, to the month or to the year.
public struct BookDate: Hashable, Sendable, CustomStringConvertible {
    public let year: Int
    public let month: Int?
    public let day: Int?

    /// Nil when there is no such date, or it has a day and no month.
    public init?(year: Int, month: Int? = nil, day: Int? = nil) {
        guard (1...9999).contains(year), month.map((1...12).contains) ?? (day == nil) else { return nil }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        if let month, let day, !(1...lengths[month - 1]).contains(day) { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Reads "2019", "2019-05" or "2019-05-31" (ISO 8601), and passes over a time behind it.
    public init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:T.*)?)?)?/) else { return nil }
        self.init(
            year: Int(match.1) ?? 0, month: match.2.map { Int($0) ?? 0 }, day: match.3.map { Int($0) ?? 0 })
    }

    /// As ISO 8601 has it: "2019-05-31".
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return ([padded(year, 4)] + [month, day].compactMap { $0.map { padded($0, 2) } }).joined(separator: "-")
    }
}

/// A document in which a source describes its book, carried along so that a sink that writes the same format loses
/// nothing of it.
public struct SourceDocument: Hashable, Sendable {
    /// The document's format: "ComicInfo", "MetronInfo", "ACBF".
    public var format: String
    public var bytes: [UInt8]
    /// Which book it is about, as `Page.book`; nil for the whole, whatever the sources' own documents say.
    public var book: Int?
    /// The ids of the pages that the document speaks of, in the order in which it counts them.
    public var pages: [Int]
    /// Whether what it says of the book is what is to be said: false once facts were overruled.
    public var isCurrent = true

    public init(format: String, bytes: [UInt8], book: Int? = 0, pages: [Int] = []) {
        self.format = format
        self.bytes = bytes
        self.book = book
        self.pages = pages
    }
}
