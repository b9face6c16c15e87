internal import AdapterKit
internal import PageModel

extension SourceCheck {
    /// Checks that every page can be read, with the same result at any time and any number of times.
    func reading(_ pages: [Page]) async {
        var first: [PageContents] = []
        for page in pages {
            func read(_ what: String) async -> PageContents? {
                await findings.attempt("reading \(page.name)\(what)") { try await PageContents(page, drawing: true) }
            }
            guard let contents = await read("") else { return }
            soundness(of: contents, page)
            let again = await read(" again")
            findings.expect(again == contents, "\(page.name) read twice gives two different images")
            // A program gets the size with the request; other sources choose it.
            if findings.watch != nil { await reducedRendering(of: page) }
            await textAndLinks(of: page, in: pages)
            first.append(contents)
        }
        await readingAllAtOnce(pages, expected: first)
    }

    /// Renders a page at half its resolution, as for a preview.
    private func reducedRendering(of page: Page) async {
        await findings.attempt("rendering \(page.name) at half its resolution") {
            for case .drawn(var picture) in try await page.examine().representations {
                guard let drawAt = picture.drawAt else { continue }
                picture.resolution = max(10, picture.resolution / 2)
                let size = try await drawAt(picture.resolution).raster.size
                findings.expect(
                    size == picture.size, "\(page.name) has \(size) pixels at half its resolution, not \(picture.size)")
            }
        }
    }

    private func textAndLinks(of page: Page, in pages: [Page]) async {
        await findings.attempt("reading the text of \(page.name)") { _ = try await page.text() }
        let links = await findings.attempt("reading the links of \(page.name)") { try await page.links() }
        for case .page(let number, _) in links?.map(\.target) ?? [] {
            findings.expect(
                pages.contains { $0.sourceID == number },
                "a link on \(page.name) links to page \(number), which does not exist")
        }
    }

    /// Reads pages concurrently and in any order, as a conversion does.
    private func readingAllAtOnce(_ pages: [Page], expected: [PageContents]) async {
        let together = await findings.attempt("reading all pages at once") {
            try await withThrowingTaskGroup(of: (Int, PageContents).self) { group in
                for (index, page) in pages.enumerated().reversed() {
                    group.addTask { (index, try await PageContents(page, drawing: false)) }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
        guard let together else { return }
        for (index, page) in pages.enumerated() {
            findings.expect(
                together[index]?.unrendered == expected[index].unrendered,
                "\(page.name) gives another image when all pages are read at once")
        }
    }

    /// Checks that a page's contents match the earlier statements about it.
    private func soundness(of contents: PageContents, _ page: Page) {
        let (name, all) = (page.name, contents.representations)
        findings.expect(!all.isEmpty, "\(name) has no representation")
        findings.expect(
            all.contains { $0.error == nil },
            "\(name) cannot be read: " + all.compactMap(\.error?.failureText).joined(separator: "; "))
        for representation in all {
            if let size = representation.size {
                let pending = representation.pending
                findings.expect(size.width > 0 && size.height > 0, "\(name) claims a size of \(size)")
                findings.expect(
                    Framing(size, edits: pending) != nil, "\(name) of \(size) is cropped beyond its edges: \(pending)")
            }
            switch representation.image {
            case .success(.bytes(let bytes)): findings.expect(!bytes.isEmpty, "\(name) has no bytes")
            case .success(.samples(let raster)): expect(raster.size, representation, name)
            case .success(.rendering(let size)): expect(size, representation, name)
            case .failure, nil: break
            }
        }
    }

    private func expect(_ size: PixelSize, _ representation: PageContents.Representation, _ name: String) {
        let stated = representation.size.map { "\($0)" } ?? "nothing"
        findings.expect(size == representation.size, "\(name) is announced as \(stated), and is \(size)")
    }

    /// Checks that canceled work stops, reports no damage, and leaves the book usable.
    func cancellation() async {
        let (source, input, settings) = (source, input, settings)
        await cancel("opening it") { _ = try await source.open(input, settings: settings, limits: Limits()) }
        guard let page = try? await open().sequence.pages.first else { return }
        let before = try? await PageContents(page, drawing: false)
        await cancel("reading \(page.name)") { _ = try await PageContents(page, drawing: true) }
        // A canceled process may have ended in any way.
        findings.addFaults("canceling it", isDamaged: true)
        let after = try? await PageContents(page, drawing: false)
        findings.expect(before == after, "\(page.name) gives another image after a reading of it was canceled")
    }

    /// Checks the result of canceled work. It may succeed, or fail with any error except one about damage of the input.
    private func cancel(_ what: String, _ work: @escaping @Sendable () async throws -> Void) async {
        let task = Task {
            // Until the cancellation has arrived: a task that is already canceled then calls the source.
            while !Task.isCancelled { await Task.yield() }
            try await work()
        }
        task.cancel()
        guard case .failure(let error) = await task.result, !(error is CancellationError) else { return }
        let code = (error as? AdapterError)?.code
        findings.expect(code != nil && code != .damaged, "\(what) when canceled threw \(error.failureText)")
    }
}
