internal import AdapterKit
internal import PageModel

/// The pages that links may target, by the source pages that they show.
struct LinkTargets: Sendable {
    private var pages: [Int: [Page]] = [:]
    /// The merged pages, by the numbers of their parts.
    private var wholes: [Int: Int] = [:]

    /// - Parameter sequence: all pages of the output; merged pages are found by their parts.
    init(_ sequence: [Page]) {
        for page in sequence {
            for leaf in page.parts { wholes[leaf.id] = wholes[leaf.id] ?? page.id }
            for leaf in page.parts.isEmpty ? [page] : page.parts {
                if let number = leaf.sourceID { pages[number, default: []].append(leaf) }
            }
        }
    }

    /// Returns the number of the page that shows a point of a source page. The result is nil if the output lacks that page.
    ///
    /// - Parameters:
    ///   - number: a `Page.sourceID`.
    ///   - point: the point on the whole source page. Without it, the result for a split page is its first part.
    func page(_ number: Int, at point: PagePoint?) async throws -> Int? {
        guard let candidates = pages[number], let first = candidates.first else { return nil }
        guard let point, candidates.count > 1 else { return first.id }
        for page in candidates {
            // An unreadable page cannot be a target; its conversion reports the error.
            guard let size = try? await page.examine().size else { continue }
            var map = PageMap(size)
            for edit in page.edits { map.append(edit) }
            if PageArea.page.contains(map.place(of: point)) { return page.id }
        }
        return first.id
    }

    /// Returns the entries of an outline. Each entry for a split page targets the part that contains its point. An entry
    /// for a part of a merged page targets that page.
    func retargeted(_ outline: [OutlineItem]) async throws -> [OutlineItem] {
        var outline = outline
        for index in outline.indices {
            guard let number = outline[index].page else { continue }
            let isSplit = outline[index].place != nil && pages[number]?.count ?? 0 > 1
            let target = isSplit ? try await page(number, at: outline[index].place) : number
            outline[index].page = target.map { wholes[$0] ?? $0 }
        }
        return outline
    }
}

/// The links with missing targets, counted when the pages of the output are known.
struct LostLinks: Sendable {
    private var counts: [Int: Int] = [:]
    private var arrived: Set<Int> = []
    private var goneCount = 0
    private var otherCount = 0

    /// Counts the links of a page that is in the output.
    mutating func add(_ page: Page, _ text: PlacedText) {
        arrived.formUnion(page.numbers)
        goneCount += text.goneCount
        otherCount += text.otherCount
        for link in text.links {
            if case .page(let id, _) = link.target { counts[id, default: 0] += 1 }
        }
    }

    /// The warnings about dropped links.
    var warnings: [Warning] {
        let gone = counts.reduce(goneCount) { arrived.contains($1.key) ? $0 : $0 + $1.value }
        var warnings: [Warning] = []
        func add(_ count: Int, _ where: (one: String, many: String)) {
            guard count > 0 else { return }
            let what = count == 1 ? "1 link \(`where`.one)" : "\(count) links \(`where`.many)"
            warnings.append(Warning(code: "links-dropped", message: "left out \(what)"))
        }
        add(gone, ("to a page that is not in the output", "to pages that are not in the output"))
        add(
            otherCount,
            ("to a program, a script or another file", "to programs, scripts or other files"))
        return warnings
    }
}
