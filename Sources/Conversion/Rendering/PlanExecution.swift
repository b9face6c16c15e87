internal import AdapterKit
internal import Imaging
internal import PageModel

/// The result of carrying out a plan.
struct PageResult: Sendable {
    var content: FinishedPage.Content
    /// The defects of the page, one line each.
    var defects: [Message]
    /// The number of images in the page's file; only the first is kept.
    var pictureCount = 1
    /// A remark on data of the page's file that the changed image lacks.
    var dropped: Message?
    /// A loss that only the image data revealed, as a sentence fragment.
    var loss: Message?
    /// The digest of the pixels that the output should contain, in uniform samples. It is nil if it was not requested or the
    /// pixels are not kept.
    var planned: PixelDigest?
    /// The note on pixels that were stored in fewer bits than they were rendered with; nil for others.
    var fewBits: Note?
    /// The plan that was carried out, if parts of the page were treated differently than planned.
    var plan: PagePlan?

    init(_ content: FinishedPage.Content, defects: [Message] = [], loss: Message? = nil) {
        self.content = content
        self.defects = defects
        self.loss = loss
    }
}

extension PagePlan {
    /// Carries out the plan.
    ///
    /// - Parameter part: carries out the first feasible plan for a part of the page.
    /// - Throws: `AdapterError`. The code is `.damaged` if the next plan may do better. It is `.unsupported` if the result cannot
    ///   become smaller as required, or would lack images of a file that must stay complete.
    func carryOut(
        _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        try check(renderer)
        if !rivals.isEmpty, try await cannotShrink() {
            throw AdapterError(.unsupported, "it would lose quality without becoming smaller")
        }
        let result = try await made(renderer, part)
        guard let rival = rivals.first, let size = result.content.byteCount else { return result }
        do {
            var other = try await rival.carryOut(renderer, part: part)
            guard let otherSize = other.content.byteCount, otherSize <= size else { return result }
            other.plan = other.plan ?? rival
            return other
        } catch _ as AdapterError {
            return result
        }
    }

    /// Returns whether all its sources are JPEGs at least as coarse as requested. Re-encoding them would only lose quality.
    private func cannotShrink() async throws -> Bool {
        let (representations, parameters): ([Picture.Representation], EncodingParameters?) =
            switch step {
            case .render(let representation, _, let parameters): ([representation], parameters)
            case .compose(let composition, _, let parameters):
                (composition.parts.compactMap { $0.representations.first?.representation }, parameters)
            default: ([], nil)
            }
        guard let parameters, parameters.format == .jpeg else { return false }
        for representation in representations {
            guard case .encoded(let jpeg) = representation, parameters.isReached(by: try await jpeg.read()) else {
                return false
            }
        }
        return true
    }

    /// Carries out the plan without regard to its rival.
    private func made(
        _ renderer: Renderer, _ part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        do {
            switch step {
            case .copy(let picture, let framing):
                let bytes = try await picture.read()
                let defect = PictureCheck.defect(in: bytes, picture.encoding)
                return PageResult(
                    .encoded(EncodedPage(encoding: picture.encoding, bytes: bytes, framing: framing)),
                    defects: defect.map { [$0] } ?? [])
            case .copyDocument(let page, let framing):
                return PageResult(.document(page, framing))
            case .layTogether(let spread):
                return try await PagePlan.layTogether(spread, part)
            case .operate(let picture, let framing, let format):
                return try await renderer.image(of: self) {
                    try PagePlan.operate(picture, try await picture.read(), framing, format)
                }
            case .pack(let picture, let framing):
                return try await renderer.image(of: self) {
                    let bytes = try JXLEncoder.transcode(try await picture.read())
                    return PageResult(.encoded(EncodedPage(encoding: .jpegXL, bytes: bytes, size: framing.rect.size)))
                }
            case .restore(let picture, let capabilities):
                return try await restored(picture, in: capabilities)
            case .render(let representation, let operations, let parameters):
                var result = try await renderer.image(of: self) {
                    try await PagePlan.render(representation, operations, parameters, renderer)
                }
                if case .encoded(let made) = result.content, made.encoding == .png, encoding == .jpeg {
                    result.plan = storedAsPNG(representation, operations)
                }
                if let note = result.fewBits {
                    var plan = result.plan ?? self
                    plan.reason = plan.reason.with(.addition, note)
                    result.plan = plan
                }
                return result
            case .join(let row):
                return try await renderer.image(of: self) { try await row.joined() }
            case .compose(let composition, let operations, let parameters):
                return try await renderer.image(of: self) {
                    try await PagePlan.compose(composition, operations, parameters, renderer)
                }
            }
        } catch let fault as PictureFault {
            throw AdapterError(rendering: fault)
        }
    }

    /// - Throws: `.tooLarge` if the pixels or the memory for the work exceed the limits.
    func check(_ renderer: Renderer) throws(AdapterError) {
        switch step {
        case .copy, .copyDocument, .restore: break
        case .layTogether(let spread): for part in spread.parts { try part.plans.first?.check(renderer) }
        case .operate(_, let framing, _), .pack(_, let framing): try renderer.check(framing.source)
        case .render(let representation, let operations, _):
            try renderer.check(operations.framing.source, isDrawn: representation.isDrawn)
        case .join(let row): try renderer.check(row.size)
        case .compose(let composition, _, _):
            let isDrawn = composition.parts.contains { $0.representations.first?.representation.isDrawn ?? false }
            try renderer.check(composition.size, isDrawn: isDrawn)
        }
        try renderer.check(memory: memory)
    }

    /// Returns the plan for a page that is stored as PNG, because that was smaller than the planned JPEG.
    private func storedAsPNG(_ representation: Picture.Representation, _ operations: PixelOperations) -> PagePlan {
        let parameters = EncodingParameters(
            EncodingRequest(format: .png), own: nil, isLossy: false, formats: nil)
        return PagePlan(
            treatment, reason.without(.addition), encoding: .png, size: size, crop: crop,
            .render(representation, operations, parameters))
    }

    private static func layTogether(
        _ spread: SpreadPlan, _ carryOut: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        var (plans, parts): ([PagePlan], [FinishedPage.Spread.Part]) = ([], [])
        var spread = spread
        for (index, part) in spread.parts.enumerated() {
            let (plan, result) = try await carryOut(part.plans, part.page)
            plans.append(plan)
            // The actual plan determines the position of the part's text.
            spread.parts[index].plans = [plan]
            parts.append(FinishedPage.Spread.Part(result.content, at: part.place, resolution: part.resolution))
        }
        var result = PageResult(
            .spread(
                FinishedPage.Spread(
                    parts, size: spread.size, background: await spread.background.changed(by: spread.edits),
                    resolution: spread.resolution)))
        result.plan = PagePlan(spread, plans)
        return result
    }

    /// - Parameter picture: the JPEG. The result does not need the orientation in its metadata.
    static func operate(
        _ picture: EncodedPicture, _ bytes: [UInt8], _ framing: Framing, _ format: ImageEncoding
    ) throws(PictureFault) -> PageResult {
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

    private static func render(
        _ representation: Picture.Representation, _ operations: PixelOperations, _ parameters: EncodingParameters?,
        _ renderer: Renderer
    ) async throws -> PageResult {
        if let parameters, parameters.keepsInks, case .encoded(let tiff) = representation {
            return try await reframe(tiff, operations, requiresSingleImage: parameters.mustKeepAll, renderer)
        }
        // Changed samples are converted to sRGB, the only color space that all programs support.
        var rendered = try await renderer.render(
            representation, operations, keepsProfile: parameters?.isLossless ?? true,
            requiresSingleImage: parameters?.mustKeepAll ?? false)
        var fewLevels: Note?
        if case .drawn(let picture) = representation, case .bilevel? = picture.likeness, operations.keepsPixels,
            parameters?.isLossless ?? true, let raster = rendered.image.raster.roundedToSixteenLevels()
        {
            (rendered.image.raster, fewLevels) = (raster, Note(.sixteenLevels))
        }
        var result = try finished(rendered, parameters, renderer)
        result.fewBits = result.fewBits ?? fewLevels
        if case .encoded(let picture) = representation {
            result.defects = rendered.image.diagnostics.map { "the \(picture.encoding.name) is damaged (\($0))" }
            result.pictureCount = rendered.pictureCount
            if picture.encoding == .jpeg { result.dropped = rendered.file.flatMap(JPEGTrailer.loss) }
        } else {
            // The first fault is the most informative and may cause the others.
            result.defects = rendered.image.diagnostics.prefix(1).map { "something may be missing from it (\($0))" }
        }
        return result
    }

    private static func compose(
        _ composition: PageComposition, _ operations: PixelOperations, _ parameters: EncodingParameters?,
        _ renderer: Renderer
    ) async throws -> PageResult {
        var whole = try await composition.composed(renderer)
        if !(parameters?.isLossless ?? true) || !operations.keepsPixels {
            whole.image.raster = try whole.image.raster.withoutProfile()
        }
        whole.image.raster = try await operations.apply(to: whole.image.raster)
        var result = try finished(whole, parameters, renderer)
        result.defects = whole.image.diagnostics
        return result
    }

    /// Returns a rotated and cropped CMYK TIFF.
    private static func reframe(
        _ tiff: EncodedPicture, _ operations: PixelOperations, requiresSingleImage: Bool, _ renderer: Renderer
    ) async throws -> PageResult {
        let file = try await tiff.read()
        let count = PictureCount.pictures(in: file)
        if requiresSingleImage && count > 1 { throw AdapterError(.unsupported, "it holds \(count) images") }
        let inks = try InkPicture(tiff: file, maximumPixels: renderer.limits.pixels)
        guard inks.size == operations.framing.source else { throw PictureFault("its size differs from its header") }
        let framed = inks.framed(operations.framing)
        var result = PageResult(
            .encoded(EncodedPage(encoding: .tiff, bytes: try framed.tiff(), size: framed.size)),
            defects: inks.diagnostics.map { "the TIFF is damaged (\($0))" })
        result.pictureCount = count
        return result
    }

    /// Returns the pixels for the sink: encoded, or unchanged without parameters.
    private static func finished(
        _ rendered: Renderer.Rendered, _ parameters: EncodingParameters?, _ renderer: Renderer
    ) throws(PictureFault) -> PageResult {
        let raster = rendered.image.raster
        let isCompared = renderer.digester?.recorder.digestRequest.areCompared ?? false
        guard let parameters else {
            var result = PageResult(.raster(RasterPage(raster, source: rendered.file)), loss: rendered.image.loss)
            if isCompared { result.planned = PixelDigest(raster, isUniform: true) }
            return result
        }
        var format = parameters.format
        var bytes = try PictureEncoder.encode(raster, as: format, parameters.fidelity(rendered.file))
        var fewColors: Note?
        if parameters.mayBePNG {
            let few = raster.withFewColors()
            let png = try PictureEncoder.encode(few?.raster ?? raster, as: .png, .lossless)
            if png.count <= bytes.count {
                (format, bytes) = (.png, png)
                fewColors = few.map { $0.change == 0 ? Note(.fewColors) : Note(.fewColors, "moved", $0.change) }
            }
        }
        let losses = [rendered.image.loss, PictureEncoder.loss(of: raster, in: format)].compactMap { $0 }
        let loss = losses.isEmpty ? nil : losses.joined(separator: ", ")
        var result = PageResult(
            .encoded(EncodedPage(encoding: format, bytes: bytes, size: raster.size)), loss: loss)
        result.fewBits = fewColors
        if isCompared, parameters.isLossless, loss == nil { result.planned = PixelDigest(raster, isUniform: true) }
        return result
    }
}
