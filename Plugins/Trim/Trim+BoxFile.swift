internal import AdapterKit
internal import PageModel

extension Trim {
    /// Trims as a file says, without looking at any page.
    ///
    /// - Throws: `.usage` when the file is of another book, or made with other options.
    static func apply(
        _ file: BoxFile, path: String, _ options: TrimOptions, to sequence: PageSequence
    ) async throws -> PageSequence {
        guard options.sheet == nil else {
            throw AdapterError(
                .usage, "--trim-sheet shows pages that are looked at, and --trim-file has their boxes already",
                advice: "leave one of them out, or add --dry-run --force to look again", file: path)
        }
        try Sidecar.compare(made: file.options, given: options.given, path: path)
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
            guard try await isLike(entry.size, page) else {
                throw AdapterError(
                    .usage, "was made when the page had \(entry.size) pixels, which it has not now",
                    advice:
                        "give the options that change pages as they were given then, or --dry-run --force to make it anew",
                    file: path, page: page.name)
            }
            result.pages[index].layout = entry.layout
            if entry.layout.isDeskewed, let skew = entry.layout.skew {
                result.pages[index].edits.append(.deskew(degrees: skew))
            }
            if let box = entry.box { result.pages[index].edits.append(.keep(box, of: entry.size)) }
        }
        return result
    }

    /// Whether a page still has the size it had when its box was found; what is drawn need only have the same shape.
    private static func isLike(_ size: PixelSize, _ page: Page) async throws -> Bool {
        let picture: Picture
        do {
            picture = try await page.examine()
        } catch let error as CancellationError {
            throw error
        } catch {
            // The run comes to the page again, and says what is wrong with it.
            return true
        }
        guard let now = picture.size.map(page.edits.applied) else { return true }
        if case .drawn? = picture.representations.first {
            let (one, other) = (size.width * now.height, now.width * size.height)
            return abs(one - other) * 50 <= one
        }
        return now == size
    }
}
