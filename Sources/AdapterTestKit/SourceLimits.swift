internal import AdapterKit
internal import PageModel

extension SourceCheck {
    /// Checks that an input exactly at a limit is accepted, and that one beyond it is refused.
    func limits(_ pages: [Page]) async {
        guard !findings.isOver else { return }
        var limits = Limits()
        limits.pages = pages.count
        await findings.attempt("opening it with just enough pages allowed") { _ = try await open(limits) }
        limits.pages = pages.count - 1
        await findings.expectError(.tooLarge, "opening it with one page too few allowed") { _ = try await open(limits) }
        let entries = await threshold(\.entries, "entries")
        findings.expect(
            entries ?? .max >= pages.count, "opens with \(pages.count) pages where \(entries ?? 0) entries are allowed")
        var sizes: [Int] = []
        for page in pages { sizes.append(await pageLimits(page)) }
        await listingWithoutReading(smallest: sizes.min() ?? 0)
        let total = sizes.reduce(0, +)
        let bytes = await threshold(\.totalBytes, "bytes in total")
        findings.expect(
            bytes ?? .max >= total, "opens with \(total) bytes of images where \(bytes ?? 0) are allowed")
        if watch != nil { await samplesBeyondLimits(pages) }
    }

    /// Checks that a program refuses samples beyond the limits: it must not make them first.
    private func samplesBeyondLimits(_ pages: [Page]) async {
        for page in pages.prefix(Self.maximumPages) {
            guard let contents = try? await PageContents(page, drawing: true),
                let count = contents.representations.compactMap(\.sampleBytes).max()
            else { continue }
            var (few, small) = (Limits(), Limits())
            (few.entryBytes, small.pixels) = (max(1, count / 4), 1)
            for (limits, what) in [(few, "\(few.entryBytes) bytes"), (small, "one pixel")] {
                let isRefused = await findings.attempt("reading \(page.name) with \(what) allowed") {
                    do {
                        let less = try await self.contents(of: page, limits, drawing: true)
                        return less.representations.allSatisfy { $0.sampleBytes == nil }
                    } catch let error as AdapterError where error.code == .tooLarge {
                        return true
                    }
                }
                findings.expect(isRefused != false, "\(page.name) passes with \(what) allowed")
            }
        }
    }

    /// Checks that the memory and the open files of a program do not grow with every page.
    func endurance() async {
        guard let watch, !findings.isOver else { return }
        await findings.attempt("reading pages again and again") {
            let pages = try await open().sequence.pages.prefix(4)
            func read(_ count: Int) async throws {
                for index in 0..<count { _ = try await PageContents(pages[index % pages.count], drawing: true) }
            }
            try await read(Self.readings.before)
            let before = watch.usage
            try await read(Self.readings.after)
            guard let before, let after = watch.usage else { return }
            findings.expect(
                after.memory - before.memory < Self.maximumGrowth.memory,
                "its memory grows by \((after.memory - before.memory) >> 20) MB with \(Self.readings.after) pages read")
            findings.expect(
                after.files - before.files < Self.maximumGrowth.files,
                "it leaves \(after.files - before.files) files open after \(Self.readings.after) pages read")
        }
    }

    private static let maximumPages = 12
    /// The number of pages read before memory and files are counted, and again until the second count.
    private static let readings = (before: 40, after: 200)
    private static let maximumGrowth = (memory: 32 << 20, files: 8)

    /// Checks that pages are listed even if nearly every page is too large: the list requires no page's image.
    private func listingWithoutReading(smallest: Int) async {
        var limits = Limits()
        limits.entryBytes = smallest
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
        var limits = Limits()
        limits[keyPath: limit] = value
        let what = "opening it with \(value) \(name) allowed"
        do {
            _ = try await open(limits)
            findings.addFaults(what)
            return true
        } catch {
            findings.addFaults(what)
            findings.expect(
                error.code == .tooLarge,
                "\(what) threw \(error.failureText) not 'too-large'")
            return error.code == .tooLarge ? false : nil
        }
    }

    /// Checks the limits of a single page: its pixels and its encoded bytes.
    ///
    /// - Returns: the bytes of its encoded image, or 0.
    private func pageLimits(_ page: Page) async -> Int {
        guard let contents = try? await PageContents(page, drawing: false) else { return 0 }
        for case .sampled(_, let size, _, .success) in contents.representations {
            await pageLimit(\.pixels, size.area, page, expected: contents)
        }
        for case .encoded(_, _, _, false, .success(let bytes)) in contents.representations {
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
        var limits = Limits()
        limits[keyPath: limit] = value
        let same = await findings.attempt("reading \(page.name) with \(value) allowed") {
            try await contents(of: page, limits)
        }
        findings.expect(
            same?.exactRepresentations == expected.exactRepresentations,
            "\(page.name) gives another image with its own \(value) allowed")
        limits[keyPath: limit] = value - 1
        do {
            let less = try await contents(of: page, limits)
            findings.addFaults("reading \(page.name) with \(value - 1) allowed")
            let refusals = less.representations.compactMap(\.error)
            findings.expect(
                less.exactRepresentations != expected.exactRepresentations,
                "\(page.name) passes with \(value - 1) allowed, and has \(value)")
            findings.expect(
                refusals.allSatisfy { $0.code == .tooLarge }, "\(page.name) is refused not as 'too-large': \(refusals)")
        } catch {
            findings.addFaults("reading \(page.name) with \(value - 1) allowed")
            findings.expect(
                (error as? AdapterError)?.code == .tooLarge,
                "\(page.name) with \(value - 1) allowed threw \(error.failureText)")
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

extension PageContents {
    /// All representations except renderings, whose size may depend on the limits.
    fileprivate var exactRepresentations: [Representation] {
        representations.filter { if case .drawn = $0 { false } else { true } }
    }
}

extension PageContents.Representation {
    /// The bytes of samples or of a rendering, at least one for each pixel; nil for other images, and if it cannot be read.
    fileprivate var sampleBytes: Int? {
        switch self {
        case .sampled(_, _, _, .success(let raster)): raster.samples.count
        case .drawn(_, .some(.success(let size))): size.area
        default: nil
        }
    }
}
