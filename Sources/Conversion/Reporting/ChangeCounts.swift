public import AdapterKit
public import PageModel

/// What was asked for was done to how many pages: the rest of the story beside how their bytes traveled.
public struct ChangeCounts: Sendable {
    public var trimmed = 0
    /// The pages that trimming left whole, by why, in the order in which that is told.
    public var whole: [(why: PageLayout.Trimming, pages: PageRanges)] = []
    public var deskewed = 0
    public var flattened = 0
    /// How many pages of the source were cut in two.
    public var split = 0
    /// How many pages were made of several.
    public var merged = 0
    /// How many were made of two over which one drawing runs on.
    public var joined = 0
    /// How many have text that was read off their pictures.
    public var read = 0
    public var drawn = 0
    /// Why most of the pages that were drawn were drawn; nil where no reason is said of most of them.
    public var drawnBecause: Note?

    /// - Parameter pages: of one book.
    public init(_ pages: [PageReport]) {
        var whole: [PageLayout.Trimming: [Int]] = [:]
        var halves: Set<String> = []
        var causes: [Note: Int] = [:]
        for page in pages {
            let leaves = page.parts.map { ($0.layout, $0.flatness) } + [(page.layout, page.flatness)]
            let fates = leaves.compactMap { $0.0?.trimming }
            if fates.contains(.trimmed) {
                trimmed += 1
            } else if let fate = fates.first {
                whole[fate, default: []].append(page.number)
            }
            if leaves.contains(where: { $0.0?.isDeskewed ?? false }) { deskewed += 1 }
            if leaves.contains(where: { $0.1?.isFlattened ?? false }) { flattened += 1 }
            switch page.spread?.made {
            case .cut: halves.insert(page.sourceID.map(String.init) ?? page.source)
            case .joined where !page.parts.isEmpty: joined += 1
            case .joined, nil: if page.parts.count > 1 { merged += 1 }
            }
            if page.reason.parts.contains(where: { $0.note.code == .textReadOff }) { read += 1 }
            if page.overallTreatment == .drawn {
                drawn += 1
                if let cause = page.reason.parts.first(where: { $0.role == .cause }) {
                    causes[cause.note, default: 0] += 1
                }
            }
        }
        split = halves.count
        self.whole = PageLayout.Trimming.allCases.compactMap { why in whole[why].map { (why, PageRanges($0)) } }
        drawnBecause = causes.first { 2 * $0.value > drawn }?.key
    }

    /// Whether anything was done, or looked at, that is more than carrying bytes.
    public var isEmpty: Bool { trimmed + deskewed + flattened + split + merged + joined + read == 0 && whole.isEmpty }

    /// For the report: every count, and the pages that were left whole.
    var json: JSON {
        [
            "trimmed": .integer(trimmed),
            "keptWhole": .object(whole.map { ($0.why.rawValue, .integer($0.pages.count)) }),
            "deskewed": .integer(deskewed), "flattened": .integer(flattened), "split": .integer(split),
            "merged": .integer(merged), "joined": .integer(joined), "textReadOff": .integer(read),
        ]
    }
}
