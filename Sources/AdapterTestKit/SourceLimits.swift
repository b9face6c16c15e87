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
        await expectLimit(\.entries, count, "entries")
        var sizes: [Int] = []
        for page in pages { sizes.append(await pageLimits(page)) }
        await listingWithoutReading(smallest: sizes.min() ?? 0)
        await expectLimit(\.totalBytes, sizes.reduce(0, +), "bytes in total")
        if findings.watch != nil { await samplesBeyondLimits(pages) }
    }

    /// Checks that the input does not open with one less than it has, unless the limit does not concern it.
    private func expectLimit(_ limit: WritableKeyPath<Limits, Int>, _ value: Int, _ name: String) async {
        for allowed in value > 0 ? [0, value - 1] : [] {
            let what = "opening it with \(allowed) \(name) allowed"
            let isRefused = await findings.isRefused(.tooLarge, what) { _ = try await open(Limits(limit, allowed)) }
            if allowed == 0, isRefused != true { return }
            findings.expect(isRefused != false, "opens with \(allowed) \(name) allowed, and has \(value)")
        }
    }

    /// Checks that a program refuses samples beyond the limits: it must not make them first.
    private func samplesBeyondLimits(_ pages: [Page]) async {
        for page in pages.prefix(Self.maximumPages) {
            guard let contents = try? await PageContents(page, drawing: true),
                let count = contents.representations.compactMap(\.sampleBytes).max()
            else { continue }
            for (limit, value) in [(\Limits.entryBytes, max(1, count / 4)), (\Limits.pixels, 1)] {
                let what = limit == \.pixels ? "one pixel" : "\(value) bytes"
                var hasSamples = true
                let isRefused = await findings.isRefused(.tooLarge, "reading \(page.name) with \(what) allowed") {
                    let less = try await self.contents(of: page, Limits(limit, value), drawing: true)
                    hasSamples = less.representations.contains { $0.sampleBytes != nil }
                }
                findings.expect(isRefused != false || !hasSamples, "\(page.name) passes with \(what) allowed")
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

    /// Checks the limits of a single page: its pixels and its encoded bytes.
    ///
    /// - Returns: the bytes of its encoded image, or 0.
    private func pageLimits(_ page: Page) async -> Int {
        guard let contents = try? await PageContents(page, drawing: false) else { return 0 }
        var encodedBytes = 0
        for representation in contents.representations {
            switch representation.image {
            case .success(.samples(let raster)): await pageLimit(\.pixels, raster.size.area, page, expected: contents)
            case .success(.bytes(let bytes)) where encodedBytes == 0 && !representation.isRepaired:
                encodedBytes = bytes.count
                await pageLimit(\.entryBytes, encodedBytes, page, expected: contents)
            default: break
            }
        }
        return encodedBytes
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
