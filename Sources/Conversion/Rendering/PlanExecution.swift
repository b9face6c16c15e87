internal import AdapterKit
internal import Imaging
internal import PageModel

/// What came of carrying out a plan.
struct PageResult: Sendable {
    var content: FinishedPage.Content
    /// What is wrong with the page, one line each.
    var defects: [String]
    /// Of how many pictures in its file only the first is kept.
    var pictureCount = 1
    /// What it lost that only its data could tell; a half sentence.
    var loss: String?
    /// The digest of the pixels that are to be in the output, in uniform samples, where they are kept and somebody asks.
    var planned: PixelDigest?
    /// The plan as it turned out, where that is another: when parts of the page were made in another way.
    var plan: PagePlan?

    init(_ content: FinishedPage.Content, defects: [String] = [], loss: String? = nil) {
        self.content = content
        self.defects = defects
        self.loss = loss
    }
}

extension PagePlan {
    /// Does what the plan says.
    ///
    /// - Parameter part: carries out the first of some plans for a part of the page that can be carried out.
    /// - Throws: `AdapterError`: `.damaged` where the next plan may do better, `.unsupported` when the result cannot become
    ///   smaller, and is to be, or would lack some of the pictures in the file, and must not.
    func carryOut(
        _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        try check(renderer)
        if !rivals.isEmpty, try await cannotShrink() {
            throw AdapterError(.unsupported, "it would lose, and gain nothing")
        }
        let result = try await made(renderer, part)
        guard let rival = rivals.first, let size = result.content.byteCount else { return result }
        do {
            var other = try await rival.carryOut(renderer, part: part)
            guard let least = other.content.byteCount, least <= size else { return result }
            other.plan = other.plan ?? rival
            return other
        } catch _ as AdapterError {
            return result
        }
    }

    /// Whether all it is made of are JPEGs as coarse as is asked for: then encoding them anew would only lose.
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

    /// Does what the plan says, whatever its rival would come to.
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
                return try PagePlan.operate(picture, try await picture.read(), framing, format)
            case .pack(let picture, let framing):
                let bytes = try JXLEncoder.transcode(try await picture.read())
                return PageResult(.encoded(EncodedPage(encoding: .jpegXL, bytes: bytes, size: framing.rect.size)))
            case .restore(let picture, let capabilities):
                return try await restored(picture, in: capabilities)
            case .render(let representation, let operations, let parameters):
                var result = try await PagePlan.render(representation, operations, parameters, renderer)
                if case .encoded(let made) = result.content, made.encoding == .png, encoding == .jpeg {
                    result.plan = storedAsPNG(representation, operations)
                }
                return result
            case .join(let row):
                return try await row.joined()
            case .compose(let composition, let operations, let parameters):
                var whole = try await composition.composed(renderer)
                if !(parameters?.isLossless ?? true) || !operations.keepsPixels {
                    whole.image.raster = try whole.image.raster.withoutProfile()
                }
                whole.image.raster = try operations.apply(to: whole.image.raster)
                var result = try PagePlan.finished(whole, parameters, renderer)
                result.defects = whole.image.diagnostics
                return result
            }
        } catch let fault as PictureFault {
            throw AdapterError(rendering: fault)
        }
    }

    /// - Throws: `.tooLarge` when more pixels have to be in memory than are allowed, or work on them takes more memory.
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

    /// The plan as it turned out where a PNG of the pixels was smaller than the JPEG that was planned.
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
            // The plan as it turned out tells where the part's text is.
            spread.parts[index].plans = [plan]
            parts.append(FinishedPage.Spread.Part(result.content, at: part.place, resolution: part.resolution))
        }
        var result = PageResult(
            .spread(
                FinishedPage.Spread(
                    parts, size: spread.size, background: spread.background, resolution: spread.resolution)))
        result.plan = PagePlan(spread, plans)
        return result
    }

    /// - Parameter picture: the JPEG; the result does not need the orientation that its own metadata ask for.
    static func operate(
        _ picture: EncodedPicture, _ bytes: [UInt8], _ framing: Framing, _ format: ImageEncoding
    ) throws(PictureFault) -> PageResult {
        var result = JPEGSurgery.Result(file: bytes)
        // One that is coded as few programs read it is coded as all do.
        if framing != Framing(framing.source) || picture.isRareJPEG { result = try JPEGSurgery.cut(bytes, to: framing) }
        if picture.orientation != .upright { result.file = JPEGMetadata.resettingOrientation(of: result.file) }
        let file = format == .jpegXL ? try JXLEncoder.transcode(result.file) : result.file
        return PageResult(
            .encoded(EncodedPage(encoding: format, bytes: file, size: framing.rect.size)),
            defects: result.diagnostic.map { ["the JPEG is damaged (\($0))"] } ?? [])
    }

    private static func render(
        _ representation: Picture.Representation, _ operations: PixelOperations, _ parameters: EncodingParameters?,
        _ renderer: Renderer
    ) async throws -> PageResult {
        if let parameters, parameters.keepsInks, case .encoded(let tiff) = representation {
            return try await reframe(tiff, operations, mustBeSole: parameters.mustKeepAll, renderer)
        }
        // Samples that do not stay as they are are made for the one colour space that all programs know.
        let rendered = try await renderer.render(
            representation, operations, keepsProfile: parameters?.isLossless ?? true,
            mustBeSole: parameters?.mustKeepAll ?? false)
        var result = try finished(rendered, parameters, renderer)
        if case .encoded(let picture) = representation {
            result.defects = rendered.image.diagnostics.map { "the \(picture.encoding.name) is damaged (\($0))" }
            result.pictureCount = rendered.pictureCount
        } else {
            // One fault causes others after it: the first says most.
            result.defects = rendered.image.diagnostics.prefix(1).map { "something may be missing from it (\($0))" }
        }
        return result
    }

    /// A TIFF of CMYK, turned and cropped.
    private static func reframe(
        _ tiff: EncodedPicture, _ operations: PixelOperations, mustBeSole: Bool, _ renderer: Renderer
    ) async throws -> PageResult {
        let file = try await tiff.read()
        let count = PictureCount.pictures(in: file)
        if mustBeSole && count > 1 { throw AdapterError(.unsupported, "it holds \(count) pictures") }
        let inks = try InkPicture(tiff: file, mostPixels: renderer.limits.pixels)
        guard inks.size == operations.framing.source else { throw PictureFault("its size is not what it said") }
        let framed = inks.framed(operations.framing)
        var result = PageResult(
            .encoded(EncodedPage(encoding: .tiff, bytes: try framed.tiff(), size: framed.size)),
            defects: inks.diagnostics.map { "the TIFF is damaged (\($0))" })
        result.pictureCount = count
        return result
    }

    /// The pixels as the sink takes them: encoded, or as they are when there are no parameters.
    private static func finished(
        _ rendered: Renderer.Rendered, _ parameters: EncodingParameters?, _ renderer: Renderer
    ) throws(PictureFault) -> PageResult {
        let raster = rendered.image.raster
        let isCompared = renderer.digester?.recorder.wish.areCompared ?? false
        guard let parameters else {
            var result = PageResult(.raster(RasterPage(raster, source: rendered.file)), loss: rendered.image.loss)
            if isCompared { result.planned = PixelDigest(raster, isUniform: true) }
            return result
        }
        var format = parameters.format
        var bytes = try PictureEncoder.encode(raster, as: format, parameters.fidelity(rendered.file))
        if parameters.mayBePNG {
            let exact = try PictureEncoder.encode(raster, as: .png, .lossless)
            if exact.count <= bytes.count { (format, bytes) = (.png, exact) }
        }
        let losses = [rendered.image.loss, PictureEncoder.loss(of: raster.format, in: format)].compactMap { $0 }
        let loss = losses.isEmpty ? nil : losses.joined(separator: ", ")
        var result = PageResult(
            .encoded(EncodedPage(encoding: format, bytes: bytes, size: raster.size)), loss: loss)
        if isCompared, parameters.isLossless, loss == nil { result.planned = PixelDigest(raster, isUniform: true) }
        return result
    }
}
