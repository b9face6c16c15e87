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

    /// A page that faces nothing.
    struct Lone: Equatable {
        var page: Int
        var side: Side
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
    /// No picture is as wide: a number that is larger makes no sense.
    private static let mostPixelsAcross = 1 << 30

    /// The options that the decisions were made with, by name.
    var options: [String: String]
    /// The names of the pages that are spoken of.
    var names: [Int: String] = [:]
    var pairs: [Pair] = []
    var lone: [Lone] = []
    var cuts: [Cut] = []

    init(options: [String: String]) { self.options = options }

    /// - Throws: `.damaged`, with what cannot be understood; `.usage` when it was made with other options, or contradicts
    ///   itself.
    init(_ file: ReadableFile, _ options: SpreadOptions) throws(AdapterError) {
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
        guard let made = json["options"]?.members else { throw damage("lacks 'options'") }
        self.init(options: [:])
        for (name, value) in made { self.options[name] = value.asString }
        try Sidecar.compare(made: self.options, given: options.given, path: file.path)
        for (index, spread) in spreads.enumerated() {
            guard take(spread) else { throw damage("spread \(index + 1) of the list cannot be understood") }
        }
        if let contradiction = contradiction(options.mode) {
            throw AdapterError(.usage, contradiction, file: file.path)
        }
    }

    /// What in it cannot be followed, if anything.
    private func contradiction(_ mode: SpreadOptions.Mode) -> String? {
        if mode == .split, !pairs.isEmpty || !lone.isEmpty {
            return "holds pairs, and --spreads split cuts single pages"
        }
        if mode != .split, !cuts.isEmpty { return "holds folds, and --spreads \(mode.rawValue) cuts no page" }
        var taken: Set<Int> = []
        for page in cuts.map(\.page) + lone.map(\.page) where !taken.insert(page).inserted {
            return "speaks of page \(page) twice"
        }
        for pair in pairs where pair.isJoined {
            for page in [pair.first, pair.second] where !taken.insert(page).inserted {
                return "has page \(page) in two places"
            }
        }
        let all = pairs.map(\.first)
        return Set(all).count == all.count ? nil : "speaks of one pair twice"
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
            if let side = json["side"]?.asString.flatMap(Side.init) {
                lone.append(Lone(page: ids[0], side: side))
                return true
            }
            guard let cut = SpreadFile.cut(json, page: ids[0], confidence) else { return false }
            cuts.append(cut)
        default: return false
        }
        return true
    }

    private static func cut(_ json: JSON, page: Int, _ confidence: Double) -> Cut? {
        guard let size = json["size"]?.elements?.compactMap(\.asInteger), size.count == 2,
            (2...mostPixelsAcross).contains(size[0]), (1...mostPixelsAcross).contains(size[1]),
            let fold = json["fold"]?.asInteger, (1..<size[0]).contains(fold), let isSplit = json["split"]?.asBoolean
        else { return nil }
        return Cut(
            page: page, size: PixelSize(width: size[0], height: size[1]), fold: fold, isSplit: isSplit,
            confidence: confidence)
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
        func line(_ pages: [Int], _ members: JSON) -> (first: Int, text: String) {
            let head: [(key: String, value: JSON)] = [
                ("pages", JSON(pages.map(JSON.integer))), ("sources", JSON(pages.map { JSON(names[$0]) })),
            ]
            return (pages[0], JSON.object(head + (members.members ?? [])).text)
        }
        var lines = pairs.map {
            line([$0.first, $0.second], ["join": .boolean($0.isJoined), "confidence": .number($0.confidence)])
        }
        lines += lone.map { line([$0.page], ["side": .string($0.side.rawValue)]) }
        lines += cuts.map {
            line(
                [$0.page],
                [
                    "size": [.integer($0.size.width), .integer($0.size.height)], "fold": .integer($0.fold),
                    "split": .boolean($0.isSplit), "confidence": .number($0.confidence),
                ])
        }
        let options = JSON.object(options.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        return "{\"jisui-spreads\": \(SpreadFile.version), \"options\": \(options.text), \"spreads\": [\n"
            + lines.sorted { $0.first < $1.first }.map(\.text).joined(separator: ",\n") + "\n]}\n"
    }
}
