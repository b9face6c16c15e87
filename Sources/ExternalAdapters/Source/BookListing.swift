internal import AdapterKit
internal import PageModel

/// A book as a plug-in lists it.
struct BookListing: Sendable {
    struct Entry: Hashable, Sendable {
        var id: Int
        var name: String
        var label: String?
        var side = Side.single
        var isCover = false
    }

    private(set) var pages: [Entry] = []
    private(set) var book = BookMetadata()
    private(set) var warnings: [Warning] = []
    private(set) var skipped: [String] = []
    private var names: Set<String> = []
    private static let mostOfName = 4096

    /// - Throws: `PluginProcess.Fault` when what it says cannot be; the `AdapterError` that it answers with; `.tooLarge`, `.empty`.
    init(asking process: PluginProcess, _ input: Input, _ limits: Limits) throws {
        var request: [(key: String, value: JSON)] = [("ask", "open"), ("name", .string(input.name))]
        if let password = input.password { request.append(("password", .string(password))) }
        var listing = BookListing()
        let end = try process.ask(.object(request), seconds: Plugin.secondsForList) { line in
            if try !listing.add(line, limits) { try process.passOver("answers with lines that mean nothing") }
            return nil
        }
        if let refusal = end.refusal { throw refusal }
        guard !listing.pages.isEmpty else { throw AdapterError(.empty, "holds no pages") }
        let ids = Set(listing.pages.map(\.id))
        for item in listing.book.outline {
            guard let page = item.page, !ids.contains(page) else { continue }
            throw PluginProcess.Fault.broke("has an outline that leads to page \(page), which it does not list")
        }
        let outline = listing.book.outline
        listing.book = BookMetadata(plugin: end["book"] ?? .null)
        listing.book.outline = outline
        self = listing
    }

    private init() {}

    /// - Returns: false for a line that means nothing: it may belong to a later version.
    private mutating func add(_ line: JSON, _ limits: Limits) throws -> Bool {
        if let title = line["outline"] {
            let level = line["level"]?.asInteger ?? 0
            guard (0..<100).contains(level) else { throw PluginProcess.Fault.broke("has an outline \(level) deep") }
            book.outline.append(
                OutlineItem(title: JSON.line(title) ?? "", page: line["page"]?.asInteger, level: level))
        } else if let message = JSON.line(line["warning"]) {
            warnings.append(Warning(code: "plug-in", page: line["page"]?.asInteger, message: message))
        } else if let name = JSON.line(line["skipped"]) {
            skipped.append(name)
        } else if let id = line["page"]?.asInteger {
            try add(id, line, limits)
        } else {
            return false
        }
        return true
    }

    private mutating func add(_ id: Int, _ line: JSON, _ limits: Limits) throws {
        guard pages.count < limits.pages else {
            throw AdapterError.beyondLimit("the book has more than \(limits.pages) pages")
        }
        guard id > pages.last?.id ?? 0, id < 1 << 40 else {
            throw PluginProcess.Fault.broke("numbers page \(id) after page \(pages.last?.id ?? 0)")
        }
        guard let name = line["name"]?.asString, (1...BookListing.mostOfName).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw PluginProcess.Fault.broke("gives page \(id) no name, or one that is none") }
        guard names.insert(name).inserted else { throw PluginProcess.Fault.broke("calls two pages by one name") }
        var entry = Entry(id: id, name: name, label: JSON.line(line["label"]))
        if let side = line["side"]?.asString {
            guard let known = Side(rawValue: side) else { throw PluginProcess.Fault.broke("knows no side '\(side)'") }
            entry.side = known
        }
        entry.isCover = line["cover"]?.asBoolean ?? false
        pages.append(entry)
    }
}

extension BookMetadata {
    /// A book as `open` answers it. What is of another kind than it should be is passed over.
    init(plugin json: JSON) {
        self.init(
            title: JSON.line(json["title"]), authors: JSON.lines(json["authors"]), series: JSON.line(json["series"]),
            number: JSON.line(json["number"]), publisher: JSON.line(json["publisher"]),
            date: json["date"]?.asString.flatMap(BookDate.init), language: JSON.line(json["language"]),
            direction: json["direction"]?.asString.flatMap(Direction.init))
        summary = JSON.paragraphs(json["summary"])
        genres = JSON.lines(json["genres"]).unique
        tags = JSON.lines(json["tags"]).unique
        isbn = JSON.line(json["isbn"]).flatMap { ISBN($0) }
        rights = JSON.line(json["rights"])
    }

    /// A book as `begin` and `change` tell of it.
    var forPlugin: JSON {
        var members: [(key: String, value: JSON)] = []
        func add(_ key: String, _ value: String?) {
            if let value { members.append((key, .string(value))) }
        }
        add("title", title)
        if !authors.isEmpty { members.append(("authors", JSON(authors.map(JSON.string)))) }
        add("series", series)
        add("number", number)
        add("publisher", publisher)
        add("date", date?.description)
        // As much as is taken from a plug-in: the line has to end.
        add("summary", JSON.paragraphs(summary.map(JSON.string)))
        for (key, words) in [("genres", genres), ("tags", tags)] where !words.isEmpty {
            members.append((key, JSON(JSON.lines(JSON(words.map(JSON.string))).map(JSON.string))))
        }
        add("isbn", isbn?.description)
        add("rights", JSON.line(rights.map(JSON.string)))
        add("language", language)
        add("direction", direction?.rawValue)
        return .object(members)
    }
}
