internal import AdapterKit
internal import Imaging
internal import PageModel

/// Places JPEGs next to each other in one file, with unchanged DCT coefficients.
struct JoinCoefficients: PageMethod {
    /// The JPEGs, each with the name of its page.
    let pictures: [(name: String, picture: EncodedPicture)]
    /// The pieces of `pictures`, in the same order.
    let pieces: [JPEGRow.Piece]
    let size: PixelSize
    let background: RGB
    /// The format: JPEG, or JPEG XL that holds a JPEG.
    let format: ImageEncoding
    /// Whether they lie side by side: such pages can be split again.
    let isRow: Bool

    var joinsPages: Bool { true }

    var memory: Int { MemoryEstimate.bytes(size, CoefficientMemory.of(format).joining) }

    func check(_ renderer: Renderer) throws(AdapterError) { try renderer.check(size) }

    func carryOut(
        _ plan: PagePlan, _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        var (files, defects) = ([[UInt8]](), [Message]())
        for (name, picture) in pictures {
            let file = try await picture.read()
            files.append(file.bytes)
            if let defect = file.defect { defects.append("\(page: name): \(defect)") }
        }
        guard let header = JPEGHeader(files[0]) else { throw PictureFault("the JPEG is damaged") }
        let background = background.levels(in: header)
        let covered = pieces.reduce(0) { $0 + $1.place.size.area }
        guard background != nil || covered == size.area else {
            throw PictureFault("the JPEG has no color for empty areas")
        }
        let result = try JPEGSurgery.compose(
            zip(files, pieces).map { file, piece in
                JPEGSurgery.Piece(
                    file: file, framing: piece.framing, x: piece.place.x, y: piece.place.y, size: piece.place.size)
            }, size: size, background: background)
        var file =
            isRow ? JPEGMetadata.marking(pages: pieces.map(\.page), mergedInto: size, in: result.file) : result.file
        if pictures.contains(where: { $0.picture.orientation != .upright }) {
            file = JPEGMetadata.resettingOrientation(of: file)
        }
        let bytes = format == .jpegXL ? try JXLEncoder.transcode(file) : file
        return PageResult(
            .encoded(EncodedPage(encoding: format, bytes: bytes, size: size)),
            defects: defects + (result.diagnostic.map { ["a JPEG is damaged (\($0))"] } ?? []))
    }

    func shown(of page: Page, _ picture: Picture) -> [ShownPage] {
        zip(picture.joinedParts, zip(pictures, pieces)).compactMap { part, piece -> ShownPage? in
            guard let shown = piece.0.picture.shown else { return nil }
            var map = PageMap(from: shown, to: piece.1.framing)
            map.place(at: piece.1.page, on: size)
            return ShownPage(page: part.page, map: map)
        }.inReadingOrder(of: page)
    }
}
