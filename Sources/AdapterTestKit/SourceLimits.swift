internal import AdapterKit
internal import PageModel

extension SourceCheck {
    /// Checks that an input exactly at a limit is accepted, and that one beyond it is refused.
    func limits(_ pages: [Page]) async {
        guard !findings.isOver else { return }
        let count = pages.count
        await findings.attempt("opening it with just enough pages allowed") {
            _ = try await open(Limits(\.pages, count))
        }
        await findings.expectError(.tooLarge, "opening it with one page too few allowed") {
            _ = try await open(Limits(\.pages, count - 1))
        }
        let entries = await threshold(\.entries, "entries") ?? .max
        findings.expect(entries >= count, "opens with \(count) pages where \(entries) entries are allowed")
        var sizes: [Int] = []
        for page in pages { sizes.append(await pageLimits(page)) }
        await listingWithoutReading(smallest: sizes.min() ?? 0)
        let total = sizes.reduce(0, +)
        let bytes = await threshold(\.totalBytes, "bytes in total") ?? .max
        findings.expect(bytes >= total, "opens with \(total) bytes of images where \(bytes) are allowed")
        if findings.watch != nil { await samplesBeyondLimits(pages) }
    }

    /// Checks that a program refuses samples beyond the limits: it must not make them first.
    private func samplesBeyondLimits(_ pages: [Page]) async {
        for page in pages.prefix(Self.maximumPages) {
            guard let contents = try? await PageContents(page, drawing: true),
                let count = contents.representations.compactMap(\.sampleBytes).max()
            else { continue }
            for (limit, value) in [(\Limits.entryBytes, max(1, count / 4)), (\Limits.pixels, 1)] {
                let what = limit == \.pixels ? "one pixel" : "\(value) bytes"
                let isRefused = await findings.isRefused(.tooLarge, "reading \(page.name) with \(what) allowed") {
                    let less = try await self.contents(of: page, Limits(limit, value), drawing: true)
                    if less.representations.allSatisfy({ $0.sampleBytes == nil }) {
                        throw AdapterError(.tooLarge, "no samples are left")
                    }
                }
                findings.expect(isRefused != false, "\(page.name) passes with \(what) allowed")
            }
        }
    }

    /// Checks that the memory and the open files of a program do not grow with every page.
    func endurance() async {
        guard let watch = findings.watch, !findings.isOver else { return }
        await findings.attempt("reading pages again and again") {
            let pages = try await open().sequence.pages.prefix(4)
            func read(_ count: Int) async throws {
                for index in 0..<count { _ = try await PageContents(pages[index % pages.count], drawing: true) }
            }
            let (few, many) = (40, 200)
            try await read(few)
            let before = watch.usage
            try await read(many)
            guard let before, let after = watch.usage else { return }
            let (memory, files) = (after.memory - before.memory, after.files - before.files)
            findings.expect(memory < 32 << 20, "its memory grows by \(memory >> 20) MB with \(many) pages read")
            findings.expect(files < 8, "it leaves \(files) files open after \(many) pages read")
        }
    }

    private static let maximumPages = 12

    /// Checks that pages are listed even if nearly every page is too large: the list requires no page's image.
    private func listingWithoutReading(smallest: Int) async {
        var limits = Limits(\.entryBytes, smallest)
        limits.pixels = 0
        let lists = await findings.attempt("opening it while nearly every page is too large") {
            (try await BookListing(open()).pages, try await BookListing(open(limits)).pages)
        }
        findings.expect(lists?.0 == lists?.1, "lists other pages when nearly every page is too large")
    }

    /// Finds the smallest value of a limit with which the input opens, by doubling and halving.
    ///
    /// Every smaller value must be refused as `.tooLarge`.
    ///
    /// - Returns: the value; nil for an irrelevant limit, or after another error.
    private func threshold(_ limit: WritableKeyPath<Limits, Int>, _ name: String) async -> Int? {
        if await opens(limit, 0, name) != false { return nil }
        var (tooSmall, enough) = (0, 1)
        while await opens(limit, enough, name) == false {
            guard enough < Limits()[keyPath: limit] else { return nil }
            (tooSmall, enough) = (enough, 2 * enough)
        }
        while enough - tooSmall > 1 {
            let middle = (tooSmall + enough) / 2
            if await opens(limit, middle, name) == true { enough = middle } else { tooSmall = middle }
        }
        return enough
    }

    /// Whether the input opens with a value of a limit; nil for an error other than `.tooLarge`.
    private func opens(_ limit: WritableKeyPath<Limits, Int>, _ value: Int, _ name: String) async -> Bool? {
        await findings.isRefused(.tooLarge, "opening it with \(value) \(name) allowed") {
            _ = try await open(Limits(limit, value))
        }.map { !$0 }
    }

    /// Checks the limits of a single page: its pixels and its encoded bytes.
    ///
    /// - Returns: the bytes of its encoded image, or 0.
    private func pageLimits(_ page: Page) async -> Int {
        guard let contents = try? await PageContents(page, drawing: false) else { return 0 }
        for representation in contents.representations {
            guard case .success(.samples) = representation.image, let size = representation.size else { continue }
            await pageLimit(\.pixels, size.area, page, expected: contents)
        }
        for representation in contents.representations where !representation.isRepaired {
            guard case .success(.bytes(let bytes)) = representation.image else { continue }
            await pageLimit(\.entryBytes, bytes.count, page, expected: contents)
            return bytes.count
        }
        return 0
    }

    /// Checks that the page is unchanged with `value` allowed; with one less it must be refused, or have fewer
    /// representations.
    private func pageLimit(
        _ limit: WritableKeyPath<Limits, Int>, _ value: Int, _ page: Page, expected: PageContents
    ) async {
        let name = page.name
        let same = await findings.attempt("reading \(name) with \(value) allowed") {
            try await contents(of: page, Limits(limit, value))
        }
        findings.expect(
            same?.exactRepresentations == expected.exactRepresentations,
            "\(name) gives another image with its own \(value) allowed")
        _ = await findings.isRefused(.tooLarge, "reading \(name) with \(value - 1) allowed") {
            let less = try await contents(of: page, Limits(limit, value - 1))
            let refusals = less.representations.compactMap(\.error)
            findings.expect(
                less.exactRepresentations != expected.exactRepresentations,
                "\(name) passes with \(value - 1) allowed, and has \(value)")
            findings.expect(
                refusals.allSatisfy { $0.code == .tooLarge }, "\(name) is refused not as 'too-large': \(refusals)")
        }
    }

    private func contents(of page: Page, _ limits: Limits, drawing: Bool = false) async throws -> PageContents {
        let pages = try await open(limits).sequence.pages
        guard let same = pages.first(where: { $0.id == page.id }) else {
            throw AdapterError(.damaged, "the page is not listed any more")
        }
        return try await PageContents(same, drawing: drawing)
    }
}

extension Limits {
    fileprivate init(_ limit: WritableKeyPath<Limits, Int>, _ value: Int) {
        self.init()
        self[keyPath: limit] = value
    }
}
