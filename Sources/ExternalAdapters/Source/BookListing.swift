internal import AdapterKit
internal import OrderedJSON
internal import PageModel
internal import Processes

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
    private static let maximumNameBytes = 4096

    /// - Parameter seconds: the time limit from line to line.
    /// - Throws: `PluginProcess.Fault` for an invalid answer; the `AdapterError` in the answer; `.tooLarge`, `.empty`.
    init(asking process: PluginProcess, _ input: Input, _ limits: Limits, seconds: Int) throws {
        var request: [(key: String, value: JSON)] = [("ask", "open"), ("name", .string(input.name))]
        if let password = input.password { request.append(("password", .string(password))) }
        var listing = BookListing()
        let end = try process.ask(.object(request), seconds: seconds) { line in
            try listing.add(line, limits)
            return nil
        }
        if let refusal = end.refusal { throw refusal }
        guard !listing.pages.isEmpty else { throw AdapterError(.empty, "holds no pages") }
        let ids = Set(listing.pages.map(\.id))
        for item in listing.book.outline {
            guard let page = item.page, !ids.contains(page) else { continue }
            throw PluginProcess.Fault.protocolViolation("has an outline that links to the unlisted page \(page)")
        }
        let outline = listing.book.outline
        listing.book = BookMetadata(plugin: end["book"] ?? .null)
        listing.book.outline = outline
        self = listing
    }

    private init() {}

    /// - Throws: `PluginProcess.Fault`, also for a meaningless line: it may be an invalid page, which must not be lost
    ///   silently.
    private mutating func add(_ line: JSON, _ limits: Limits) throws {
        if let title = line["outline"] {
            let level = try line.wholeNumber("level", "an entry of the outline") ?? 0
            guard (0..<100).contains(level) else {
                throw PluginProcess.Fault.protocolViolation("has an outline entry with the invalid level \(level)")
            }
            let page = try line.wholeNumber("page", "an entry of the outline")
            guard title.asString != nil else {
                throw PluginProcess.Fault.protocolViolation("has an outline entry whose title is not text")
            }
            book.outline.append(OutlineItem(title: JSON.line(title) ?? "", page: page, level: level))
        } else if line["warning"] != nil {
            guard let message = JSON.message(line["warning"]) else {
                throw PluginProcess.Fault.protocolViolation("has a warning that is not text")
            }
            let page = try line.wholeNumber("page", "a warning")
            warnings.append(Warning(code: "plug-in", page: page, message: message))
        } else if line["skipped"] != nil {
            guard let name = JSON.line(line["skipped"]) else {
                throw PluginProcess.Fault.protocolViolation("has a skipped file whose name is not text")
            }
            skipped.append(name)
        } else if let id = try line.wholeNumber("page", "a page") {
            try add(id, line, limits)
        } else {
            throw PluginProcess.Fault.protocolViolation("lists an invalid page: \(line.excerpt)")
        }
    }

    private mutating func add(_ id: Int, _ line: JSON, _ limits: Limits) throws {
        guard pages.count < limits.pages else {
            throw AdapterError.beyondLimit("the book has more than \(limits.pages) pages")
        }
        guard id > pages.last?.id ?? 0, id < 1 << 40 else {
            throw PluginProcess.Fault.protocolViolation("numbers page \(id) after page \(pages.last?.id ?? 0)")
        }
        guard let name = line["name"]?.asString, (1...BookListing.maximumNameBytes).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw PluginProcess.Fault.protocolViolation("gives page \(id) no valid name") }
        guard names.insert(name).inserted else {
            throw PluginProcess.Fault.protocolViolation("gives two pages the same name")
        }
        var entry = Entry(id: id, name: name, label: try line.text("label", of: id))
        entry.side = try line.side(of: id) ?? .single
        entry.isCover = try line.flag("cover", of: id) ?? false
        pages.append(entry)
    }
}

extension BookMetadata {
    /// The fields that the protocol has.
    private static let fieldsForPlugins = MetadataField.all.filter { $0.key != "volume" }

    /// Reads the book in an answer to `open`. Values of a wrong type are ignored.
    init(plugin json: JSON) {
        self.init()
        for field in BookMetadata.fieldsForPlugins {
            let value = json[field.key]
            switch field.kind {
            case .text(let path), .statement(let path), .language(let path): self[keyPath: path] = JSON.line(value)
            case .paragraphs(let path): self[keyPath: path] = JSON.paragraphs(value)
            case .words(let path): self[keyPath: path] = JSON.lines(value).unique
            case .date(let path): self[keyPath: path] = value?.asString.flatMap(BookDate.init)
            case .isbn(let path): self[keyPath: path] = JSON.line(value).flatMap { ISBN($0) }
            case .direction(let path): self[keyPath: path] = value?.asString.flatMap(Direction.init)
            case .credits: replaceAuthors(with: JSON.lines(json["authors"]))
            }
        }
    }

    /// The book for `begin` and `change`. It has only fields with values.
    var forPlugin: JSON {
        var members: [(key: String, value: JSON)] = []
        for field in BookMetadata.fieldsForPlugins where field.isStated(in: self) {
            let value = field.json(in: self)
            switch field.kind {
            case .credits: if !authors.isEmpty { members.append(("authors", JSON(authors.map(JSON.string)))) }
            // The limit for texts of plug-ins applies to long ones here, too, because the line must be finite.
            case .words: members.append((field.key, JSON(JSON.lines(value).map(JSON.string))))
            case .statement: if let line = JSON.line(value) { members.append((field.key, .string(line))) }
            case .paragraphs: if let text = JSON.paragraphs(value) { members.append((field.key, .string(text))) }
            default: members.append((field.key, value))
            }
        }
        return .object(members)
    }
}
