internal import AdapterKit
package import Imaging
package import PageModel

/// Crops and rotates a JPEG on its DCT coefficients, which another JPEG or a JPEG XL keeps.
package struct MoveCoefficients: PageMethod {
    let picture: EncodedPicture
    let framing: Framing
    let format: ImageEncoding

    package var coded: EncodedPicture? { picture }
    package var storedImage: (size: PixelSize, map: PageMap)? { (framing.source, PageMap(ofStored: framing)) }

    package var kept: KeptData {
        format == .jpegXL && framing == Framing(framing.source) && !picture.isRareJPEG
            && picture.orientation == .upright ? .packedJPEG(picture) : .none
    }

    package var memory: Int {
        let file = picture.byteCount ?? 0
        // Coded data is copied from file to file; otherwise both images have coefficients.
        let coefficients =
            framing.isUpright && format == .jpeg && !picture.isRareJPEG
            ? 0 : MemoryEstimate.moving(picture, framing.source, as: format)
        return MemoryEstimate.sum(file, file, file, max(coefficients, MemoryEstimate.patching(picture)))
    }

    package func check(_ renderer: Renderer) throws(AdapterError) { try renderer.check(framing.source) }

    package func carryOut(
        _ plan: PagePlan, _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        let file = try await picture.read()
        return try moved(file.bytes).of(file)
    }

    /// Returns the image in which the coefficients are kept. It does not need the orientation in its metadata.
    ///
    /// - Parameter bytes: the bytes of the JPEG.
    package func moved(_ bytes: [UInt8]) throws(PictureFault) -> PageResult {
        var result = JPEGSurgery.Result(file: bytes)
        let isChanged = framing != Framing(framing.source) || picture.isRareJPEG
        // A rare coding, which few programs read, becomes a common one.
        if isChanged { result = try JPEGSurgery.cut(bytes, to: framing) }
        if picture.orientation != .upright { result.file = JPEGMetadata.resettingOrientation(of: result.file) }
        let file = format == .jpegXL ? try JXLEncoder.transcode(result.file) : result.file
        var page = PageResult(
            .encoded(EncodedPage(encoding: format, bytes: file, size: framing.rect.size)),
            defects: result.diagnostic.map { ["the JPEG is damaged (\($0))"] } ?? [])
        if isChanged { page.dropped = JPEGTrailer.loss(of: bytes) }
        return page
    }

    package func shown(of page: Page, _ picture: Picture) -> [ShownPage] {
        self.picture.shown(on: page, in: framing)
    }
}
