internal import AdapterKit
internal import PageModel

extension SourceCheck {
    /// Checks that every page can be read, with the same result at any time and any number of times.
    func reading(_ pages: [Page]) async {
        var first: [PageContents] = []
        for page in pages {
            let contents = await findings.attempt("reading \(page.name)") {
                try await PageContents(page, drawing: true)
            }
            guard let contents else { return }
            soundness(of: contents, page)
            let again = await findings.attempt("reading \(page.name) again") {
                try await PageContents(page, drawing: true)
            }
            findings.expect(again == contents, "\(page.name) read twice gives two different images")
            // A program gets the size with the request; other sources choose it.
            if watch != nil { await reducedRendering(of: page) }
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
                together[index]?.representations == expected[index].representations.map(\.withoutDrawing),
                "\(page.name) gives another image when all pages are read at once")
        }
    }

    /// Checks that a page's contents match the earlier statements about it.
    private func soundness(of contents: PageContents, _ page: Page) {
        findings.expect(!contents.representations.isEmpty, "\(page.name) has no representation")
        findings.expect(
            contents.representations.contains { $0.error == nil },
            "\(page.name) cannot be read: "
                + contents.representations.compactMap(\.error?.failureText).joined(separator: "; "))
        for representation in contents.representations {
            let (size, pending) = representation.sizeAndEdits
            if let size {
                findings.expect(size.width > 0 && size.height > 0, "\(page.name) claims a size of \(size)")
                findings.expect(
                    Framing(size, edits: pending) != nil,
                    "\(page.name) of \(size) is cropped beyond its edges: \(pending)")
            }
            switch representation {
            case .encoded(_, _, _, _, .success(let bytes)):
                findings.expect(!bytes.isEmpty, "\(page.name) has no bytes")
            case .sampled(_, let size, _, .success(let raster)):
                findings.expect(raster.size == size, "\(page.name) is announced as \(size), and is \(raster.size)")
            case .drawn(let size, .success(let drawn)):
                findings.expect(drawn == size, "\(page.name) is announced as \(size), and is drawn as \(drawn)")
            default: break
            }
        }
    }

    /// Checks that canceled work stops, reports no damage, and leaves the book usable.
    func cancellation() async {
        let (source, input, settings) = (source, input, settings)
        let opening = Task {
            // Until the cancellation has arrived: a task that is already canceled then calls the source.
            while !Task.isCancelled { await Task.yield() }
            _ = try await source.open(input, settings: settings, limits: Limits())
        }
        opening.cancel()
        judge(await opening.result, "opening it")
        guard let page = try? await open().sequence.pages.first else { return }
        let before = try? await PageContents(page, drawing: false)
        let reading = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await PageContents(page, drawing: true)
        }
        reading.cancel()
        judge(await reading.result, "reading \(page.name)")
        // A canceled process may have ended in any way.
        _ = findings.addFaults("canceling it", isDamaged: true)
        let after = try? await PageContents(page, drawing: false)
        findings.expect(before == after, "\(page.name) gives another image after a reading of it was cancelled")
    }

    /// Checks the result of canceled work. It may succeed, or fail with any error except one about damage of the input.
    private func judge(_ result: Result<Void, any Error>, _ what: String) {
        guard case .failure(let error) = result, !(error is CancellationError) else { return }
        let code = (error as? AdapterError)?.code
        findings.expect(code != nil && code != .damaged, "\(what) when cancelled threw \(error.failureText)")
    }
}

/// The contents of a page, for comparison between reads.
struct PageContents: Hashable {
    enum Representation: Hashable {
        case encoded(
            ImageEncoding, size: PixelSize?, pending: [Edit], isRepaired: Bool, bytes: Result<[UInt8], AdapterError>)
        case sampled(String, size: PixelSize, pending: [Edit], raster: Result<Raster, AdapterError>)
        /// The size of the page, and of the rendering; `drawn` is nil for a page that was not rendered.
        case drawn(PixelSize, drawn: Result<PixelSize, AdapterError>?)
    }

    let size: PixelSize?
    private(set) var defects: [Message] = []
    private(set) var representations: [Representation] = []
    /// The problems that the source reported while it read samples or rendered the page.
    private(set) var diagnostics: [Message] = []

    /// Reads every representation of a page. An `AdapterError` of one is part of the contents.
    ///
    /// - Parameter drawing: whether the page is also rendered, the slowest step.
    init(_ page: Page, drawing: Bool) async throws {
        let picture = try await page.examine()
        size = picture.size
        for representation in picture.representations {
            switch representation {
            case .encoded(let picture):
                let file = try await PageContents.result(picture.read)
                representations.append(
                    .encoded(
                        picture.encoding, size: picture.size, pending: picture.pending,
                        isRepaired: picture.repair != nil || picture.patch != nil, bytes: file.map(\.bytes)))
                if case .success(let file) = file { defects += [file.defect].compactMap(\.self) }
            case .sampled(let picture):
                let result = try await PageContents.result(picture.read)
                representations.append(
                    .sampled(
                        picture.compression, size: picture.size, pending: picture.pending,
                        raster: result.map(\.raster)))
                note(result)
            case .drawn(let picture):
                let result = drawing ? try await PageContents.result(picture.draw) : nil
                representations.append(.drawn(picture.size, drawn: result?.map(\.raster.size)))
                if let result { note(result) }
            case .joined:
                throw AdapterError(.unsupported, "a source gives single pages, and this one is joined", page: page.name)
            }
        }
        defects += picture.knownDefects
    }

    /// Whether any problem of the page was reported.
    var hasDiagnostic: Bool {
        !defects.isEmpty || !diagnostics.isEmpty || representations.contains { $0.error != nil }
    }

    private mutating func note(_ result: Result<DecodedImage, AdapterError>) {
        if case .success(let image) = result { diagnostics += image.diagnostics }
    }

    /// - Throws: every error except an `AdapterError`.
    private static func result<Value>(_ read: () async throws -> Value) async throws -> Result<Value, AdapterError> {
        do {
            return .success(try await read())
        } catch let error as AdapterError {
            return .failure(error)
        }
    }
}

extension PageContents.Representation {
    /// The reason why the image cannot be read in this representation; nil when it can.
    var error: AdapterError? {
        switch self {
        case .encoded(_, _, _, _, .failure(let error)), .sampled(_, _, _, .failure(let error)),
            .drawn(_, .failure(let error)):
            error
        default: nil
        }
    }

    /// The size, and the edits that are not yet applied to the image.
    var sizeAndEdits: (size: PixelSize?, pending: [Edit]) {
        switch self {
        case .encoded(_, let size, let pending, _, _): (size, pending)
        case .sampled(_, let size, let pending, _): (size, pending)
        case .drawn(let size, _): (size, [])
        }
    }

    fileprivate var withoutDrawing: Self {
        if case .drawn(let size, _) = self { .drawn(size, drawn: nil) } else { self }
    }
}
