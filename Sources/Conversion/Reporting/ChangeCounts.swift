internal import AdapterKit
internal import OrderedJSON
public import PageModel

/// The number of pages that each requested change was made to.
public struct ChangeCounts: Sendable {
    public var trimmed = 0
    /// The pages that trimming left whole, by reason, in the order of the report.
    public var whole: [(why: PageLayout.Trimming, pages: PageRanges)] = []
    public var deskewed = 0
    /// The number of pages that were cropped by request.
    public var cropped = 0
    /// The number of pages that were rotated or mirrored.
    public var rotated = 0
    /// The number of pages that were scaled to fit a box.
    public var scaled = 0
    /// The number of pages that were converted to gray.
    public var gray = 0
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
        var whole: [PageLayout.Trimming: [Int]] = [:]
        var halves: Set<String> = []
        var reasons: [Treatment: [Note: Int]] = [:]
        for page in pages {
            let leaves = page.parts.map { ($0.layout, $0.flatness) } + [(page.layout, page.flatness)]
            let trimmings = leaves.compactMap { $0.0?.trimming }
            if page.reason.parts.contains(where: { $0.note.code == .tooLittleToCut }) {
                whole[.narrow, default: []].append(page.number)
            } else if page.isTrimmed {
                trimmed += 1
            } else if let trimming = trimmings.first {
                whole[trimming, default: []].append(page.number)
            }
            if leaves.contains(where: { $0.0?.isDeskewed ?? false }) { deskewed += 1 }
            if leaves.contains(where: { $0.1?.isFlattened ?? false }) { flattened += 1 }
            switch page.spread?.made {
            case .cut: halves.insert(page.sourceID.map(String.init) ?? page.source)
            case .joined where !page.parts.isEmpty: joined += 1
            case .joined, nil: if page.parts.count > 1 { merged += 1 }
            }
            let codes = Set(page.reason.parts.map(\.note.code))
            if codes.contains(.textRecognized) { read += 1 }
            let isCut = page.spread?.made == .cut || trimmings.contains(.trimmed)
            // A request may change nothing, and the notes also name the crops and rotations of the source itself. Pages that are
            // laid together have no notes on their parts.
            func isMade(_ kinds: Set<Note.Code>) -> Bool { !page.parts.isEmpty || !codes.isDisjoint(with: kinds) }
            let isCropped = page.edits.contains { $0.isCrop(except: isCut) }
            if isCropped, isMade([.cropped, .shownInPart]) { cropped += 1 }
            let isRotated = page.edits.contains(where: \.isRotation)
            if isRotated, isMade([.turned, .mirrored, .shownRotated, .shownMirrored]) { rotated += 1 }
            if codes.contains(.scaled) { scaled += 1 }
            if codes.contains(.gray) { gray += 1 }
            if let cause = page.reason.parts.first(where: { $0.role == .cause }) {
                reasons[page.overallTreatment, default: [:]][cause.note.ofAnyPage, default: 0] += 1
            }
        }
        split = halves.count
        self.whole = PageLayout.Trimming.allCases.compactMap { why in whole[why].map { (why, PageRanges($0)) } }
        for (treatment, reasons) in reasons {
            causes[treatment] = reasons.map { (note: $0.key, pages: $0.value) }
                .sorted { ($1.pages, $0.note.message.english) < ($0.pages, $1.note.message.english) }
        }
    }

    /// Whether no page was changed or considered for a change.
    public var isEmpty: Bool {
        trimmed + deskewed + flattened + cropped + rotated + scaled + gray + split + merged + joined + read == 0
            && whole.isEmpty
    }

    /// The counts as the report has them.
    var json: JSON {
        [
            "trimmed": .integer(trimmed),
            "keptWhole": .object(whole.map { ($0.why.rawValue, .integer($0.pages.count)) }),
            "deskewed": .integer(deskewed), "flattened": .integer(flattened), "cropped": .integer(cropped),
            "rotated": .integer(rotated), "scaled": .integer(scaled), "gray": .integer(gray), "split": .integer(split),
            "merged": .integer(merged), "joined": .integer(joined), "textRecognized": .integer(read),
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
