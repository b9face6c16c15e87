internal import OrderedJSON
public import PageModel
internal import Planning

/// The number of pages that each requested change was made to.
public struct ChangeCounts: Sendable {
    /// The pages that findings count under one key, in the order of the report.
    public struct Group: Sendable {
        /// The counts, one for each reason; those without pages are left out.
        public var counts: [(kind: FindingCount, pages: PageRanges)] = []
        /// The number of pages, or of source pages.
        public var total = 0
        /// Whether the count is divided by reasons.
        fileprivate var hasReasons = false
    }

    /// The counts of findings, by key.
    public private(set) var findings: [String: Group] = [:]
    /// The keys of findings in the order of the report.
    public private(set) var keys: [String] = []
    /// The number of pages that were cropped by request.
    public private(set) var cropped = 0
    /// The number of pages that were rotated or mirrored.
    public private(set) var rotated = 0
    /// The number of pages that were scaled to fit a box.
    public private(set) var scaled = 0
    /// The number of pages that were converted to gray.
    public private(set) var gray = 0
    /// The other operations on pixels, each with the number of pages, in the order of the pages.
    public private(set) var operations: [(note: Note, pages: Int)] = []
    /// The number of pages that were merged from several.
    public private(set) var merged = 0
    /// The number of pages with text recognized from their images.
    public private(set) var read = 0
    /// The reasons for giving pages a treatment, and the number of pages for each, the most frequent first.
    public private(set) var causes: [Treatment: [(note: Note, pages: Int)]] = [:]

    /// - Parameters:
    ///   - pages: The pages of one book.
    ///   - kinds: the counts that a report has even with 0 pages.
    public init(_ pages: [PageReport], _ kinds: [FindingCount] = []) {
        countFindings(of: pages, kinds)
        var reasons: [Treatment: [Note: Int]] = [:]
        for page in pages {
            if page.parts.count > 1, page.findings.ofPlace.allSatisfy({ $0.counts(isCut: true).isEmpty }) {
                merged += 1
            }
            let codes = Set(page.reason.parts.map(\.note.code))
            if codes.contains(.textRecognized) { read += 1 }
            let isCropFound = page.isCropFound || page.imageFindings.contains { $0.crops }
            // A crop may change nothing, and the notes also name the crops of the source itself. Pages that are laid together
            // have no notes on their parts.
            let isCropped = page.edits.contains { $0.isCrop(except: isCropFound) }
            if isCropped, !page.parts.isEmpty || !codes.isDisjoint(with: [.cropped, .shownInPart]) { cropped += 1 }
            if page.isRotated { rotated += 1 }
            if codes.contains(.scaled) { scaled += 1 }
            if codes.contains(.gray) { gray += 1 }
            countOperations(of: page)
            if let cause = page.reason.parts.first(where: { $0.role == .cause }) {
                reasons[page.overallTreatment, default: [:]][cause.note.ofAnyPage, default: 0] += 1
            }
        }
        for (treatment, reasons) in reasons {
            causes[treatment] = reasons.map { (note: $0.key, pages: $0.value) }
                .sorted { ($1.pages, $0.note.message.english) < ($0.pages, $1.note.message.english) }
        }
    }

    private mutating func countFindings(of pages: [PageReport], _ kinds: [FindingCount]) {
        var found: [FindingCount: (numbers: [Int], sources: Set<String>)] = [:]
        for page in pages {
            for count in page.counts {
                found[count, default: ([], [])].numbers.append(page.number)
                found[count]?.sources.insert(page.sourceID.map(String.init) ?? page.source)
            }
        }
        for kind in kinds + found.keys.sorted(by: { ($0.key, $0.reason?.order ?? 0) < ($1.key, $1.reason?.order ?? 0) })
        {
            if findings[kind.key] == nil { keys.append(kind.key) }
            var group = findings[kind.key] ?? Group(hasReasons: kind.reason != nil)
            if let (numbers, sources) = found.removeValue(forKey: kind) {
                group.counts.append((kind, PageRanges(numbers)))
                group.total += kind.countsSourcePages ? sources.count : numbers.count
            }
            findings[kind.key] = group
        }
    }

    /// The names of operations that have a count of their own.
    private static let countedNames: Set = [
        "kept", "cropped", "rotated", "mirrored", "scaled", "gray", "deskewed", "flattened",
    ]

    /// Counts the operations on a page's pixels that have no count of their own.
    private mutating func countOperations(of page: PageReport) {
        for part in page.reason.parts
        where part.role == .operation && !ChangeCounts.countedNames.contains(part.note.operationName) {
            if let index = operations.firstIndex(where: { $0.note == part.note }) {
                operations[index].pages += 1
            } else {
                operations.append((part.note, 1))
            }
        }
    }

    /// Whether no page was changed or considered for a change.
    public var isEmpty: Bool {
        cropped + rotated + scaled + gray + merged + read == 0 && operations.isEmpty
            && findings.values.allSatisfy { $0.total == 0 }
    }

    /// The number of pages of each other operation, by its name.
    private var operationsByName: JSON {
        let counts = Dictionary(operations.map { ($0.note.operationName, $0.pages) }, uniquingKeysWith: +)
        return .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
    }

    /// The counts as the report has them.
    var json: JSON {
        let own: [(key: String, value: JSON)] = [
            ("cropped", .integer(cropped)), ("rotated", .integer(rotated)), ("scaled", .integer(scaled)),
            ("gray", .integer(gray)), ("operations", operationsByName), ("merged", .integer(merged)),
            ("textRecognized", .integer(read)),
        ]
        return .object(keys.map { ($0, findings[$0]?.json ?? .integer(0)) } + own)
    }
}

extension ChangeCounts.Group {
    fileprivate var json: JSON {
        guard hasReasons else { return .integer(total) }
        return .object(counts.map { ($0.kind.reason?.id ?? "", .integer($0.pages.count)) })
    }
}

extension PageReport {
    /// Whether the page, or a part of it, is shown in another orientation than in the source.
    ///
    /// The notes do not tell: a rotation may undo the one by which the source shows its image, and the image is copied.
    fileprivate var isRotated: Bool {
        let rotations = edits.compactMap(\.rotation)
        // The edits are those of all parts.
        guard parts.isEmpty else { return !rotations.isEmpty }
        return Framing(PixelSize(width: 1, height: 1), edits: rotations)?.isUpright == false
    }

    /// The counts of its findings, each once.
    fileprivate var counts: [FindingCount] {
        let isCut = !isTooLittleCut
        let all = imageFindings + findings.ofPlace
        let counts = all.flatMap { $0.counts(isCut: isCut) }
        let reason = isCut && imageFindings.contains { $0.crops } ? nil : counts.first { $0.reason != nil }
        var seen: Set<FindingCount> = []
        return counts.filter { ($0.reason == nil || $0 == reason) && seen.insert($0).inserted }
    }
}

extension PageEdit {
    /// Whether it crops the page.
    ///
    /// - Parameter isCut: whether trimming or splitting has cut the page, for which they use `keep`.
    fileprivate func isCrop(except isCut: Bool) -> Bool {
        switch self {
        case .move(.crop), .move(.inset): true
        case .move(.keep): !isCut
        case .move(.turn), .move(.mirror), .change: false
        }
    }

    /// The edit, if it rotates or mirrors the page.
    fileprivate var rotation: Edit? {
        guard case .move(let edit) = self else { return nil }
        return switch edit {
        case .turn, .mirror: edit
        case .crop, .keep, .inset: nil
        }
    }
}
