internal import AdapterKit
internal import PageModel

extension SourceCheck {
    private static let mostSampledPages = 12

    /// Checks that an input exactly at a limit is accepted, and that one beyond it is refused.
    func limits(_ pages: [Page]) async {
        guard !findings.isOver else { return }
        let count = pages.count
        await findings.attempt("opening it with just enough pages allowed") { try await open(Limits(\.pages, count)) }
        await findings.isRefused("opening it with one page too few allowed", must: true) {
            try await open(Limits(\.pages, count - 1))
        }
        await expectLimit(\.entries, count, "entries")
        var sizes: [Int] = []
        for (index, page) in pages.enumerated() {
            // A program must refuse samples beyond the limits before it makes them.
            sizes.append(await pageLimits(page, triesSamples: findings.watch != nil && index < Self.mostSampledPages))
        }
        await expectLimit(\.totalBytes, sizes.reduce(0, +), "bytes in total")
        // The list requires no page's image.
        var limits = Limits(\.entryBytes, sizes.min() ?? 0)
        limits.pixels = 0
        let lists = await findings.attempt("opening it while nearly every page is too large") {
            (try await open().pageList, try await open(limits).pageList)
        }
        findings.expect(lists?.0 == lists?.1, "lists other pages when nearly every page is too large")
    }

    /// Checks that the input does not open with one less than it has, unless the limit does not concern it.
    private func expectLimit(_ limit: WritableKeyPath<Limits, Int>, _ value: Int, _ name: String) async {
        for allowed in value > 0 ? [0, value - 1] : [] {
            let what = "opening it with \(allowed) \(name) allowed"
            let isRefused = await findings.isRefused(what) { try await open(Limits(limit, allowed)) }
            if allowed == 0, isRefused != true { return }
            findings.expect(isRefused != false, "opens with \(allowed) \(name) allowed, and has \(value)")
        }
    }

    /// Checks the limits of a single page; returns the bytes of its encoded image, or 0.
    private func pageLimits(_ page: Page, triesSamples: Bool) async -> Int {
        guard let contents = try? await PageContents(page, drawing: triesSamples) else { return 0 }
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
        if triesSamples, let bytes = contents.representations.compactMap(\.tooFewBytes).max() {
            await expectNoSamples(of: page, Limits(\.entryBytes, bytes), "\(bytes) bytes")
            await expectNoSamples(of: page, Limits(\.pixels, 1), "one pixel")
        }
        return encodedBytes
    }

    /// Checks that the page is unchanged with `value` allowed, and refused or with fewer representations with less.
    private func pageLimit(
        _ limit: WritableKeyPath<Limits, Int>, _ value: Int, _ page: Page, expected: PageContents
    ) async {
        let (name, expected) = (page.name, expected.exactRepresentations)
        let same = await findings.attempt("reading \(name) with \(value) allowed") {
            try await contents(of: page, Limits(limit, value)).exactRepresentations
        }
        findings.expect(same == expected, "\(name) gives another image with its own \(value) allowed")
        await findings.isRefused("reading \(name) with \(value - 1) allowed") {
            let less = try await contents(of: page, Limits(limit, value - 1)).exactRepresentations
            findings.expect(less != expected, "\(name) passes with \(value - 1) allowed, and has \(value)")
            let others = less.compactMap(\.error).filter { $0.code != .tooLarge }
            findings.expect(others.isEmpty, "\(name) is refused not as 'too-large': \(others)")
        }
    }

    private func expectNoSamples(of page: Page, _ limits: Limits, _ allowed: String) async {
        await findings.isRefused("reading \(page.name) with \(allowed) allowed") {
            let found = try await contents(of: page, limits, drawing: true).representations
            findings.expect(!found.contains { $0.pixels != nil }, "\(page.name) passes with \(allowed) allowed")
        }
    }

    private func contents(of page: Page, _ limits: Limits, drawing: Bool = false) async throws -> PageContents {
        guard let same = try await open(limits).sequence.pages.first(where: { $0.id == page.id }) else {
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
