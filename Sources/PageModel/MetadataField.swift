/// A field of a book's metadata: its place in `BookMetadata`, its names, and its value in a sequence of several books.
///
/// A new field is a property of `BookMetadata` and a value in `all`. JSON, reports, the web reader, and the command line if
/// the field has an option, then have it. Only the formats that store it in a form of their own must learn it.
public struct MetadataField: Sendable {
    public typealias Path<Value> = WritableKeyPath<BookMetadata, Value> & Sendable

    /// The type of a field, with its place.
    public enum Kind: Sendable {
        /// A short text on one line.
        case text(any Path<String?>)
        /// A text of any length on one line.
        case statement(any Path<String?>)
        /// Lines of plain text, with empty lines between paragraphs.
        case paragraphs(any Path<String?>)
        /// A BCP 47 tag.
        case language(any Path<String?>)
        /// Texts, each once.
        case words(any Path<[String]>)
        case date(any Path<BookDate?>)
        case isbn(any Path<ISBN?>)
        case direction(any Path<Direction?>)
        case credits(any Path<[Credit]>)
    }

    /// The value of a field for several books together.
    public enum Joining: Sendable {
        /// The first book's value. The loss of the others is not reported.
        case first
        /// The first book's value. Another value of a later book is reported.
        case firstOfSeveral
        /// The value, or the words, that all books have. A difference is reported.
        case common
        /// The values of all books.
        case all
    }

    /// The option that gives a field.
    public struct Option: Sendable {
        /// The name without the dashes.
        public let name: String
        /// The placeholder for the value in help.
        public let valueName: String
        /// A phrase of at most 60 characters that begins with an imperative verb and has no final period.
        public let help: String

        fileprivate init(_ name: String, _ valueName: String, _ help: String) {
            self.name = name
            self.valueName = valueName
            self.help = help
        }
    }

    /// The key in JSON, which is also the word for it in `info`.
    public let key: String
    public let kind: Kind
    /// The element in a ComicInfo.xml; nil if it has no place there, or several.
    public let comicInfo: String?
    /// The option that gives it, if it has one.
    public let option: Option?
    /// The word for it in notes on outputs that store no metadata.
    public let label: Message
    public let joining: Joining

    private init(
        _ key: String, _ kind: Kind, comicInfo: String?, option: Option? = nil, label: Message? = nil,
        _ joining: Joining
    ) {
        self.key = key
        self.kind = kind
        self.comicInfo = comicInfo
        self.option = option
        self.label = label ?? Message(pattern: key)
        self.joining = joining
    }

    /// All fields, in the order in which they are written and listed.
    public static let all = [
        MetadataField(
            "title", .text(\.title), comicInfo: "Title", option: Option("title", "text", "Set the title"), .first),
        MetadataField(
            "creators", .credits(\.credits), comicInfo: nil,
            option: Option("author", "name", "Set an author; repeat for several"), label: "authors", .all),
        MetadataField(
            "series", .text(\.series), comicInfo: "Series", option: Option("series", "text", "Set the series"),
            .firstOfSeveral),
        MetadataField(
            "volume", .text(\.volume), comicInfo: "Volume",
            option: Option("volume", "number", "Set the volume of the series"), .common),
        MetadataField(
            "number", .text(\.number), comicInfo: "Number",
            option: Option("number", "number", "Set the number in the series: 3, 12.5"), .first),
        MetadataField(
            "publisher", .text(\.publisher), comicInfo: "Publisher",
            option: Option("publisher", "name", "Set the publisher"), .common),
        MetadataField(
            "date", .date(\.date), comicInfo: "Year",
            option: Option("date", "date", "Set the publication date: 2019, 2019-05, 2019-05-31"), .common),
        MetadataField("summary", .paragraphs(\.summary), comicInfo: "Summary", .common),
        MetadataField("genres", .words(\.genres), comicInfo: "Genre", .common),
        MetadataField("tags", .words(\.tags), comicInfo: "Tags", .common),
        MetadataField("isbn", .isbn(\.isbn), comicInfo: "GTIN", label: "ISBN", .common),
        MetadataField("rights", .statement(\.rights), comicInfo: nil, .common),
        MetadataField(
            "language", .language(\.language), comicInfo: "LanguageISO",
            option: Option("language", "tag", "Set the language as a tag: ja, en-GB"), .firstOfSeveral),
        MetadataField("direction", .direction(\.direction), comicInfo: "Manga", .first),
    ]

    /// The name in warnings about lost and different fields.
    public var warningName: String { comicInfo ?? key }

    /// Whether a book has a value.
    public func isStated(in book: BookMetadata) -> Bool { access.isStated(in: book) }

    /// Whether two books have the same value.
    public func isEqual(in one: BookMetadata, and other: BookMetadata) -> Bool { access.isEqual(in: one, and: other) }

    /// Gives a book the value of another, even if that has none.
    public func copy(from source: BookMetadata, to book: inout BookMetadata) { access.copy(from: source, to: &book) }

    private var access: any FieldAccess {
        switch kind {
        case .text(let path), .statement(let path), .paragraphs(let path), .language(let path): Access(path: path)
        case .words(let path): Access(path: path)
        case .date(let path): Access(path: path)
        case .isbn(let path): Access(path: path)
        case .direction(let path): Access(path: path)
        case .credits(let path): Access(path: path)
        }
    }
}

/// A value that may be missing.
private protocol FieldValue: Equatable {
    var isStated: Bool { get }
}

extension Optional: FieldValue where Wrapped: Equatable {
    fileprivate var isStated: Bool { self != nil }
}

extension Array: FieldValue where Element: Equatable {
    fileprivate var isStated: Bool { !isEmpty }
}

private protocol FieldAccess {
    func isStated(in book: BookMetadata) -> Bool
    func isEqual(in one: BookMetadata, and other: BookMetadata) -> Bool
    func copy(from source: BookMetadata, to book: inout BookMetadata)
}

private struct Access<Value: FieldValue>: FieldAccess {
    let path: WritableKeyPath<BookMetadata, Value>

    func isStated(in book: BookMetadata) -> Bool { book[keyPath: path].isStated }

    func isEqual(in one: BookMetadata, and other: BookMetadata) -> Bool { one[keyPath: path] == other[keyPath: path] }

    func copy(from source: BookMetadata, to book: inout BookMetadata) { book[keyPath: path] = source[keyPath: path] }
}

extension BookMetadata {
    /// Replaces each field that another book states.
    public mutating func replace(with other: BookMetadata) {
        for field in MetadataField.all where field.isStated(in: other) { field.copy(from: other, to: &self) }
    }

    /// Fills each missing field.
    public mutating func complete(with other: BookMetadata) {
        let place = (volume, number)
        for field in MetadataField.all where !field.isStated(in: self) { field.copy(from: other, to: &self) }
        // A volume means nothing without its number.
        if place != (nil, nil) { (volume, number) = place }
    }

    /// Joins the fields of the next book of a sequence.
    public mutating func join(_ next: BookMetadata) {
        for field in MetadataField.all {
            switch (field.joining, field.kind) {
            case (.first, _), (.firstOfSeveral, _): break
            case (_, .credits(let path)): self[keyPath: path] = (self[keyPath: path] + next[keyPath: path]).unique
            case (_, .words(let path)): self[keyPath: path] = self[keyPath: path].filter(next[keyPath: path].contains)
            default:
                if !field.isEqual(in: self, and: next) { field.copy(from: BookMetadata(), to: &self) }
            }
        }
    }

    /// Returns the fields that `join` loses by their names in warnings.
    public func fieldsLost(joining next: BookMetadata) -> [String] {
        MetadataField.all.filter { field in
            switch field.joining {
            case .first, .all: false
            case .firstOfSeveral: field.isStated(in: next) && !field.isEqual(in: self, and: next)
            case .common: !field.isEqual(in: self, and: next)
            }
        }.map(\.warningName)
    }
}
