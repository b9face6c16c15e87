internal import AdapterKit
internal import DecisionFiles
internal import Files
internal import OrderedJSON
internal import PageModel

/// The file of `--spread-file`: the facing pages and the places of cuts, which a person can read and change.
struct SpreadFile {
    /// Two consecutive pages.
    struct Pair: Equatable {
        /// The `Page.id`, in reading order.
        var first: Int
        var second: Int
        /// Whether they belong together.
        var isJoined: Bool
        var confidence: Double
    }

    /// A page that faces no other one, with its side.
    struct UnpairedPage: Equatable {
        var page: Int
        var side: Side
    }

    /// A wide page.
    struct Cut: Equatable {
        var page: Int
        /// The size of the page when it was analyzed, in pixels.
        var size: PixelSize
        /// The place of the cut, in pixels from its left.
        var fold: Int
        /// The pixels that the cut goes to the right for each pixel down; 0 for an upright cut.
        var slope = 0.0
        var isSplit: Bool
        var confidence: Double
        /// The reason that the page could not be analyzed, with the damage of its data; nil for an analyzed page.
        var unseen: Unseen?
    }

    /// The reason that a page could not be analyzed.
    struct Unseen: Equatable {
        var reason: Message
        /// The damage of the page's data; nil for intact data.
        var damage: Message?
    }

    private static let kind = DecisionDocument.Kind(
        contents: "spreads", key: "jisui-spreads", version: 1, list: "spreads", entry: "spread", option: "spread-file")
    /// The maximum width of an image; a larger number must be a mistake.
    private static let maximumPixelsPerSide = 1 << 30
    /// The maximum slope of a cut: 45°.
    private static let maximumSlope = 1.0

    /// The options with which the decisions were made, by name.
    var options: [String: String]
    /// The reading direction for which pairs and sides were decided; nil in a file of cuts or without it.
    var direction: Direction?
    /// The book for which decisions were made; nil if it is unknown.
    var book: DecisionBook?
    /// The pages, by `Page.id`, that have changed since the file was made.
    private(set) var changed: Set<Int> = []
    /// The names of the pages in the file, by `Page.id`.
    var names: [Int: String] = [:]
    var pairs: [Pair] = []
    var unpaired: [UnpairedPage] = []
    var cuts: [Cut] = []

    init(options: [String: String], _ direction: Direction? = nil) {
        self.options = options
        self.direction = direction
    }

    /// - Throws: `.damaged`, with the part that is invalid; `.usage` if it was made with other options or contradicts itself.
    init(_ file: ReadableFile, _ options: SpreadOptions) throws(AdapterError) {
        let document = try DecisionDocument(file, as: SpreadFile.kind)
        self.init(options: document.options, document.direction)
        book = document.book
        try DecisionFile.compare(made: self.options, given: options.given, path: file.path)
        for entry in try document.decoded(SpreadFile.kind, path: file.path, Entry.init) { add(entry) }
        if let contradiction = contradiction(options.mode) {
            throw AdapterError(.usage, contradiction, file: file.path)
        }
    }

    /// Returns the reason that its decisions exclude each other, if they do.
    private func contradiction(_ mode: SpreadOptions.Mode) -> Message? {
        if mode == .split, !pairs.isEmpty || !unpaired.isEmpty {
            return "holds pairs, and --spreads split cuts single pages"
        }
        if mode != .split, !cuts.isEmpty { return "holds folds, and --spreads \(mode.rawValue) cuts no page" }
        var taken: Set<Int> = []
        for page in cuts.map(\.page) + unpaired.map(\.page) where !taken.insert(page).inserted {
            return "lists page \(page) twice"
        }
        for pair in pairs where pair.isJoined {
            for page in [pair.first, pair.second] where !taken.insert(page).inserted {
                return "has page \(page) in two places"
            }
        }
        let all = pairs.map(\.first)
        return Set(all).count == all.count ? nil : "lists a pair twice"
    }

    mutating func add(_ cut: Cut, named name: String) {
        names[cut.page] = name
        cuts.append(cut)
    }

    private mutating func add(_ entry: Entry) {
        for (id, name) in entry.names { names[id] = name }
        switch entry.decision {
        case .pair(let pair): pairs.append(pair)
        case .unpaired(let page): unpaired.append(page)
        case .cut(let cut): cuts.append(cut)
        }
    }

    /// Compares the book with that of a run, and removes the decisions about pages that have changed since the file was
    /// made.
    ///
    /// - Throws: `.usage` if the file is for another book.
    mutating func removeChanges(among pages: [Page], path: String, _ request: TransformRequest) async throws {
        let changed = try await SpreadFile.kind.changedPages(
            among: pages, named: names, of: book, path: path, request)
        pairs.removeAll { changed.contains($0.first) || changed.contains($0.second) }
        unpaired.removeAll { changed.contains($0.page) }
        cuts.removeAll { changed.contains($0.page) }
        self.changed = changed
    }

    /// Warns if it was made for the other reading direction: its pairs and sides are then probably wrong.
    ///
    /// - Parameter own: the direction in which this run reads the book.
    func compare(_ own: Direction, path: String, _ request: TransformRequest) {
        guard let direction, direction != own else { return }
        request.report(
            Warning(
                code: "spread-file-direction", subject: FileName.last(of: path),
                message: direction == .rightToLeft
                    ? "was made for a book that is read from right to left, and this run reads it from left to right"
                    : "was made for a book that is read from left to right, and this run reads it from right to left",
                hint: "use --direction \(direction.rawValue), or remove the file to create a new one with --dry-run"))
    }

    /// Writes the decisions, ordered by their first pages.
    func write(to file: OutputFile) throws(AdapterError) {
        let decisions = pairs.map { Entry.Decision.pair($0) } + unpaired.map { .unpaired($0) } + cuts.map { .cut($0) }
        let entries = decisions.sorted { $0.pages[0] < $1.pages[0] }.map { decision in
            Entry(names: decision.pages.map { ($0, names[$0]) }, decision: decision).json
        }
        try DecisionDocument(options: options, entries: entries, direction: direction, book: book).write(
            to: file, as: SpreadFile.kind)
    }

    /// One line of the file.
    private struct Entry {
        enum Decision {
            case pair(Pair)
            case unpaired(UnpairedPage)
            case cut(Cut)

            var pages: [Int] {
                switch self {
                case .pair(let pair): [pair.first, pair.second]
                case .unpaired(let unpaired): [unpaired.page]
                case .cut(let cut): [cut.page]
                }
            }
        }

        /// The pages of the entry, with their names.
        let names: [(id: Int, name: String?)]
        let decision: Decision

        init(names: [(id: Int, name: String?)], decision: Decision) {
            self.names = names
            self.decision = decision
        }

        /// Returns nil for an invalid decision. Unknown keys are ignored, because a later version may have more.
        init?(_ json: JSON) {
            guard let pages = json["pages"]?.elements?.map(\.asInteger), let sources = json["sources"]?.elements,
                sources.count == pages.count, !pages.contains(nil)
            else { return nil }
            let ids = pages.compactMap { $0 }
            names = zip(ids, sources).map { ($0, $1.asString) }
            let confidence = json["confidence"]?.asNumber ?? 1
            switch ids.count {
            case 2:
                guard let isJoined = json["join"]?.asBoolean else { return nil }
                decision = .pair(Pair(first: ids[0], second: ids[1], isJoined: isJoined, confidence: confidence))
            case 1:
                if let side = json["side"]?.asString.flatMap(Side.init) {
                    decision = .unpaired(UnpairedPage(page: ids[0], side: side))
                } else if let cut = Entry.cut(json, page: ids[0], confidence) {
                    decision = .cut(cut)
                } else {
                    return nil
                }
            default: return nil
            }
        }

        private static func cut(_ json: JSON, page: Int, _ confidence: Double) -> Cut? {
            guard let size = json["size"]?.elements?.compactMap(\.asInteger), size.count == 2,
                (2...maximumPixelsPerSide).contains(size[0]), (1...maximumPixelsPerSide).contains(size[1]),
                let fold = json["fold"]?.asInteger, (1..<size[0]).contains(fold),
                let isSplit = json["split"]?.asBoolean
            else { return nil }
            return Cut(
                page: page, size: PixelSize(width: size[0], height: size[1]), fold: fold,
                slope: json["slope"]?.asNumber.map { min(maximumSlope, max(-maximumSlope, $0)) } ?? 0,
                isSplit: isSplit, confidence: confidence,
                unseen: json["reason"]?.asString.map { reason in
                    Unseen(
                        reason: Message(verbatim: reason),
                        damage: json["damage"]?.asString.map(Message.init(verbatim:)))
                })
        }

        var json: JSON {
            let members: JSON =
                switch decision {
                case .pair(let pair): ["join": .boolean(pair.isJoined), "confidence": .number(pair.confidence)]
                case .unpaired(let unpaired): ["side": .string(unpaired.side.rawValue)]
                case .cut(let cut):
                    [
                        "size": [.integer(cut.size.width), .integer(cut.size.height)], "fold": .integer(cut.fold),
                        "split": .boolean(cut.isSplit), "confidence": .number(cut.confidence),
                    ]
                }
            let pages: [(key: String, value: JSON)] = [
                ("pages", JSON(names.map { .integer($0.id) })), ("sources", JSON(names.map { JSON($0.name) })),
            ]
            return .object(pages + (members.members ?? []) + slope + unseen)
        }

        /// The member about a slanted cut.
        private var slope: [(key: String, value: JSON)] {
            guard case .cut(let cut) = decision, cut.slope != 0 else { return [] }
            return [("slope", .number(cut.slope))]
        }

        /// The members about a page that could not be analyzed.
        private var unseen: [(key: String, value: JSON)] {
            guard case .cut(let cut) = decision, let unseen = cut.unseen else { return [] }
            var members: [(key: String, value: JSON)] = [("reason", JSON(unseen.reason))]
            if let damage = unseen.damage { members.append(("damage", JSON(damage))) }
            return members
        }
    }
}
