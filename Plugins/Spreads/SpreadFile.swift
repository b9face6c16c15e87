internal import AdapterKit
internal import PageModel

/// The spreads of a book in a file, which a person can look through and change.
struct SpreadFile {
    /// Two pages that follow each other.
    struct Pair: Equatable {
        /// `Page.id`, in reading order.
        var first: Int
        var second: Int
        /// Whether they belong together.
        var isJoined: Bool
        var confidence: Double
    }

    /// A wide page.
    struct Cut: Equatable {
        var page: Int
        /// Of the page as it was when it was looked at, in pixels.
        var size: PixelSize
        /// Where it is cut, in pixels from its left.
        var fold: Int
        var isSplit: Bool
        var confidence: Double
    }

    static let version = 1

    /// The options that the decisions were made with, by name.
    var options: [String: String]
    /// The names of the pages that are spoken of.
    var names: [Int: String] = [:]
    var pairs: [Pair] = []
    var cuts: [Cut] = []

    init(options: [String: String]) { self.options = options }

    /// - Throws: `.damaged`, with what cannot be understood; `.usage` when it was made with other options.
    init(_ file: ReadableFile, _ given: [String: String]) throws(AdapterError) {
        func damage(_ message: String) -> AdapterError {
            AdapterError(
                .damaged, message, advice: "--dry-run --force with --spread-file makes it anew", file: file.path)
        }
        let bytes = try file.read(at: 0, exactly: file.size)
        guard let json = JSON(parsing: bytes), let spreads = json["spreads"]?.elements else {
            throw damage("is no file of spreads, or broken JSON")
        }
        guard json["jisui-spreads"]?.asInteger == SpreadFile.version else {
            throw damage("is of another version than \(SpreadFile.version)")
        }
        guard let options = json["options"]?.members else { throw damage("lacks 'options'") }
        self.init(options: [:])
        for (name, value) in options { self.options[name] = value.asString }
        guard self.options == given else {
            let made = self.options.sorted { $0.key < $1.key }.map {
                $0.value == "true" ? "--\($0.key)" : "--\($0.key) \($0.value)"
            }.joined(separator: " ")
            throw AdapterError(
                .usage, "was made with \(made)", advice: "give the same options, or --dry-run --force to make it anew",
                file: file.path)
        }
        for (index, spread) in spreads.enumerated() {
            guard take(spread) else { throw damage("spread \(index + 1) of the list cannot be understood") }
        }
    }

    private mutating func take(_ json: JSON) -> Bool {
        guard let pages = json["pages"]?.elements?.map(\.asInteger), let sources = json["sources"]?.elements,
            sources.count == pages.count, !pages.contains(nil)
        else { return false }
        let ids = pages.compactMap { $0 }
        for (id, source) in zip(ids, sources) { names[id] = source.asString }
        let confidence = json["confidence"]?.asNumber ?? 1
        switch ids.count {
        case 2:
            guard let isJoined = json["join"]?.asBoolean else { return false }
            pairs.append(Pair(first: ids[0], second: ids[1], isJoined: isJoined, confidence: confidence))
        case 1:
            guard let size = json["size"]?.elements?.compactMap(\.asInteger), size.count == 2, size[0] > 1, size[1] > 0,
                let fold = json["fold"]?.asInteger, (1..<size[0]).contains(fold), let isSplit = json["split"]?.asBoolean
            else { return false }
            cuts.append(
                Cut(
                    page: ids[0], size: PixelSize(width: size[0], height: size[1]), fold: fold, isSplit: isSplit,
                    confidence: confidence))
        default: return false
        }
        return true
    }

    /// - Throws: `.usage` when it speaks of pages that the book does not have under these names.
    func check(against pages: [Page], path: String) throws(AdapterError) {
        let book = Dictionary(pages.map { ($0.id, $0.name) }) { first, _ in first }
        for (id, name) in names.sorted(by: { $0.key < $1.key }) where book[id] != nil && book[id] != name {
            throw AdapterError(
                .usage, "is of another book: its page \(id) is '\(name)', not '\(book[id] ?? "")'", file: path)
        }
    }

    /// One line for each spread.
    var text: String {
        func source(_ id: Int) -> JSON { JSON(names[id]) }
        let lines =
            pairs.map { pair -> JSON in
                [
                    "pages": [.integer(pair.first), .integer(pair.second)],
                    "sources": [source(pair.first), source(pair.second)], "join": .boolean(pair.isJoined),
                    "confidence": .number(pair.confidence),
                ]
            }
            + cuts.map { cut -> JSON in
                [
                    "pages": [.integer(cut.page)], "sources": [source(cut.page)],
                    "size": [.integer(cut.size.width), .integer(cut.size.height)], "fold": .integer(cut.fold),
                    "split": .boolean(cut.isSplit), "confidence": .number(cut.confidence),
                ]
            }
        let options = JSON.object(options.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        return "{\"jisui-spreads\": \(SpreadFile.version), \"options\": \(options.text), \"spreads\": [\n"
            + lines.map(\.text).joined(separator: ",\n") + "\n]}\n"
    }
}
