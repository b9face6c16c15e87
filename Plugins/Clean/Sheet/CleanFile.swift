internal import AdapterKit
internal import DecisionFiles
internal import Files
internal import OrderedJSON
internal import PageModel

/// The file of `--clean-file`: for each page whether it is whitened and its specks are removed, and its borders filled. A person can change it.
struct CleanFile {
    static let contents = "cleaning"

    /// The decisions for one page. Each is nil if its option was not given, or if the page cannot be cleaned so.
    struct Entry: Equatable {
        /// The `Page.id` and `Page.name`.
        let id: Int
        let name: String
        var whitens: Bool?
        var despeckles: Bool?
        var fillsBorders: Bool?
    }

    private static let kind = DecisionDocument.Kind(
        contents: contents, key: "jisui-clean", version: 1, list: "pages", entry: "page", option: "clean-file")

    /// The options with which the decisions were made, by name.
    var options: [String: String]
    var entries: [Entry]
    /// The book for which they were made; nil if it is unknown.
    var book: DecisionBook?

    init(options: [String: String], _ entries: [Entry], of book: DecisionBook?) {
        (self.options, self.entries, self.book) = (options, entries, book)
    }

    /// - Throws: `.damaged`, with the part that is invalid; `.unreadable`.
    init(_ file: ReadableFile) throws(AdapterError) {
        let document = try DecisionDocument(file, as: CleanFile.kind)
        (options, book) = (document.options, document.book)
        entries = try document.decodedPages(CleanFile.kind, path: file.path, \.id, Entry.init)
    }

    /// Returns the decisions for the pages of a run, by `Page.id`. Pages that have changed since are missing.
    ///
    /// - Throws: `.usage` if the file is for another book.
    func decisions(
        for pages: [Page], path: String, _ request: TransformRequest
    ) async throws -> [Int: Entry] {
        let known = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        let changed = try await CleanFile.kind.changedPages(
            among: pages, named: known.mapValues(\.name), of: book, path: path, request)
        return known.filter { !changed.contains($0.key) }
    }

    private var document: DecisionDocument {
        DecisionDocument(options: options, entries: entries.map(\.json), book: book)
    }

    /// The text of the whole file.
    var text: String { document.text(as: CleanFile.kind) }

    func write(to file: OutputFile) throws(AdapterError) {
        try document.write(to: file, as: CleanFile.kind)
    }
}

extension CleanFile.Entry {
    /// Returns nil for an invalid decision. Unknown keys are ignored, because a later version may have more.
    fileprivate init?(_ json: JSON) {
        guard let id = json["page"]?.asInteger, let name = json["source"]?.asString else { return nil }
        self.init(id: id, name: name)
        for (key, path) in [
            ("whiten", \Self.whitens), ("despeckle", \Self.despeckles), ("borders", \Self.fillsBorders),
        ] {
            guard let value = json[key] else { continue }
            guard let decision = value.asBoolean else { return nil }
            self[keyPath: path] = decision
        }
    }

    fileprivate var json: JSON {
        let decisions = [
            ("whiten", whitens), ("despeckle", despeckles), ("borders", fillsBorders),
        ].compactMap { key, decision in
            decision.map { (key, JSON.boolean($0)) }
        }
        return .object([("page", .integer(id)), ("source", .string(name))] + decisions)
    }
}
