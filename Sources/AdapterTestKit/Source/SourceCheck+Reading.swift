internal import AdapterKit
internal import PageModel

extension SourceCheck {
    /// Every page can be had, and gives the same whenever and however often it is read.
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
            findings.expect(again == contents, "\(page.name) read twice gives two different pictures")
            first.append(contents)
        }
        await readingAllAtOnce(pages, expected: first)
    }

    /// The run reads several pages at a time, in any order.
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
                together[index]?.representations.map(\.withoutDrawing)
                    == expected[index].representations.map(\.withoutDrawing),
                "\(page.name) is another one when all pages are read at once")
        }
    }

    private func soundness(of contents: PageContents, _ page: Page) {
        findings.expect(!contents.representations.isEmpty, "\(page.name) has no way to be had")
        findings.expect(
            contents.representations.contains { $0.error == nil },
            "\(page.name) cannot be had: \(contents.representations.compactMap(\.error).map(\.told))")
        for representation in contents.representations {
            let (size, pending) = representation.sizeAndEdits
            if let size {
                findings.expect(size.width > 0 && size.height > 0, "\(page.name) claims a size of \(size)")
                findings.expect(
                    size.holds(pending), "\(page.name) of \(size) is to be cropped outside of it: \(pending)")
            }
            switch representation {
            case .encoded(_, _, _, _, .success(let bytes)):
                findings.expect(!bytes.isEmpty, "\(page.name) has no bytes")
            case .sampled(_, let size, _, .success(let raster)):
                findings.expect(raster.size == size, "\(page.name) is said to be \(size), and has \(raster.size)")
            case .drawn(let size, .success(let drawn)):
                findings.expect(drawn == size, "\(page.name) is drawn \(drawn) large instead of \(size)")
            default: break
            }
        }
    }
}

extension PageContents.Representation {
    fileprivate var withoutDrawing: Self {
        if case .drawn(let size, _) = self { .drawn(size, drawn: nil) } else { self }
    }
}

extension PixelSize {
    /// Whether every cut among `edits` lies within what the edits before it left.
    fileprivate func holds(_ edits: [Edit]) -> Bool {
        Framing(self, edits: edits) != nil
    }
}
