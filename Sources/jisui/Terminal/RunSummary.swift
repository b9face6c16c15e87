internal import Audit
internal import PageModel
internal import Planning

/// The result of a run in one line: "book.cbz: 200 pages: 190 trimmed, 10 kept whole (10 full-bleed); 200 verbatim".
struct Summary {
    let text: Message

    /// - Parameter book: the name of the input, if the output gets several books; otherwise nil.
    init(_ report: Report, book: String? = nil, isDryRun: Bool) {
        let counts = report.changes
        let changes = Summary.words(for: counts)
        let treatments = Treatment.allCases.compactMap { treatment -> Message? in
            let count = report.count(treatment)
            let isUpperBound = isDryRun && report.pages.contains { $0.overallTreatment == treatment && $0.mayLoseLess }
            guard count > 0 else { return nil }
            let method = treatment == .verbatim ? "" : Summary.method(of: treatment, report)
            let needsCause = [.drawn, .encoded, .lossless].contains(treatment)
            let cause = needsCause ? Summary.cause(of: treatment, counts, report) : ""
            let word = treatment.word
            return isUpperBound ? "at most \(count) \(word)\(method)\(cause)" : "\(count) \(word)\(method)\(cause)"
        }
        let pages: Message = report.pages.count == 1 ? "1 page" : "\(report.pages.count) pages"
        let place: Message =
            if let first = report.volumes.first, let last = report.volumes.last {
                "\(first.output) to \(last.output)"
            } else {
                Message(verbatim: report.output)
            }
        let output: Message = book.map { "\(place): \($0)" } ?? place
        var line: Message = isDryRun ? "\(output): would get \(pages)" : "\(output): \(pages)"
        if !changes.isEmpty { line = "\(line): \(changes.joined(separator: ", "))" }
        // The requested changes come first; the treatments are then a separate matter.
        let ways = treatments.joined(separator: ", ")
        line = changes.isEmpty ? "\(line), \(ways)" : "\(line); \(ways)"
        switch report.skipped.count {
        case 0: break
        case 1: line = "\(line), skipped 1 file that is not a page (\(report.skipped[0]))"
        case let count: line = "\(line), skipped \(count) files that are not pages"
        }
        if let input = report.inputBytes, let output = report.outputBytes {
            // The size of the whole input is irrelevant if only some pages were selected.
            let size = ByteCount(output).text
            line = report.isOfSomePages ? "\(line); \(size)" : "\(line); \(ByteCount(input).text) → \(size)"
        }
        text = line
    }

    /// Returns the numbers of pages with each change, in the order of the changes.
    private static func words(for changes: ChangeCounts) -> [Message] {
        var words: [Message] = []
        func add(_ count: Int, _ text: Message) { if count > 0 { words.append(text) } }
        for group in changes.keys.compactMap({ changes.findings[$0] }) {
            guard let kind = group.counts.first?.kind else { continue }
            let reasons = group.counts.compactMap { count, pages -> Message? in
                guard let why = count.reason else { return nil }
                let text: Message = "\(pages.count) \(why.words)"
                return why.needsReview ? "\(text): \(pages.text)" : text
            }
            let text = kind.words(group.total)
            add(group.total, reasons.isEmpty ? text : "\(text) (\(reasons.joined(separator: "; ")))")
        }
        add(changes.cropped, "\(changes.cropped) cropped")
        add(changes.rotated, "\(changes.rotated) rotated")
        add(changes.scaled, "\(changes.scaled) scaled")
        add(changes.gray, "\(changes.gray) made gray")
        for (note, pages) in changes.operations { add(pages, "\(pages) \(note.message)") }
        add(changes.merged, "\(changes.merged) merged")
        add(changes.read, "\(changes.read) with recognized text")
        return words
    }

    /// A longer list would not be read.
    private static let maximumCauses = 2

    /// Returns the reasons for a treatment, if most of the book received it.
    private static func cause(of treatment: Treatment, _ counts: ChangeCounts, _ report: Report) -> Message {
        let (count, causes) = (report.count(treatment), counts.causes[treatment] ?? [])
        let shown = causes.prefix(Summary.maximumCauses)
        let pages = shown.reduce(0) { $0 + $1.pages }
        guard 2 * count > report.pages.count, let first = shown.first, 2 * pages > count else { return "" }
        if first.pages == count { return " (\(first.note.message))" }
        var parts = shown.map { "\($0.pages): \($0.note.message)" as Message }
        if pages < count { parts.append("\(count - pages) for other reasons") }
        return " (\(parts.joined(separator: "; ")))"
    }

    /// Returns the output format of pages with a treatment, and the resolution and quality: " as PNG at 150 to 300 pixels per
    /// inch". It omits properties that differ from page to page.
    private static func method(of treatment: Treatment, _ report: Report) -> Message {
        let pages = report.pages.filter { $0.overallTreatment == treatment }
        let formats = Set(
            pages.map { page -> ImageEncoding? in
                let isOpen = page.reason.parts.contains { $0.note.code == .ifSmaller }
                let isNone = page.composition != nil || page.encoding == .png && report.storesSamples
                return isOpen || isNone ? nil : page.encoding
            })
        var method: Message = ""
        var isOneFormat = false
        if formats.count == 1, let format = formats.first, let format {
            method = " as \(format.name)"
            isOneFormat = true
        }
        let drawings = pages.compactMap(\.reason.parts.first?.note).filter { $0.code == .drawing }
        let resolutions = drawings.compactMap { $0.values["resolution"].flatMap(Int.init) }
        if resolutions.count == pages.count, let minimum = resolutions.min(), let maximum = resolutions.max() {
            method =
                minimum == maximum
                ? "\(method) at \(minimum) pixels per inch" : "\(method) at \(minimum) to \(maximum) pixels per inch"
        }
        guard isOneFormat, let quality = quality(of: pages) else { return method }
        return resolutions.count == pages.count
            ? "\(method) and quality \(quality)" : "\(method) at quality \(quality)"
    }

    /// Returns the quality of pages that were encoded again; nil if it differs or is that of their sources.
    private static func quality(of pages: [PageReport]) -> String? {
        let qualities = Set(
            pages.map { page in
                page.reason.parts.first { $0.note.code == .encodedAtQuality }?.note.values["quality"]
            })
        return qualities.count == 1 ? qualities.first ?? nil : nil
    }
}

/// A number of bytes in readable form: "139 MB", "1.4 MB", "720 bytes".
struct ByteCount {
    let text: Message

    init(_ bytes: Int) {
        var (value, units) = (Double(bytes), ["kB", "MB", "GB", "TB"][...])
        guard bytes >= 1000 else {
            text = "\(bytes) bytes"
            return
        }
        value /= 1000
        // A value that would be rounded to a thousand belongs to the next unit.
        while value >= 999.5, units.count > 1 {
            value /= 1000
            units.removeFirst()
        }
        let unit = units.first ?? "TB"
        let tenths = Int(clamping: (value * 10).rounded(), to: 0...10_000_000)
        text =
            tenths < 100
            ? "\(tenths / 10).\(tenths % 10) \(unit)"
            : "\(Int(clamping: value.rounded(), to: 0...1_000_000)) \(unit)"
    }
}

/// A line of text for one page of a report, or for several pages with equal text.
struct PageLine {
    let text: Message

    /// Returns whether two pages differ only in size, name and the pixels kept next to a cut.
    static func haveSameExplanation(_ one: PageReport, _ other: PageReport) -> Bool {
        func explanation(_ page: PageReport) -> Message { page.explanation(page.reason.withoutPixelsKept) }
        return one.book == other.book && one.overallTreatment == other.overallTreatment
            && explanation(one) == explanation(other) && remark(of: one) == remark(of: other)
    }

    /// Returns the size of pages, or its range horizontally and vertically: "975x1320-1351"; "?" if one is unknown.
    private static func sizes(of pages: [PageReport]) -> String {
        func range(_ lengths: [Int]) -> String {
            guard let minimum = lengths.min(), let maximum = lengths.max() else { return "?" }
            return minimum == maximum ? "\(minimum)" : "\(minimum)-\(maximum)"
        }
        let sizes = pages.compactMap(\.size)
        guard !sizes.isEmpty, sizes.count == pages.count else { return "?" }
        return "\(range(sizes.map(\.width)))x\(range(sizes.map(\.height)))"
    }

    /// Returns the first and the last name of pages that are consecutive in the source. Other pages are all named, if they are
    /// few.
    private static func sources(of pages: [PageReport]) -> Message {
        let (names, places) = (pages.map(\.source), pages.map(\.sourceID))
        let steps = zip(places, places.dropFirst()).map { one, next in if let one, let next { next - one } else { 1 } }
        let last = names[names.count - 1]
        // The halves of a page have the same position.
        if steps.allSatisfy({ (0...1).contains($0) }) { return "\(page: names[0]) to \(page: last)" }
        if names.count <= PageLine.maximumNames { return names.map { "\(page: $0)" }.joined(separator: ", ") }
        let isReordered = steps.contains { $0 < 0 }
        return isReordered
            ? "\(page: names[0]), …, \(page: last) (not in the source's order)" : "\(page: names[0]), …, \(page: last)"
    }

    /// A longer list would not be read.
    private static let maximumNames = 8

    private static func remark(of page: PageReport) -> Message {
        page.remarks.map { "; \($0)" }.joined()
    }

    /// Returns the spaces that make a treatment as wide as the widest, in columns of a terminal.
    private static func padding(after treatment: Message) -> String {
        func width(_ word: Message) -> Int { Terminal.width(of: word.localized) }
        let widest = Treatment.allCases.map { width($0.word) }.max() ?? 0
        return String(repeating: " ", count: widest - width(treatment))
    }

    /// Creates the line for a single page.
    init(_ page: PageReport) { self.init([page], page, through: nil) }

    /// Creates the line for pages with equal text; nil for an empty collection.
    init?(_ pages: some Collection<PageReport>) {
        guard let first = pages.first else { return nil }
        self.init(Array(pages), first, through: Array(pages).last)
    }

    /// - Parameter last: the last page that the line represents; nil for one page.
    private init(_ pages: [PageReport], _ page: PageReport, through last: PageReport?) {
        let number = "\(page.number)" + (last.map { "-\($0.number)" } ?? "")
        let padding = String(repeating: " ", count: max(0, 5 - number.count))
        let size = PageLine.sizes(of: pages)
        let source: Message = last == nil ? "\(page: page.source)" : PageLine.sources(of: pages)
        let remark = PageLine.remark(of: page)
        let treatment = page.overallTreatment.word
        let (column, other) = (PageLine.padding(after: treatment), max(0, 10 - size.count))
        let place: Message = "\(padding + number)  \(treatment)\(column)"
        let explanation = page.explanation(Reason.shared(by: pages.map(\.reason)))
        text = "\(place)  \(size)\(String(repeating: " ", count: other))  \(source): \(explanation)\(remark)"
    }
}

/// The lines of a report: one for consecutive pages with equal text, one for each other page.
struct PageLines {
    let texts: [Message]

    /// The minimum number of pages that share a line.
    private static let minimumPages = 3

    init(_ pages: [PageReport]) {
        var texts: [Message] = []
        var rest = pages[...]
        while let first = rest.first {
            let alike = rest.prefix { PageLine.haveSameExplanation($0, first) }
            if alike.count >= PageLines.minimumPages, let line = PageLine(alike) {
                texts.append(line.text)
            } else {
                texts += alike.map { PageLine($0).text }
            }
            rest = rest[alike.endIndex...]
        }
        self.texts = texts
    }
}
