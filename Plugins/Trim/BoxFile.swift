internal import AdapterKit
internal import PageModel

/// The boxes of a book in a file, which a person can look through and change.
struct BoxFile {
    /// One page of it.
    struct Entry: Equatable {
        /// `Page.id` and `Page.name`.
        var id: Int
        var name: String
        /// Of the page as it was when it was looked at, in pixels.
        var size: PixelSize
        /// What is kept of it; nil for all.
        var box: PixelRect?
        var layout: PageLayout
    }

    static let version = 1

    /// The options that the boxes were made with, by name.
    var options: [String: String]
    var entries: [Entry]

    /// - Throws: `.damaged`, with what cannot be understood.
    init(_ bytes: [UInt8], path: String) throws(AdapterError) {
        func damage(_ message: String) -> AdapterError {
            AdapterError(
                .damaged, message, advice: "--dry-run --force with --trim-file makes it anew", file: path)
        }
        guard let json = JSON(parsing: bytes), let pages = json["pages"]?.elements else {
            throw damage("is no file of boxes, or broken JSON")
        }
        guard json["jisui-trim"]?.asInteger == BoxFile.version else {
            throw damage("is of another version than \(BoxFile.version)")
        }
        guard let options = json["options"]?.members else { throw damage("lacks 'options'") }
        self.options = [:]
        for (name, value) in options { self.options[name] = value.asString }
        entries = []
        var ids: Set<Int> = []
        for (index, page) in pages.enumerated() {
            guard let entry = Entry(page) else { throw damage("page \(index + 1) of the list cannot be understood") }
            let whole = PixelRect(x: 0, y: 0, entry.size)
            guard entry.box.map(whole.contains) ?? true else {
                throw damage("the box of page \(entry.id) is not within its \(entry.size) pixels")
            }
            guard ids.insert(entry.id).inserted else { throw damage("has page \(entry.id) twice") }
            entries.append(entry)
        }
    }

    /// - Throws: `.unreadable`, `.damaged`.
    init(_ file: ReadableFile) throws(AdapterError) {
        try self.init(try file.read(at: 0, exactly: file.size), path: file.path)
    }

    /// What was decided of pages, by their places; those that were not seen are left out.
    init(options: [String: String], _ pages: [Page], _ decisions: [Int: Decision], _ findings: [Int: PageFinding]) {
        self.options = options
        entries = pages.enumerated().compactMap { index, page in
            guard let finding = findings[index], let layout = page.layout else { return nil }
            return Entry(
                id: page.id, name: page.name, size: finding.page.size, box: decisions[index]?.box, layout: layout)
        }
    }

    /// One line for each page.
    var text: String {
        let options = JSON.object(options.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        let pages = entries.map(\.json.text).joined(separator: ",\n")
        return "{\"jisui-trim\": \(BoxFile.version), \"options\": \(options.text), \"pages\": [\n\(pages)\n]}\n"
    }
}

extension BoxFile.Entry {
    fileprivate init?(_ json: JSON) {
        guard let id = json["page"]?.asInteger, let name = json["source"]?.asString,
            let size = json["size"]?.elements?.map(\.asInteger), size.count == 2, let width = size[0],
            let height = size[1], (1...1 << 30).contains(width), (1...1 << 30).contains(height),
            // Nobody leaves a box out on purpose.
            json["box"] != nil, let box = Self.rect(json["box"]),
            let content = Self.rect(json["content"]), let pageNumber = Self.rect(json["pageNumber"]),
            let head = Self.rect(json["head"]), abs(json["skew"]?.asNumber ?? 0) <= Self.mostSlant
        else { return nil }
        self.init(
            id: id, name: name, size: PixelSize(width: width, height: height), box: box,
            layout: PageLayout(
                content: content, pageNumber: pageNumber, head: head, skew: json["skew"]?.asNumber,
                isDeskewed: json["deskewed"]?.asBoolean ?? false,
                confidence: json["confidence"]?.asNumber ?? 1,
                remark: Self.remark(json, box),
                isOutlier: json["outlier"]?.asBoolean ?? false))
    }

    /// Why the page has its box: the reason it had for what was proposed holds for nothing else.
    private static func remark(_ json: JSON, _ box: PixelRect?) -> String {
        let proposed = json["proposed"].map(rect) ?? .some(box)
        if let remark = json["trim"]?.asString, proposed == .some(box) { return remark }
        return box == nil ? "kept whole, as the file of boxes says" : "trimmed as the file of boxes says"
    }

    /// Nobody scans a page further askew than that, in degrees.
    private static let mostSlant = 45.0

    /// A rectangle, or none where the value is null or missing; nil for anything else.
    private static func rect(_ json: JSON?) -> PixelRect?? {
        guard let json, !json.isNull else { return .some(nil) }
        let elements = json.elements ?? []
        let numbers = elements.compactMap(\.asInteger)
        guard elements.count == 4, numbers.count == 4, numbers.allSatisfy({ (0...1 << 30).contains($0) }) else {
            return nil
        }
        return PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    fileprivate var json: JSON {
        [
            "page": .integer(id), "source": .string(name), "size": [.integer(size.width), .integer(size.height)],
            "box": JSON(box), "proposed": JSON(box), "content": JSON(layout.content),
            "pageNumber": JSON(layout.pageNumber),
            "head": JSON(layout.head), "skew": layout.skew.map(JSON.number) ?? .null,
            "deskewed": .boolean(layout.isDeskewed), "confidence": .number(layout.confidence),
            "trim": .string(layout.remark), "outlier": .boolean(layout.isOutlier),
        ]
    }
}
