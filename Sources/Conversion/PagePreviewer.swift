internal import AdapterKit
internal import Imaging
internal import PageModel

/// Sees pages small, for transforms.
struct PagePreviewer: PreviewProvider {
    let limits: Limits

    /// The least lossy way that can be seen is looked at: it is the one the plan will try first.
    func preview(of page: Page, pixels: Int, as shade: Shade) async throws -> PagePreview {
        var reason = AdapterError(.unsupported, "the page cannot be looked at", page: page.name)
        let picture = try await page.examine()
        for representation in picture.representations {
            try Task.checkCancellation()
            do {
                var preview =
                    switch representation {
                    case .encoded(let picture): try await preview(at: picture, page, pixels, shade)
                    case .sampled(let picture): try await preview(at: picture, page, pixels, shade)
                    case .drawn(let picture): try await preview(at: picture, page, pixels, shade)
                    case .joined:
                        throw AdapterError(.unsupported, "joined pages were looked at before", page: page.name)
                    }
                preview.resolution = PagePreviewer.resolution(of: picture, page) ?? preview.resolution
                return preview
            } catch let error as CancellationError {
                throw error
            } catch let error as AdapterError {
                reason = error
            } catch let fault as PictureFault {
                reason = AdapterError(fault, page: page.name)
            } catch {
                reason = AdapterError(.damaged, "\(error)", page: page.name)
            }
        }
        throw reason
    }

    private func preview(
        at picture: EncodedPicture, _ page: Page, _ pixels: Int, _ shade: Shade
    ) async throws -> PagePreview {
        guard let size = picture.size else {
            throw AdapterError(.unsupported, "it does not tell its size before it is decoded")
        }
        try check(size)
        let factor = PagePreviewer.factor(size, pixels)
        let bytes = try await picture.read()
        var small: Raster
        var damage: String?
        if picture.encoding == .jpeg {
            let reader = try JPEGReader(bytes, scale: factor, asGray: shade == .brightness)
            small = Raster(
                size: reader.size, format: reader.format, samples: try reader.read(rows: reader.size.height),
                resolution: JPEGHeader(bytes)?.resolution)
            damage = reader.diagnostic
            if small.format != .gray(bits: 8) { small = small.reducedToGray(by: 1, shade) }
        } else {
            let drawing = try PictureDecoder.decode(bytes, picture.encoding, mostPixels: limits.pixels)
            let raster = drawing.raster
            damage = drawing.diagnostics.first
            guard raster.size == size else { throw PictureFault("its size is not what it said") }
            small = raster.reducedToGray(by: factor, shade)
            small.resolution = raster.resolution
        }
        var preview = try PagePreviewer.framed(
            small, of: size, by: factor, picture.orientation, picture.pending + page.edits,
            grid: picture.encoding == .jpeg ? picture.grid : nil)
        preview.damage = damage.map { "the \(picture.encoding.name) is damaged (\($0))" }
        return preview
    }

    private func preview(
        at picture: SampledPicture, _ page: Page, _ pixels: Int, _ shade: Shade
    ) async throws -> PagePreview {
        try check(picture.size)
        let factor = PagePreviewer.factor(picture.size, pixels)
        let drawing = try await picture.read()
        let raster = drawing.raster
        guard raster.size == picture.size else { throw PictureFault("its size is not what it said") }
        var small = raster.reducedToGray(by: factor, shade)
        small.resolution = raster.resolution
        var preview = try PagePreviewer.framed(
            small, of: picture.size, by: factor, .upright, picture.pending + page.edits)
        preview.damage = drawing.diagnostics.first.map { "something may be missing from it (\($0))" }
        return preview
    }

    private func preview(
        at picture: DrawnPicture, _ page: Page, _ pixels: Int, _ shade: Shade
    ) async throws -> PagePreview {
        let size = picture.size
        let factor = PagePreviewer.factor(size, pixels)
        var small: Raster
        if let drawAt = picture.drawAt {
            small = try await drawAt(picture.resolution / Double(factor)).raster.reducedToGray(by: 1, shade)
        } else {
            try check(size)
            small = try await picture.draw().raster.reducedToGray(by: factor, shade)
        }
        small.resolution = Resolution(picture.resolution)
        return try PagePreviewer.framed(small, of: size, by: factor, .upright, page.edits)
    }

    /// The resolution that the paper gives a picture, which overrules what the picture says of itself.
    private static func resolution(of picture: Picture, _ page: Page) -> Resolution? {
        guard let size = picture.size, let paper = picture.paper, paper.cropBox.count == 4 else { return nil }
        let (width, height) = (paper.cropBox[2] - paper.cropBox[0], paper.cropBox[3] - paper.cropBox[1])
        guard width > 0, height > 0, paper.userUnit > 0 else { return nil }
        let isTurned = !(paper.rotation / 90).isMultiple(of: 2)
        let inches = (isTurned ? height : width, isTurned ? width : height)
        let resolution = Resolution(
            horizontal: Double(size.width) * 72 / (inches.0 * paper.userUnit),
            vertical: Double(size.height) * 72 / (inches.1 * paper.userUnit))
        let quarters = page.edits.reduce(0) { if case .turn(let quarters) = $1 { $0 + quarters } else { $0 } }
        return resolution.turned(quarters: quarters)
    }

    /// The greatest reduction a JPEG decoder knows that leaves so many pixels to the shorter side.
    private static func factor(_ size: PixelSize, _ pixels: Int) -> Int {
        [8, 4, 2].first { min(size.width, size.height) >= pixels * $0 } ?? 1
    }

    /// - Parameters:
    ///   - small: its resolution is that of the picture in full.
    ///   - grid: the pixels of a JPEG's MCU, as the picture is stored.
    private static func framed(
        _ small: Raster, of size: PixelSize, by factor: Int, _ orientation: Orientation, _ edits: [Edit],
        grid: PixelSize? = nil
    ) throws -> PagePreview {
        let moves = Array(edits.prefix(while: \.keepsPixels))
        guard let framing = Framing(size, orientation, edits: moves) else {
            throw AdapterError(.usage, "nothing would be left of its \(size) pixels")
        }
        // Decoders give whole reduced pixels; a drawing comes as near as it can.
        let isExact = small.size.width == (size.width + factor - 1) / factor
        let stored = (
            across: isExact ? Double(factor) : Double(size.width) / Double(small.size.width),
            down: isExact ? Double(factor) : Double(size.height) / Double(small.size.height)
        )
        let turned = framing.orientation
        let scale = turned.isTransposed ? (across: stored.down, down: stored.across) : stored
        let laid = turned.applied(to: small.size)
        // A reduced pixel that reaches over the far edge comes first in a picture that is mirrored.
        var start = (x: 0.0, y: 0.0)
        if turned.isMirroredAcross { start.x = Double(framing.full.width) - Double(laid.width) * scale.across }
        if turned.isMirroredDown { start.y = Double(framing.full.height) - Double(laid.height) * scale.down }
        let rect = framing.rect
        let (x, width) = PagePreview.span(rect.x, rect.width, start.x, scale.across, laid.width)
        let (y, height) = PagePreview.span(rect.y, rect.height, start.y, scale.down, laid.height)
        let resolution = turned.isTransposed ? small.resolution?.turned(quarters: 1) : small.resolution
        var preview = PagePreview(
            raster: small.framed(
                Framing(small.size, turned).keeping(PixelRect(x: x, y: y, width: width, height: height))),
            size: rect.size, scale: scale,
            start: (
                start.x + Double(x) * scale.across - Double(rect.x), start.y + Double(y) * scale.down - Double(rect.y)
            ),
            origin: (rect.x, rect.y), grid: grid.map { PagePreviewer.cuts($0, framing) }, resolution: resolution)
        for edit in edits.dropFirst(moves.count) {
            guard let next = preview.after(edit) else {
                throw AdapterError(.unsupported, "its pixels are changed before it can be looked at")
            }
            preview = next
        }
        return preview
    }

    /// Where a framed JPEG can be cut without loss: a mirrored one is counted from its far end.
    static func cuts(_ grid: PixelSize, _ framing: Framing) -> CutGrid {
        let (turned, full, rect) = (framing.orientation, framing.full, framing.rect)
        let step = turned.applied(to: grid)
        return CutGrid(
            step: step,
            first: (
                (turned.isMirroredAcross ? full.width % step.width : 0) - rect.x,
                (turned.isMirroredDown ? full.height % step.height : 0) - rect.y
            ))
    }

    private func check(_ size: PixelSize) throws(AdapterError) {
        if size.area > limits.pixels {
            throw AdapterError(.tooLarge, "a picture of \(size) pixels is more than the \(limits.pixels) allowed")
        }
    }
}
