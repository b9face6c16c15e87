internal import AdapterKit
internal import Imaging
internal import PageModel

/// Copies the bytes of an image file. The output shows it in a framing, if that is not nil.
struct CopyFile: PageMethod {
    let picture: EncodedPicture
    let framing: Framing?

    var kept: KeptData { .file(picture) }
    var coded: EncodedPicture? { picture }
    var storedImage: (size: PixelSize, map: PageMap)? { framing.map { ($0.source, PageMap(ofStored: $0)) } }

    var memory: Int {
        let file = picture.byteCount ?? 0
        // Pixels are unpacked, up to a size, to find damage.
        let isLookedAt = PictureCheck.unpacksPixels(of: picture.encoding)
        let looking = isLookedAt ? min(128 << 20, MemoryEstimate.decoding(.encoded(picture)).pixels) : 0
        return MemoryEstimate.sum(file, isLookedAt ? file : 0, looking, MemoryEstimate.patching(picture))
    }

    func carryOut(
        _ plan: PagePlan, _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        let file = try await picture.read()
        let defect = PictureCheck.defect(in: file.bytes, picture.encoding)
        return PageResult(
            .encoded(EncodedPage(encoding: picture.encoding, bytes: file.bytes, framing: framing)),
            defects: [defect].compactMap(\.self)
        ).of(file)
    }

    func shown(of page: Page, _ picture: Picture) -> [ShownPage] {
        // A file that does not state its size is never cropped: its text stays in its place.
        let map = self.picture.shown.map { PageMap(from: $0, to: framing ?? $0) }
        return [ShownPage(page: page, map: map ?? PageMap(PixelSize(width: 1, height: 1)))]
    }
}
