internal import AdapterKit
internal import PageModel

/// A check of a transform's promises with a book of small pages.
struct TransformCheck {
    private let check: PluginCheck

    init(_ check: PluginCheck) {
        self.check = check
    }

    func run() async {
        guard let book = await check.attempt("when it is given a book", { try await changed() }) else { return }
        await check.attempt("when it reads the pages' text") {
            for page in book.pages { _ = try await page.recognition?.read?() }
        }
        if check.manifest.changesImages { await ImageCheck(check, changed).run() }
    }

    private func changed(_ limits: Limits = Limits()) async throws -> PageSequence {
        let settings = try check.settingsThatAsk()
        let pages = (1...6).map { number in
            var page = Page(id: number, name: "page \(number)", label: "\(number)") {
                Picture(
                    size: SyntheticPreviews.size,
                    representations: [.encoded(EncodedPicture(encoding: .png, size: SyntheticPreviews.size) { [] })])
            }
            let line = TextLine([TextWord("text", PageArea(left: 0.1, top: 0.1, right: 0.9, bottom: 0.2))])
            if number.isMultiple(of: 2) { page.text = { [line] } }
            if number.isMultiple(of: 4) { page.visibleText = page.text }
            return page
        }
        let (transform, book) = (
            ExternalTransform(check.plugin), PageSequence(book: BookMetadata(title: "A book"), pages: pages)
        )
        var request = TransformRequest(previews: SyntheticPreviews())
        request.limits = limits
        return try await transform.apply(to: book, settings, request)
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
