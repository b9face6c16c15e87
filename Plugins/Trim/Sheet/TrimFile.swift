internal import AdapterKit
internal import DecisionFiles
internal import Files
internal import OrderedJSON
internal import PageModel

/// The limits of the values in a file of boxes, which a person or another program may have written.
enum BoxFileLimits {
    /// The maximum skew in degrees: a page rotated further is not deskewed, so the number must be a mistake.
    static let maximumSkew = 45.0
    /// The width and height of a page in pixels, and a place on it. Sums and products of two of them do not overflow.
    static let (sizes, places) = (1...1 << 30, 0...1 << 30)
}

/// The file of `--trim-file`: the decisions for each page of a book, which a person can read and change.
struct TrimFile {
    /// The decision for one page.
    struct Entry: Equatable {
        /// The `Page.id` and `Page.name`.
        var id: Int
        var name: String
        /// The size of the page when it was analyzed, in pixels.
        var size: PixelSize
        /// The box to keep; nil for the whole page.
        var box: PixelRect?
        var layout: PageLayout
        /// Whether the page had been dewarped before it was analyzed.
        var isFlattened = false
    }

    private static let kind = DecisionDocument.Kind(
        contents: "boxes", key: "jisui-trim", version: 1, list: "pages", entry: "page", option: "trim-file")

    /// The options with which the boxes were made, by name.
    var options: [String: String]
    var entries: [Entry]
    /// The book for which they were made; nil if it is unknown.
    var book: DecisionBook?
    /// The pages, by `Page.id`, that have changed since the file was made.
    private(set) var changed: Set<Int> = []

    /// - Throws: `.damaged`, with the part that is invalid; `.unreadable`.
    init(_ file: ReadableFile) throws(AdapterError) {
        let document = try DecisionDocument(file, as: TrimFile.kind)
        options = document.options
        book = document.book
        entries = try document.decodedPages(TrimFile.kind, path: file.path, \.id, Entry.init)
        for entry in entries {
            guard entry.box.map(PixelRect(x: 0, y: 0, entry.size).contains) ?? true else {
                throw TrimFile.kind.damage(
                    "the box of page \(entry.id) is not within its \(entry.size) pixels", path: file.path)
            }
        }
    }

    /// Creates a file from the decisions for pages, by their indexes; pages that could not be analyzed are omitted.
    init(options: [String: String], _ pages: [Page], _ decisions: [Int: TrimDecision], _ findings: [Int: PrintFinding])
    {
        self.options = options
        entries = pages.enumerated().compactMap { index, page in
            guard let finding = findings[index], let layout = page.layout else { return nil }
            return Entry(
                id: page.id, name: page.name, size: finding.page.size, box: decisions[index]?.box, layout: layout,
                isFlattened: page.isFlattened)
        }
    }

    /// Compares the book with that of a run, and removes the boxes of pages that have changed since the file was made.
    ///
    /// - Throws: `.usage` if the file is for another book.
    mutating func removeChanges(among pages: [Page], path: String, _ request: TransformRequest) async throws {
        let names = Dictionary(entries.map { ($0.id, $0.name) }) { first, _ in first }
        changed = try await TrimFile.kind.changedPages(among: pages, named: names, of: book, path: path, request)
        entries.removeAll { changed.contains($0.id) }
    }

    private var document: DecisionDocument {
        DecisionDocument(options: options, entries: entries.map(\.json), book: book)
    }

    /// The text of the whole file.
    var text: String { document.text(as: TrimFile.kind) }

    func write(to file: OutputFile) throws(AdapterError) {
        try document.write(to: file, as: TrimFile.kind)
    }
}

extension TrimFile.Entry {
    /// Returns nil for an invalid decision. Unknown keys are ignored, because a later version may have more.
    fileprivate init?(_ json: JSON) {
        guard let id = json["page"]?.asInteger, let name = json["source"]?.asString,
            let size = json["size"]?.elements?.map(\.asInteger), size.count == 2, let width = size[0],
            let height = size[1], BoxFileLimits.sizes.contains(width), BoxFileLimits.sizes.contains(height),
            // A missing key is a typing mistake; an uncropped page has null.
            json["box"] != nil, let box = Self.rect(json["box"]),
            let content = Self.rect(json["content"]), let pageNumber = Self.rect(json["pageNumber"]),
            let head = Self.rect(json["runningHead"]), abs(json["skew"]?.asNumber ?? 0) <= BoxFileLimits.maximumSkew
        else { return nil }
        self.init(
            id: id, name: name, size: PixelSize(width: width, height: height), box: box,
            layout: PageLayout(
                content: content, pageNumber: pageNumber, head: head, skew: json["skew"]?.asNumber,
                isDeskewed: json["deskewed"]?.asBoolean ?? false,
                confidence: json["confidence"]?.asNumber ?? 1,
                doubt: json["doubt"]?.asString.flatMap(PageLayout.Doubt.init),
                remark: Self.remark(json, box),
                isOutlier: Self.isProposed(json, box) && json["outlier"]?.asBoolean ?? false,
                trimming: Self.trimming(json, box)),
            isFlattened: json["flattened"]?.asBoolean ?? false)
    }

    /// Returns whether the box is the proposed one, and not changed by hand.
    private static func isProposed(_ json: JSON, _ box: PixelRect?) -> Bool {
        (json["proposed"].map(rect) ?? .some(box)) == .some(box)
    }

    /// Returns the reason for the page's box: the stored one, unless the box is no longer the proposed one.
    private static func remark(_ json: JSON, _ box: PixelRect?) -> Message {
        if let remark = json["trim"]?.asString, isProposed(json, box) { return Message(verbatim: remark) }
        return box == nil ? "kept whole, as the file of boxes says" : "trimmed as the file of boxes says"
    }

    /// Returns the outcome for the page: the stored one, unless the box is no longer the proposed one.
    private static func trimming(_ json: JSON, _ box: PixelRect?) -> PageLayout.Trimming {
        guard box == nil else { return .trimmed }
        return isProposed(json, box) ? json["keptWhole"]?.asString.flatMap(PageLayout.Trimming.init) ?? .filed : .filed
    }

    /// Returns [x, y, width, height] as a rectangle, and null or a missing value as none; nil for anything else.
    private static func rect(_ json: JSON?) -> PixelRect?? {
        guard let json, !json.isNull else { return .some(nil) }
        let elements = json.elements ?? []
        let numbers = elements.compactMap(\.asInteger)
        guard elements.count == 4, numbers.count == 4, numbers.allSatisfy({ BoxFileLimits.places.contains($0) }) else {
            return nil
        }
        return PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    fileprivate var json: JSON {
        // Few pages stay whole or are doubtful, and hardly any is dewarped.
        let doubt = layout.doubt.map { [("doubt", JSON.string($0.rawValue))] } ?? []
        let whole = box == nil ? layout.trimming.map { [("keptWhole", JSON.string($0.rawValue))] } ?? [] : []
        return .object((members.members ?? []) + whole + doubt + (isFlattened ? [("flattened", .boolean(true))] : []))
    }

    private var members: JSON {
        [
            "page": .integer(id), "source": .string(name), "size": [.integer(size.width), .integer(size.height)],
            "box": JSON(box), "proposed": JSON(box), "content": JSON(layout.content),
            "pageNumber": JSON(layout.pageNumber),
            "runningHead": JSON(layout.head), "skew": layout.skew.map(JSON.number) ?? .null,
            "deskewed": .boolean(layout.isDeskewed), "confidence": .number(layout.confidence),
            "trim": JSON(layout.remark), "outlier": .boolean(layout.isOutlier),
        ]
    }
}

extension Trim {
    /// Trims a book according to a file, without analyzing any page.
    ///
    /// - Throws: `.usage` if a page has another size than in the file, or is not dewarped as there.
    static func apply(
        _ file: TrimFile, path: String, to sequence: PageSequence
    ) async throws -> PageSequence {
        let entries = Dictionary(file.entries.map { ($0.id, $0) }) { first, _ in first }
        var result = sequence
        for (index, page) in sequence.pages.enumerated() {
            guard let entry = entries[page.id] else {
                result.pages[index].layout = PageLayout(
                    content: nil, confidence: 0,
                    remark: file.changed.contains(page.id)
                        ? "kept whole: it has changed since the file of boxes was made"
                        : "kept whole: the file of boxes does not have it",
                    isOutlier: true, trimming: .filed)
                continue
            }
            guard entry.isFlattened == page.isFlattened else {
                throw AdapterError(
                    .usage,
                    entry.isFlattened
                        ? "was made when the page was flattened, and now it is not"
                        : "was made when the page was not flattened, and now it is",
                    hint: "repeat the earlier --flatten, or remove the file to create a new one with --dry-run",
                    file: path,
                    page: page.name)
            }
            try await page.requireSize(entry.size, for: path)
            result.pages[index].layout = entry.layout
            result.pages[index].appendEdits(box: entry.box, of: entry.size)
        }
        return result
    }
}

extension Page {
    /// Whether it is dewarped before it is trimmed.
    fileprivate var isFlattened: Bool { findings.flatMap { $0.counts(isCut: true) }.contains { $0.key == "flattened" } }
}
