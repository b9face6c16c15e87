package import AdapterKit
internal import Imaging
package import OrderedWork
package import PageModel

/// A provider of reduced grayscale previews for transforms.
package struct PagePreviewer: PreviewProvider {
    let limits: Limits
    /// The budget for the memory of all concurrent previews.
    let budget: MemoryBudget
    /// The images that other analyses of the run decoded; nil if it has no others.
    let cache: PreviewCache?

    package init(limits: Limits, budget: MemoryBudget, cache: PreviewCache? = nil) {
        self.limits = limits
        self.budget = budget
        self.cache = cache
    }

    /// Returns a preview of the least lossy representation that can be decoded, which the plan tries first too.
    package func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) async throws -> PagePreview {
        var reason = AdapterError(.unsupported, "the page cannot be analyzed", page: page.name)
        let picture = try await page.examine()
        for place in picture.representations.indices {
            try Task.checkCancellation()
            do {
                var preview = try await preview(of: picture, at: place, page, pixels, meaning)
                preview.resolution = picture.resolution(of: page) ?? preview.resolution
                if !picture.representations[place].isDrawn { preview.scan = picture.scanArea(after: page.edits) }
                return preview
            } catch {
                try error.throwIfCancelled()
                reason = AdapterError(rendering: error)
                reason.page = reason.page ?? page.name
            }
        }
        throw reason
    }

    private func preview(
        of whole: Picture, at place: Int, _ page: Page, _ pixels: Int, _ meaning: SampleMeaning
    ) async throws -> PagePreview {
        // Content over a scan is not its print.
        let representation = whole.representations[place].withoutOverlay
        let renderer = Renderer(limits: limits)
        let memory = renderer.memoryOfPreview(of: representation, pixels: pixels)
        try renderer.check(memory: memory)
        let decode = {
            try await budget.withReservation(for: memory) {
                try await renderer.preview(of: representation, pixels: pixels, as: meaning)
            }
        }
        let key = PreviewCache.Key(whole, at: place, pixels: pixels, as: meaning)
        let (image, reduction, size, orientation) =
            if let cache { try await cache.image(key, decode) } else { try await decode() }
        var (grid, pending): (PixelSize?, [Edit]) = (nil, [])
        var damage: Message? = image.diagnostics.first.map { "something may be missing from it (\($0))" }
        switch representation {
        case .encoded(let picture):
            pending = picture.pending
            grid = picture.encoding == .jpeg ? picture.grid : nil
            damage = image.diagnostics.first.map { "the \(picture.encoding.name) is damaged (\($0))" }
        case .sampled(let picture): pending = picture.pending
        case .drawn, .joined: break
        }
        let edits = pending.map(PageEdit.move) + page.edits.withoutOmissions
        let copies = (edits.workingCopies + edits.workingBytes) * image.raster.size.area
        let framed = { [grid] in
            try await PagePreviewer.framed(
                image.raster, of: size, by: reduction, orientation, edits, grid: grid)
        }
        var preview = copies == 0 ? try await framed() : try await budget.withReservation(for: copies, framed)
        preview.damage = damage
        preview.paper = image.paper
        return preview
    }

    /// - Parameters:
    ///   - small: the reduced raster. It has the resolution of the full image.
    ///   - grid: the size of a JPEG's MCU in pixels, as the image is stored.
    private static func framed(
        _ small: Raster, of size: PixelSize, by factor: Int, _ orientation: Orientation, _ edits: [PageEdit],
        grid: PixelSize? = nil
    ) async throws -> PagePreview {
        let moves = edits.leadingMoves
        guard let framing = Framing(size, orientation, edits: moves) else {
            throw AdapterError(.usage, "nothing would be left of its \(size) pixels")
        }
        // Decoders return whole reduced pixels; a rendering only approximates them.
        let isExact = small.size.width == size.reduced(by: factor).width
        let stored = (
            across: isExact ? Double(factor) : Double(size.width) / Double(small.size.width),
            down: isExact ? Double(factor) : Double(size.height) / Double(small.size.height)
        )
        let turned = framing.orientation
        let scale = turned.isTransposed ? (across: stored.down, down: stored.across) : stored
        let oriented = turned.applied(to: small.size)
        // In a mirrored image, a reduced pixel that extends over the far edge comes first.
        var start = (x: 0.0, y: 0.0)
        if turned.isMirroredAcross { start.x = Double(framing.full.width) - Double(oriented.width) * scale.across }
        if turned.isMirroredDown { start.y = Double(framing.full.height) - Double(oriented.height) * scale.down }
        let rect = framing.rect
        let (x, width) = PagePreview.span(rect.x, rect.width, start.x, scale.across, oriented.width)
        let (y, height) = PagePreview.span(rect.y, rect.height, start.y, scale.down, oriented.height)
        let resolution = turned.isTransposed ? small.resolution?.rotated(quarters: 1) : small.resolution
        var preview = PagePreview(
            raster: small.framed(
                Framing(small.size, turned).keeping(PixelRect(x: x, y: y, width: width, height: height))),
            size: rect.size, scale: scale,
            start: (
                start.x + Double(x) * scale.across - Double(rect.x), start.y + Double(y) * scale.down - Double(rect.y)
            ),
            origin: (rect.x, rect.y), grid: grid.map { PagePreviewer.cuts($0, framing) }, resolution: resolution)
        for edit in edits.dropFirst(moves.count) {
            guard let next = try await preview.after(edit) else {
                throw AdapterError(.unsupported, "its pixels are changed before it can be analyzed")
            }
            preview = next
        }
        let allMoves = edits.compactMap { edit -> Edit? in if case .move(let move) = edit { move } else { nil } }
        if let rect = Framing(size, orientation, edits: allMoves)?.rect { preview.origin = (rect.x, rect.y) }
        return preview
    }

    /// Returns the lossless cut positions of a framed JPEG. In a mirrored one they count from the far end.
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
}

extension PagePreview {
    /// Returns the preview after one more edit; nil for edits whose result is not analyzed.
    func after(_ edit: PageEdit) async throws -> PagePreview? {
        switch edit {
        case .change(let operation):
            guard operation.size(after: size) == size else { return nil }
            var preview = self
            preview.raster = try await operation.preview(of: raster)
            // An operation that finds nothing to change may leave the page as it is.
            if !(operation is any OmittableOperation) || preview.raster != raster { preview.grid = nil }
            return preview
        case .move(.turn(let quarters)): return oriented(.turn(quarters: quarters))
        case .move(.mirror): return oriented(.mirror)
        case .move(let crop): return Framing(size, edits: [crop]).map { cropped(to: $0.rect) }
        }
    }

    /// Returns the preview after a rotation or a mirroring. `origin` stays, because it depends on the whole image.
    private func oriented(_ edit: Edit) -> PagePreview? {
        guard let page = Framing(size, edits: [edit]), let reduced = Framing(raster.size, edits: [edit]) else {
            return nil
        }
        var preview = self
        preview.raster = raster.framed(reduced)
        preview.size = page.rect.size
        if page.orientation.isTransposed {
            preview.scale = (scale.down, scale.across)
            preview.start = (start.y, start.x)
            preview.resolution = resolution?.rotated(quarters: 1)
        }
        // In a mirrored image, the far edge comes first.
        if page.orientation.isMirroredAcross {
            let width = Double(preview.raster.size.width) * preview.scale.across
            preview.start.x = Double(preview.size.width) - preview.start.x - width
        }
        if page.orientation.isMirroredDown {
            let height = Double(preview.raster.size.height) * preview.scale.down
            preview.start.y = Double(preview.size.height) - preview.start.y - height
        }
        preview.grid = nil
        return preview
    }

    private func cropped(to rect: PixelRect) -> PagePreview {
        var preview = self
        let (x, width) = PagePreview.span(rect.x, rect.width, start.x, scale.across, raster.size.width)
        let (y, height) = PagePreview.span(rect.y, rect.height, start.y, scale.down, raster.size.height)
        preview.raster = raster.framed(
            Framing(raster.size).keeping(PixelRect(x: x, y: y, width: width, height: height)))
        preview.size = rect.size
        preview.start = (
            start.x + Double(x) * scale.across - Double(rect.x),
            start.y + Double(y) * scale.down - Double(rect.y)
        )
        preview.grid = grid.map { CutGrid(step: $0.step, first: ($0.first.x - rect.x, $0.first.y - rect.y)) }
        return preview
    }

    /// Returns the reduced pixels that cover a stretch of the page, as the first one and their number.
    static func span(_ from: Int, _ count: Int, _ start: Double, _ scale: Double, _ maximum: Int) -> (Int, Int) {
        let first = min(max(0, Int(checked: ((Double(from) - start) / scale).rounded(.down)) ?? 0), maximum - 1)
        let end = min(maximum, Int(checked: ((Double(from + count) - start) / scale).rounded(.up)) ?? maximum)
        return (first, max(1, end - first))
    }
}

extension Picture {
    /// Returns the part of the page that is the scan after edits of the page.
    fileprivate func scanArea(after edits: [PageEdit]) -> PageArea {
        guard scanArea != .page, let size else { return .page }
        var map = PageMap(size)
        for edit in edits { map.append(edit) }
        let area = map.place(of: scanArea).intersection(.page)
        return area.isEmpty ? .page : area
    }
}
