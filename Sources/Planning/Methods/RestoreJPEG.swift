internal import AdapterKit
internal import Imaging
internal import PageModel

/// Restores the JPEG that a JPEG XL was made from, for an output with these capabilities.
struct RestoreJPEG: PageMethod {
    let picture: EncodedPicture
    let capabilities: SinkCapabilities

    var coded: EncodedPicture? { picture }

    var memory: Int {
        let file = CoefficientMemory.of(picture.encoding).restoringByte * (picture.byteCount ?? 0)
        return MemoryEstimate.sum(
            file, picture.size.map { MemoryEstimate.bytes($0, CoefficientMemory.of(.jpeg).moving) } ?? 0)
    }

    /// Only the codestream determines the orientation of a JPEG XL. The metadata of its JPEG may state another orientation,
    /// and some outputs follow them.
    ///
    /// - Throws: `.unsupported` if a required rotation would be lossy.
    func carryOut(
        _ plan: PagePlan, _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        let file = try await picture.read()
        let jpeg = try JXLReconstruction.jpeg(of: file.bytes)
        guard let header = PictureHeader(jpeg), let size = header.size else {
            throw AdapterError(.damaged, "the JPEG in the JPEG XL does not state its size")
        }
        let framing = Framing(size, JXLReconstruction.orientation(of: file.bytes))
        if capabilities.shows(framing, own: header.orientation) {
            return PageResult(.encoded(EncodedPage(encoding: .jpeg, bytes: jpeg, framing: framing))).of(file)
        }
        guard let grid = header.grid, JPEGSurgery.lossless(framing, grid: grid) == framing else {
            throw AdapterError(.unsupported, "the JPEG in the JPEG XL cannot be rotated without loss")
        }
        let source = header.picture(byteCount: jpeg.count) { jpeg }
        var result = try MoveCoefficients(picture: source, framing: framing, format: .jpeg).moved(jpeg).of(file)
        result.plan = plan
        result.plan?.reason = plan.reason.with(.operation, PixelOperations.note(turning: framing.orientation))
        return result
    }

    func shown(of page: Page, _ picture: Picture) -> [ShownPage] {
        self.picture.shown.map {
            [ShownPage(page: page, map: PageMap(from: $0, to: Framing($0.source, $0.orientation)))]
        } ?? []
    }
}
