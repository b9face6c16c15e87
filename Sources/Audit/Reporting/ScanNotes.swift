internal import AdapterKit
internal import PageModel
internal import Planning

/// The limits of a note on growth.
private enum GrowthLimits {
    /// Minimum growth, as a multiple of the input's bytes. A fax as PNG has up to 2.2 times its bytes.
    static let minimumGrowth = 2.5
    /// Minimum size of the output in bytes. A smaller one does not matter.
    static let minimumBytes = 1 << 20
}

/// The notes on a book's scans as a whole.
enum ScanNotes {
    /// Returns a note that lists the objects removed from scans on request, with their text; nil if none were removed.
    static func leftOut(_ pages: [PageReport]) -> Warning? {
        let kinds = pages.texts { $0.code == .overlayDropped ? $0.text : nil }
        guard !kinds.isEmpty else { return nil }
        let list = kinds.map { kind -> Message in
            kind.pages.count == 1
                ? "\(kind.text) over the scan of \(kind.pages.text)"
                : "\(kind.text) over the scans of \(kind.pages.text)"
        }.joined(separator: "; ")
        let lines = textLines(pages)
        guard !lines.isEmpty else { return note("left out \(list)") }
        let shown = lines.prefix(TextLimits.lines).map { "'\(Message(verbatim: $0))'" as Message }
        let rest: [Message] = lines.count > shown.count ? ["\(lines.count - shown.count) more lines"] : []
        return note("left out \(list): \((shown + rest).listed())")
    }

    private static func note(_ message: Message) -> Warning {
        Warning(code: "overlay-dropped", message: message, isNote: true).shared("left out objects over scans")
    }

    /// The limits of quoted text.
    private enum TextLimits {
        static let lines = 3
        static let characters = 60
    }

    /// Returns the lines of removed text, each once, the most frequent first.
    private static func textLines(_ pages: [PageReport]) -> [String] {
        var (counts, order): ([String: Int], [String]) = ([:], [])
        for note in pages.notes where note.code == .overlayDropped {
            for line in (note.values["lines"] ?? "").split(separator: "\n") {
                let isLong = line.count > TextLimits.characters
                let text = isLong ? line.prefix(TextLimits.characters) + "…" : String(line)
                if counts[text] == nil { order.append(text) }
                counts[text, default: 0] += 1
            }
        }
        // Sorting is stable only by the position.
        return order.enumerated().sorted {
            (-(counts[$0.element] ?? 0), $0.offset) < (-(counts[$1.element] ?? 0), $1.offset)
        }.map(\.element)
    }

    /// Returns a warning about the objects that were to be removed, but hide a part of a scan; nil without any.
    static func kept(_ pages: [PageReport]) -> Warning? {
        let kinds = pages.texts { $0.code == .overlayKept ? $0.text : nil }
        guard !kinds.isEmpty else { return nil }
        let list = kinds.map { "\($0.text) on \($0.pages.text)" as Message }.joined(separator: "; ")
        return Warning(
            code: "overlay-kept", message: "kept \(list): it hides a part of the scan",
            hint: "use --uncover to take it off")
    }

    /// Returns a note on the overlays that became part of scans; nil without any. `kept` reports those that were to be
    /// removed.
    static func patched(_ pages: [PageReport]) -> Warning? {
        // An overlay may be in pixels that were changed or encoded as well.
        let patched = pages.filter {
            ($0.overallTreatment == .patched || $0.has([.patchedShare])) && !$0.has([.overlayKept])
        }
        guard !patched.isEmpty else { return nil }
        let numbers = pages.ranges(of: patched).text
        return Warning(
            code: "overlay-merged", message: "merged the content over the scan into the image on \(numbers)",
            hint: "use --no-stamps to leave it out", isNote: true
        ).shared("merged the content over scans into the images")
    }

    /// Returns a note on the growth that rendered pages caused. The result is nil if few pages were rendered, or the book did not
    /// grow enough.
    static func growth(_ report: Report) -> Warning? {
        let drawn = report.pages.filter { $0.treatment == .drawn || $0.has([.combinedLayers]) }
        guard 2 * drawn.count > report.pages.count, let input = report.inputBytes, let output = report.outputBytes,
            output >= GrowthLimits.minimumBytes
        else { return nil }
        let times = Double(output) / Double(max(1, input))
        guard times >= GrowthLimits.minimumGrowth else { return nil }
        return Warning(
            code: "rendered-pages-grew",
            message: "pages that were rendered, or combined from layers, made the output "
                + "\(Int(checked: times) ?? 0) times as large as the input",
            hint: hint(toShrink: drawn), isNote: true
        ).shared("pages that were rendered, or combined from layers, made the output much larger than the input")
    }

    /// Returns the option that makes rendered pages smaller; nil if none certainly does.
    ///
    /// As JPEG, a page of few levels of gray or few colors would be larger.
    private static func hint(toShrink pages: [PageReport]) -> Message? {
        if pages.contains(where: { $0.encoding != .jpeg && !$0.has([.sixteenLevels, .fewColors]) }) {
            return "use --image-format jpeg to make them smaller, with losses"
        }
        return pages.contains { $0.has([.encodedAtQuality]) }
            ? "use --quality 60 to make them smaller, with more losses" : nil
    }
}
