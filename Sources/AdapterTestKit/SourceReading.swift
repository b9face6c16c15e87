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
            await reducedRendering(of: page)
            await textAndLinks(of: page, in: pages)
            first.append(contents)
        }
        // Concurrently and in any order, as in a conversion.
        let together = await findings.attempt("reading all pages at once") {
            try await withThrowingTaskGroup(of: (Int, PageContents).self) { group in
                for page in pages.reversed() {
                    group.addTask { (page.id, try await PageContents(page, drawing: false)) }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
        guard let together else { return }
        for (page, contents) in zip(pages, first) {
            let isSame = together[page.id]?.unrendered == contents.unrendered
            findings.expect(isSame, "\(page.name) gives another image when all pages are read at once")
        }
    }

    /// Renders a page at half its resolution. A program gets the size with the request; other sources choose it.
    private func reducedRendering(of page: Page) async {
        guard findings.watch != nil else { return }
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
        await findings.attempt("reading the text of \(page.name)") { try await page.text() }
        let links = await findings.attempt("reading the links of \(page.name)") { try await page.links() }
        for case .page(let number, _) in links?.map(\.target) ?? [] {
            let exists = pages.contains { $0.sourceID == number }
            findings.expect(exists, "a link on \(page.name) links to page \(number), which does not exist")
        }
    }

    /// Checks that a page's contents match the earlier statements about it.
    private func soundness(of contents: PageContents, _ page: Page) {
        let (name, all) = (page.name, contents.representations)
        findings.expect(!all.isEmpty, "\(name) has no representation")
        let errors = all.compactMap(\.error?.failureText)
        findings.expect(errors.count < all.count, "\(name) cannot be read: \(errors.joined(separator: "; "))")
        for representation in all {
            if let size = representation.size {
                let isWhole = Framing(size, edits: representation.pending) != nil
                findings.expect(size.width > 0 && size.height > 0, "\(name) claims a size of \(size)")
                findings.expect(isWhole, "\(name) of \(size) is cropped beyond its edges: \(representation.pending)")
            }
            if case .success(.bytes([])) = representation.image { findings.expect(false, "\(name) has no bytes") }
            if let pixels = representation.pixels {
                let stated = representation.size.map { "\($0)" } ?? "nothing"
                findings.expect(pixels == representation.size, "\(name) is announced as \(stated), and is \(pixels)")
            }
        }
    }

    /// Checks that canceled work stops, reports no damage, and leaves the book usable.
    func cancellation() async {
        let (source, input, settings) = (source, input, settings)
        guard let page = try? await open().sequence.pages.first else { return }
        let before = try? await PageContents(page, drawing: false)
        let steps: [(String, @Sendable () async throws -> Void)] = [
            ("opening it", { _ = try await source.open(input, settings: settings, limits: Limits()) }),
            ("reading \(page.name)", { _ = try await PageContents(page, drawing: true) }),
        ]
        for (what, work) in steps {
            let task = Task {
                // Until the cancellation has arrived: a task that is already canceled then calls the source.
                while !Task.isCancelled { await Task.yield() }
                try await work()
            }
            task.cancel()
            guard case .failure(let error) = await task.result, !(error is CancellationError) else { continue }
            let code = (error as? AdapterError)?.code
            findings.expect(code != nil && code != .damaged, "\(what) when canceled threw \(error.failureText)")
        }
        // A canceled process may have ended in any way.
        findings.addFaults("canceling it", isDamaged: true)
        let after = try? await PageContents(page, drawing: false)
        findings.expect(before == after, "\(page.name) gives another image after a reading of it was canceled")
    }

    /// Checks that the memory and the open files of a program do not grow with every page.
    func endurance() async {
        guard let watch = findings.watch, !findings.isOver else { return }
        await findings.attempt("reading pages again and again") {
            let pages = try await open().sequence.pages.prefix(4)
            func usage(after count: Int) async throws -> (memory: Int, files: Int)? {
                for index in 0..<count { _ = try await PageContents(pages[index % pages.count], drawing: true) }
                return watch.usage
            }
            let many = 200
            guard let before = try await usage(after: 40), let after = try await usage(after: many) else { return }
            let (memory, files) = (after.memory - before.memory, after.files - before.files)
            findings.expect(memory < 32 << 20, "its memory grows by \(memory >> 20) MB with \(many) pages read")
            findings.expect(files < 8, "it leaves \(files) files open after \(many) pages read")
        }
    }
}
