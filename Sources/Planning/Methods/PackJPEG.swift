internal import AdapterKit
internal import Imaging
internal import PageModel

/// Packs a JPEG unchanged in a JPEG XL that shows it in this framing, which is all of it.
struct PackJPEG: PageMethod {
    let picture: EncodedPicture
    let framing: Framing

    var kept: KeptData { .packedJPEG(picture) }
    var coded: EncodedPicture? { picture }

    var memory: Int {
        let file = picture.byteCount ?? 0
        let coefficients = MemoryEstimate.moving(picture, framing.source, as: .jpegXL)
        return MemoryEstimate.sum(file, file, file, max(coefficients, MemoryEstimate.patching(picture)))
    }

    func check(_ renderer: Renderer) throws(AdapterError) { try renderer.check(framing.source) }

    func carryOut(
        _ plan: PagePlan, _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        let file = try await picture.read()
        let bytes = try JXLEncoder.transcode(file.bytes)
        return PageResult(.encoded(EncodedPage(encoding: .jpegXL, bytes: bytes, size: framing.rect.size))).of(file)
    }

    func shown(of page: Page, _ picture: Picture) -> [ShownPage] {
        self.picture.shown(on: page, in: framing)
    }
}
