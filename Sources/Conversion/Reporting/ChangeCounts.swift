internal import AdapterKit
internal import OrderedJSON
public import PageModel

/// The number of pages that each requested change was made to.
public struct ChangeCounts: Sendable {
    public var trimmed = 0
    /// The pages that trimming left whole, by reason, in the order of the report.
    public var whole: [(why: WholeReason, pages: PageRanges)] = []
    public var deskewed = 0
    /// The number of pages that were cropped by request.
    public var cropped = 0
    /// The number of pages that were rotated or mirrored.
    public var rotated = 0
    /// The number of pages that were scaled to fit a box.
    public var scaled = 0
    /// The number of pages that were converted to gray.
    public var gray = 0
    /// The other operations on pixels, each with the number of pages, in the order of the pages.
    public var operations: [(note: Note, pages: Int)] = []
    public var flattened = 0
    /// The number of source pages that were cut in two.
    public var split = 0
    /// The number of pages that were merged from several.
    public var merged = 0
    /// The number of pages that were joined from two, because one artwork spans both.
    public var joined = 0
    /// The number of pages with text recognized from their images.
    public var read = 0
    /// The reasons for giving pages a treatment, and the number of pages for each, the most frequent first.
    public var causes: [Treatment: [(note: Note, pages: Int)]] = [:]

    /// - Parameter pages: The pages of one book.
    public init(_ pages: [PageReport]) {
        var whole: [WholeReason: [Int]] = [:]
        var halves: Set<String> = []
        var reasons: [Treatment: [Note: Int]] = [:]
        for page in pages {
            let findings = page.imageFindings
            // A page that shows a part of its image may have too little to cut as well, without any trimming.
            if page.isTooLittleCut, findings.contain(.trimmed) {
                whole[.narrow, default: []].append(page.number)
            } else if page.isTrimmed {
                trimmed += 1
            } else if let why = findings.lazy.compactMap({ $0.wholeReason }).first {
                whole[why, default: []].append(page.number)
            }
            if findings.contain(.deskewed) { deskewed += 1 }
            if findings.contain(.flattened) { flattened += 1 }
            if page.findings.contain(.split) {
                halves.insert(page.sourceID.map(String.init) ?? page.source)
            } else if page.findings.contain(.joined), !page.parts.isEmpty {
                joined += 1
            } else if page.parts.count > 1 {
                merged += 1
            }
            let codes = Set(page.reason.parts.map(\.note.code))
            if codes.contains(.textRecognized) { read += 1 }
            let isCut = page.isCut || findings.contain(.trimmed)
            // A request may change nothing, and the notes also name the crops and rotations of the source itself. Pages that are
            // laid together have no notes on their parts.
            func isMade(_ kinds: Set<Note.Code>) -> Bool { !page.parts.isEmpty || !codes.isDisjoint(with: kinds) }
            let isCropped = page.edits.contains { $0.isCrop(except: isCut) }
            if isCropped, isMade([.cropped, .shownInPart]) { cropped += 1 }
            let isRotated = page.edits.contains(where: \.isRotation)
            if isRotated, isMade([.turned, .mirrored, .shownRotated, .shownMirrored]) { rotated += 1 }
            if codes.contains(.scaled) { scaled += 1 }
            if codes.contains(.gray) { gray += 1 }
            countOperations(of: page)
            if let cause = page.reason.parts.first(where: { $0.role == .cause }) {
                reasons[page.overallTreatment, default: [:]][cause.note.ofAnyPage, default: 0] += 1
            }
        }
        split = halves.count
        self.whole = whole.sorted { ($0.key.order, $0.key.id) < ($1.key.order, $1.key.id) }
            .map { ($0.key, PageRanges($0.value)) }
        for (treatment, reasons) in reasons {
            causes[treatment] = reasons.map { (note: $0.key, pages: $0.value) }
                .sorted { ($1.pages, $0.note.message.english) < ($0.pages, $1.note.message.english) }
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
        trimmed + deskewed + flattened + cropped + rotated + scaled + gray + split + merged + joined + read == 0
            && whole.isEmpty && operations.isEmpty
    }

    /// The number of pages of each other operation, by its name.
    private var operationsByName: JSON {
        let counts = Dictionary(operations.map { ($0.note.operationName, $0.pages) }, uniquingKeysWith: +)
        return .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
    }

    /// The counts as the report has them.
    var json: JSON {
        [
            "trimmed": .integer(trimmed),
            "keptWhole": .object(whole.map { ($0.why.id, .integer($0.pages.count)) }),
            "deskewed": .integer(deskewed), "flattened": .integer(flattened), "cropped": .integer(cropped),
            "rotated": .integer(rotated), "scaled": .integer(scaled), "gray": .integer(gray),
            "operations": operationsByName, "split": .integer(split), "merged": .integer(merged),
            "joined": .integer(joined), "textRecognized": .integer(read),
        ]
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

    /// Whether it rotates or mirrors the page.
    fileprivate var isRotation: Bool {
        switch self {
        case .move(.turn), .move(.mirror): true
        case .move(.crop), .move(.keep), .move(.inset), .change: false
        }
    }
}
