internal import Imaging
internal import PageModel

/// Renders pages, places their pixels next to each other, and changes and encodes the result.
struct ComposePages: PageMethod {
    /// The images of the pages, each with its name.
    let pixelSources: [PixelSource]
    /// The places of the images, in the same order.
    let places: [PixelRect]
    let background: RGB
    /// The size of the whole before it is changed.
    let size: PixelSize
    /// The operations on the whole.
    let changes: PixelOperations
    let parameters: EncodingParameters?

    var operations: PixelOperations? { changes }
    var joinsPages: Bool { true }

    var memory: Int {
        let best = pixelSources.compactMap(\.best)
        let decoded = best.map { MemoryEstimate.decoding($0.representation) }
        let pixels = MemoryEstimate.bytes(size, 3)
        // Decoded and changed one after the other, and kept.
        let all = decoded.reduce(0) { MemoryEstimate.sum($0, $1.pixels) }
        let maximum =
            zip(best, decoded).map { image, decoded in
                let copies = image.operations.workingCopies + image.operations.workingBytes
                let changing = copies > 0 ? MemoryEstimate.changing(decoded.pixels, image.operations) : 0
                return max(decoded.total, changing) - decoded.pixels
            }.max() ?? 0
        return MemoryEstimate.changing((MemoryEstimate.sum(all, max(maximum, pixels)), pixels), changes, parameters)
    }

    func check(_ renderer: Renderer) throws(AdapterError) {
        let isDrawn = pixelSources.contains { $0.best?.representation.isDrawn ?? false }
        try renderer.check(size, isDrawn: isDrawn)
    }

    func carryOut(
        _ plan: PagePlan, _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        var whole = try await composed(renderer)
        if !(parameters?.isLossless ?? true) || !changes.keepsPixels {
            whole.image.raster = try whole.image.raster.withoutProfile()
        }
        whole.image.raster = try await changes.apply(to: whole.image.raster, beside: renderer.otherPages)
        var (result, _) = try PageResult.storing(whole, parameters, renderer)
        result.defects = whole.image.diagnostics
        return result
    }

    func shown(of page: Page, _ picture: Picture) -> [ShownPage] {
        zip(picture.joinedParts, zip(pixelSources, places)).compactMap { part, placed -> ShownPage? in
            guard let best = placed.0.best, let shown = best.representation.shown else { return nil }
            var map = PageMap(from: shown, best.operations)
            map.place(at: placed.1, on: size)
            map.append(changes)
            return ShownPage(page: part.page, map: map)
        }.inReadingOrder(of: page)
    }

    /// Returns the pages' pixels on one raster.
    ///
    /// - Throws: an error that names the page which cannot be rendered.
    private func composed(_ renderer: Renderer) async throws -> Renderer.Rendered {
        var placed: [(raster: Raster, x: Int, y: Int)] = []
        var (diagnostics, losses, animations) = ([Message](), [Message](), [Message]())
        var finest: [UInt8]?
        for (source, place) in zip(pixelSources, places) {
            let name = source.name ?? ""
            let rendered = try await source.rendered(renderer.of(part: name))
            let raster = rendered.image.raster
            if rendered.pictureCount > 1 {
                animations.append("\(page: name): only the first of its \(rendered.pictureCount) images is kept")
                losses.append("only the first of the \(rendered.pictureCount) images of \(page: name) is kept")
            } else {
                diagnostics += rendered.image.diagnostics.prefix(1).map { "\(page: name): \($0)" }
                losses += [rendered.image.loss].compactMap { $0 }
            }
            // A fallback representation may have another resolution than the planned one.
            let scaled = raster.size == place.size ? raster : try raster.scaled(to: place.size)
            placed.append((scaled, place.x, place.y))
            if let defect = rendered.file?.defect { diagnostics.append("\(page: name): \(defect)") }
            finest = ComposePages.finer(finest, rendered.file?.bytes)
        }
        if Set(placed.map(\.raster.iccProfile)).count > 1 {
            var isChanged = false
            for (index, raster) in placed.map(\.raster).enumerated() {
                if let profile = raster.iccProfile, try Raster.isChangedInSRGB(raster.format, profile) == true {
                    isChanged = true
                }
                placed[index].raster = try raster.withoutProfile()
            }
            if isChanged { losses.append("converted to sRGB") }
        }
        // Only the first of a page's defects is reported.
        if !animations.isEmpty { diagnostics.insert(animations.joined(separator: "; "), at: 0) }
        let raster = Raster.composed(placed, size: size, background: background)
        return Renderer.Rendered(
            image: DecodedImage(
                raster: raster, diagnostics: diagnostics,
                loss: losses.isEmpty ? nil : losses.unique.joined(separator: ", ")),
            file: finest.map { ImageFile($0) })
    }

    /// Returns the JPEG that was encoded with less loss.
    private static func finer(_ one: [UInt8]?, _ other: [UInt8]?) -> [UInt8]? {
        guard let other, let second = JPEGTables(other) else { return one }
        guard let one, let first = JPEGTables(one) else { return other }
        return second.coarseness < first.coarseness ? other : one
    }
}

extension PixelSource {
    /// Returns the page's edited image, from the first representation that can be rendered.
    fileprivate func rendered(_ renderer: Renderer) async throws -> Renderer.Rendered {
        let name = name ?? ""
        var fault = AdapterError(.unsupported, "\(name) has no image")
        for (representation, operations) in representations {
            do {
                return try await renderer.render(representation, operations, keepsProfile: true)
            } catch let error as CancellationError {
                throw error
            } catch let omitted as OmittedOperation {
                throw omitted
            } catch {
                fault = AdapterError(rendering: error)
                fault.message = "\(name): \(fault.message)"
            }
        }
        throw fault
    }
}
