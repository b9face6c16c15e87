internal import AdapterKit
internal import PageModel

extension Trim {
    /// Trims as a file says, without looking at any page.
    ///
    /// - Throws: `.usage` when the file is of another book, or made with other options.
    static func apply(
        _ file: BoxFile, path: String, _ options: TrimOptions, to sequence: PageSequence
    ) throws(AdapterError) -> PageSequence {
        guard options.sheet == nil else {
            throw AdapterError(
                .usage, "--trim-sheet shows pages that are looked at, and --trim-file has their boxes already",
                advice: "leave one of them out, or add --dry-run --force to look again", file: path)
        }
        guard options.given == file.options else {
            let made = file.options.sorted { $0.key < $1.key }.map {
                $0.value == "true" ? "--\($0.key)" : "--\($0.key) \($0.value)"
            }.joined(separator: " ")
            throw AdapterError(
                .usage, "was made with \(made)", advice: "give the same options, or --dry-run --force to make it anew",
                file: path)
        }
        let entries = Dictionary(file.entries.map { ($0.id, $0) }) { first, _ in first }
        var result = sequence
        for (index, page) in sequence.pages.enumerated() {
            guard let entry = entries[page.id] else {
                result.pages[index].layout = PageLayout(
                    content: nil, confidence: 0, remark: "kept whole: the file of boxes does not have it",
                    isOutlier: true)
                continue
            }
            guard entry.name == page.name else {
                throw AdapterError(
                    .usage, "is of another book: its page \(page.id) is '\(entry.name)', not '\(page.name)'",
                    file: path)
            }
            result.pages[index].layout = entry.layout
            if entry.layout.isStraightened, let skew = entry.layout.skew {
                result.pages[index].edits.append(.straighten(degrees: skew))
            }
            if let box = entry.box { result.pages[index].edits.append(.keep(box, of: entry.size)) }
        }
        return result
    }
}
