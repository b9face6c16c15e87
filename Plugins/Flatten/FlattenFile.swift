internal import AdapterKit
internal import DecisionFiles
internal import Files
internal import OrderedJSON
internal import PageModel

/// The file of `--flatten-file`: the dewarping of each page of a book. A person can read it, and remove pages from it.
struct FlattenFile {
    static let contents = "curves"

    fileprivate struct Entry {
        /// The `Page.id` and `Page.name`.
        let id: Int
        let name: String
        let decision: FlattenedPage
    }

    private static let kind = DecisionDocument.Kind(
        contents: contents, key: "jisui-flatten", version: 1, list: "pages", entry: "page", option: "flatten-file")

    /// The accepted sides of a page in pixels; a larger number must be a mistake.
    fileprivate static let accepted = 1...1 << 30

    private let entries: [Entry]
    private let book: DecisionBook?

    /// Creates a file from the decisions for pages; pages that could not be read are omitted.
    init(_ pages: [Page], _ decisions: [FlattenedPage], of book: DecisionBook?) {
        entries = zip(pages, decisions).filter { !$1.isUnreadable }.map {
            Entry(id: $0.id, name: $0.name, decision: $1)
        }
        self.book = book
    }

    /// - Throws: `.damaged`, with the part that is invalid; `.unreadable`.
    init(_ file: ReadableFile) throws(AdapterError) {
        let document = try DecisionDocument(file, as: FlattenFile.kind)
        book = document.book
        entries = try document.decodedPages(FlattenFile.kind, path: file.path, \.id, Entry.init)
    }

    func write(to file: OutputFile) throws(AdapterError) {
        try DecisionDocument(options: [:], entries: entries.map(\.json), book: book).write(
            to: file, as: FlattenFile.kind)
    }

    /// Dewarps a book according to the file, without analyzing any page.
    ///
    /// - Throws: `.usage` if the file is for another book or page shape.
    func apply(
        to sequence: PageSequence, path: String, _ request: TransformRequest
    ) async throws -> PageSequence {
        let known = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        let changed = try await FlattenFile.kind.changedPages(
            among: sequence.pages, named: known.mapValues(\.name), of: book, path: path, request)
        var result = sequence
        for (index, page) in sequence.pages.enumerated() {
            guard let entry = known[page.id] else {
                result.pages[index].lay(FlattenedPage(leftAlone: "the file of curves does not have it", nil))
                continue
            }
            guard !changed.contains(page.id) else {
                result.pages[index].lay(
                    FlattenedPage(leftAlone: "the page has changed since the file of curves was made", nil))
                continue
            }
            if let size = entry.decision.size { try await page.requireSize(size, for: path) }
            result.pages[index].lay(entry.decision)
        }
        return result
    }
}

extension FlattenFile.Entry {
    /// Returns nil for an invalid decision. Unknown keys are ignored, because a later version may have more.
    fileprivate init?(_ json: JSON) {
        guard let id = json["page"]?.asInteger, let name = json["source"]?.asString,
            let isFlattened = json["flattened"]?.asBoolean
        else { return nil }
        self.id = id
        self.name = name
        var size: PixelSize?
        if let sides = json["size"]?.elements?.compactMap(\.asInteger) {
            guard sides.count == 2, sides.allSatisfy(FlattenFile.accepted.contains) else { return nil }
            size = PixelSize(width: sides[0], height: sides[1])
        }
        let remark = json["flatten"]?.asString.map(Message.init(verbatim:))
        guard isFlattened else {
            let isDecided = json["columns"] == nil
            var page =
                isDecided
                ? FlattenedPage(nil, size: size, remark: remark ?? "not flattened")
                : FlattenedPage(leftAlone: "according to the file of curves", size)
            page.damage = json["damage"]?.asString.map(Message.init(verbatim:))
            decision = page
            return
        }
        guard size != nil, let columns = json["columns"]?.asInteger, let rows = json["rows"]?.asInteger,
            let across = json["across"]?.elements?.compactMap(\.asNumber),
            let down = json["down"]?.elements?.compactMap(\.asNumber), across.count == down.count,
            let flattening = Flattening(
                columns: columns, rows: rows,
                shifts: zip(across, down).map { Flattening.Shift(across: $0, down: $1) })
        else { return nil }
        decision = FlattenedPage(flattening, size: size, remark: remark ?? "flattened as the file of curves says")
    }

    fileprivate var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("page", .integer(id)), ("source", .string(name)),
            ("size", decision.size.map { [.integer($0.width), .integer($0.height)] } ?? .null),
            ("flattened", .boolean(decision.flattening != nil)), ("flatten", JSON(decision.remark)),
        ]
        if let damage = decision.damage { members.append(("damage", JSON(damage))) }
        if let flattening = decision.flattening {
            members += [
                ("columns", .integer(flattening.columns)), ("rows", .integer(flattening.rows)),
                ("across", JSON(flattening.shifts.map { .number($0.across) })),
                ("down", JSON(flattening.shifts.map { .number($0.down) })),
            ]
        }
        return .object(members)
    }
}
