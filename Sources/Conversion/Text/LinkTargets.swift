internal import AdapterKit
internal import PageModel

/// The pages that links may lead to, by the pages of the source that they show.
struct LinkTargets: Sendable {
    private var pages: [Int: [Page]] = [:]

    /// - Parameter sequence: all pages that are made; those that were merged are found by their parts.
    init(_ sequence: [Page]) {
        for page in sequence {
            for leaf in page.parts.isEmpty ? [page] : page.parts {
                if let number = leaf.sourceID { pages[number, default: []].append(leaf) }
            }
        }
    }

    /// The number of the page that shows a place of a page of the source.
    ///
    /// - Parameters:
    ///   - number: as `Page.sourceID`.
    ///   - point: on the whole page of the source; without it a page that was split is meant by its first part.
    /// - Returns: nil when no page shows it.
    func page(_ number: Int, at point: PagePoint?) async throws -> Int? {
        guard let candidates = pages[number], let first = candidates.first else { return nil }
        guard let point, candidates.count > 1 else { return first.id }
        for page in candidates {
            // A page that cannot be read is not there to be led to; it is told of where it is worked on.
            guard let size = try? await page.examine().size else { continue }
            var map = PageMap(size)
            for edit in page.edits { map.append(edit) }
            if PageArea.page.contains(map.place(of: point)) { return page.id }
        }
        return first.id
    }

    /// The lines of an outline, each leading to that part of a page that was split in which its place is.
    func leading(_ outline: [OutlineItem]) async throws -> [OutlineItem] {
        var outline = outline
        for index in outline.indices where outline[index].place != nil {
            guard let number = outline[index].page, pages[number]?.count ?? 0 > 1 else { continue }
            outline[index].page = try await page(number, at: outline[index].place)
        }
        return outline
    }
}

/// Which links lead nowhere, once it is known which pages are in the output.
struct LostLinks: Sendable {
    private var counts: [Int: Int] = [:]
    private var arrived: Set<Int> = []
    private var goneCount = 0
    private var otherCount = 0

    /// Takes a page that is in the output into account.
    mutating func add(_ page: Page, _ text: PlacedText) {
        arrived.formUnion(page.numbers)
        goneCount += text.goneCount
        otherCount += text.otherCount
        for link in text.links {
            if case .page(let id, _) = link.target { counts[id, default: 0] += 1 }
        }
    }

    /// The warnings that tell of links that are left out.
    var warnings: [Warning] {
        let gone = counts.reduce(goneCount) { arrived.contains($1.key) ? $0 : $0 + $1.value }
        var warnings: [Warning] = []
        func add(_ count: Int, _ where: (one: String, many: String)) {
            guard count > 0 else { return }
            let what = count == 1 ? "1 link leads \(`where`.one)" : "\(count) links lead \(`where`.many)"
            warnings.append(
                Warning(code: "links-dropped", message: "\(what), and \(count == 1 ? "is" : "are") left out"))
        }
        add(gone, ("to a page that is not in the output", "to pages that are not in the output"))
        add(
            otherCount,
            ("to a program, a script or another file", "to programs, scripts or other files"))
        return warnings
    }
}
