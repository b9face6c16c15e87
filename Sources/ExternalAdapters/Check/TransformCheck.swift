internal import AdapterKit
internal import PageModel

/// A check of a transform's promises with a book of small pages.
struct TransformCheck {
    private let check: PluginCheck

    init(_ check: PluginCheck) {
        self.check = check
    }

    func run() {
        let first = apply()
        guard let first else { return }
        check.expect(apply() == first, "the same pages give another order, or other changes")
        check.attempt("when it reads the pages' text") {
            let changed = try changed()
            for page in changed.pages { _ = try waiting { try await page.recognizeText?() } }
        }
    }

    /// Returns the resulting pages, as far as they can be compared.
    private func apply() -> [String]? {
        check.attempt("when it is given a book") {
            try changed().pages.map { "\($0.id) \($0.label ?? "") \($0.side.rawValue) \($0.edits)" }
        }
    }

    private func changed() throws -> PageSequence {
        let settings = try check.settingsThatAsk()
        let pages = (1...6).map { number in
            Page(id: number, name: "page \(number)", label: "\(number)") {
                Picture(
                    size: SyntheticPreviews.size,
                    representations: [.encoded(EncodedPicture(encoding: .png, size: SyntheticPreviews.size) { [] })])
            }
        }
        let (transform, book) = (
            ExternalTransform(check.plugin), PageSequence(book: BookMetadata(title: "A book"), pages: pages)
        )
        return try waiting {
            try await transform.apply(to: book, settings, TransformRequest(previews: SyntheticPreviews()))
        }
    }
}

/// A provider of synthetic pages: a page's number in bars, every third page blank.
private struct SyntheticPreviews: PreviewProvider {
    static let size = PixelSize(width: 600, height: 800)

    func preview(of page: Page, pixels: Int, as shade: Shade) -> PagePreview {
        let (width, height) = (SyntheticPreviews.size.width, SyntheticPreviews.size.height)
        var samples = [UInt8](repeating: 255, count: width * height)
        if !page.id.isMultiple(of: 3) {
            for bar in 0..<page.id + 2 {
                for y in 100..<300 { for x in 0..<20 { samples[y * width + 60 + bar * 50 + x] = 0 } }
            }
        }
        return PagePreview(
            raster: Raster(size: SyntheticPreviews.size, format: .gray(bits: 8), samples: samples),
            size: SyntheticPreviews.size)
    }
}
