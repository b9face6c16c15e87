internal import AdapterKit
internal import Imaging
internal import PageModel

/// Decodes, decompresses or renders an image, changes its pixels, and encodes them. Without parameters, the sink receives
/// the pixels as they are.
struct ChangePixels: PageMethod {
    let representation: Picture.Representation
    let changes: PixelOperations
    let parameters: EncodingParameters?
    /// Whether the observer of the page needs all pixels, so that no decoder may scale them.
    private let needsPixels: Bool

    init(
        _ representation: Picture.Representation, _ changes: PixelOperations, _ parameters: EncodingParameters?,
        needsPixels: Bool = false
    ) {
        (self.representation, self.changes, self.parameters) = (representation, changes, parameters)
        self.needsPixels = needsPixels
    }

    var pixelSources: [PixelSource] { [PixelSource(representations: [(representation, changes)])] }

    var storedImage: (size: PixelSize, map: PageMap)? {
        let source = changes.framing.source
        return (source, PageMap(from: Framing(source), changes))
    }

    var memory: Int { MemoryEstimate.changing(representation, changes, parameters, needsPixels: needsPixels) }

    func check(_ renderer: Renderer) throws(AdapterError) {
        try renderer.check(changes.framing.source, isDrawn: representation.isDrawn)
    }

    func carryOut(
        _ plan: PagePlan, _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        if let parameters, parameters.keepsInks, case .encoded(let tiff) = representation {
            return try await reframed(tiff, requiresSingleImage: parameters.requiresEveryFrame, renderer)
        }
        // Changed samples are converted to sRGB, the only color space that all programs support.
        var rendered = try await renderer.render(
            representation, changes, keepsProfile: parameters?.isLossless ?? true,
            requiresSingleImage: parameters?.requiresEveryFrame ?? false)
        let fewLevels = reduceLevels(of: &rendered)
        var (result, fewColors) = try PageResult.storing(rendered, parameters, renderer)
        if case .encoded(let picture) = representation {
            result.defects = rendered.image.diagnostics.map { "the \(picture.encoding.name) is damaged (\($0))" }
            result.pictureCount = rendered.pictureCount
            if picture.encoding == .jpeg, let file = rendered.file {
                result.dropped = JPEGTrailer.loss(of: file.bytes, omitted: rendered.omitted)
            }
        } else {
            // The first fault is the most informative and may cause the others.
            result.defects = rendered.image.diagnostics.prefix(1).map { "something may be missing from it (\($0))" }
        }
        result.defects = [rendered.file?.defect].compactMap(\.self) + result.defects
        result.patchResult = rendered.file?.patchResult ?? rendered.image.patchResult
        if case .encoded(let made) = result.content, made.encoding == .png, plan.encoding == .jpeg {
            result.plan = storedAsPNG(plan)
        }
        if let note = fewColors ?? fewLevels {
            var actual = result.plan ?? plan
            actual.reason = actual.reason.with(.addition, note)
            result.plan = actual
        }
        return result
    }

    func shown(of page: Page, _ picture: Picture) -> [ShownPage] {
        representation.shown.map { [ShownPage(page: page, map: PageMap(from: $0, changes))] } ?? []
    }

    /// Reduces a page that was black and white to sixteen levels of gray, and returns a note on it; nil for other pages.
    ///
    /// Scaled or turned, a fax would have several times its bytes: all of its edges become gray.
    private func reduceLevels(of rendered: inout Renderer.Rendered) -> Note? {
        // A rendered page has grays of its own, so it counts only if they are not changed.
        var isBlackAndWhite = rendered.isBlackAndWhite
        if case .drawn(let picture) = representation, case .bilevel? = picture.likeness {
            isBlackAndWhite = changes.keepsPixels
        }
        guard isBlackAndWhite, parameters?.isLossless ?? true,
            let raster = rendered.image.raster.roundedToSixteenLevels()
        else { return nil }
        rendered.image.raster = raster
        return Note(.sixteenLevels)
    }

    /// Returns the plan for a page that is stored as PNG, because that was smaller than the planned JPEG.
    private func storedAsPNG(_ plan: PagePlan) -> PagePlan {
        let parameters = EncodingParameters(EncodingRequest(format: .png), own: nil, isLossy: false, formats: nil)
        return PagePlan(
            plan.treatment, plan.reason.without(.addition), encoding: .png, size: plan.size, crop: plan.crop,
            ChangePixels(representation, changes, parameters, needsPixels: needsPixels))
    }

    /// Returns a rotated and cropped CMYK TIFF.
    private func reframed(
        _ tiff: EncodedPicture, requiresSingleImage: Bool, _ renderer: Renderer
    ) async throws -> PageResult {
        let file = try await tiff.read()
        let count = PictureCount.pictures(in: file.bytes)
        if requiresSingleImage && count > 1 { throw AdapterError(.unsupported, "it holds \(count) images") }
        let inks = try InkPicture(tiff: file.bytes, maximumPixels: renderer.limits.pixels)
        guard inks.size == changes.framing.source else { throw PictureFault("its size differs from its header") }
        let framed = inks.framed(changes.framing)
        var result = PageResult(
            .encoded(EncodedPage(encoding: .tiff, bytes: try framed.tiff(), size: framed.size)),
            defects: inks.diagnostics.map { "the TIFF is damaged (\($0))" })
        result.pictureCount = count
        return result.of(file)
    }
}
