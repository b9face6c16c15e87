internal import AdapterKit
internal import Imaging
internal import PageModel

/// All that is known of a strip before its first row is drawn.
struct StripPlan: Sendable {
    let pages: [StripPage]
    let layout: StripLayout
    let options: StripOptions
    let format: StripFormat
    let spool: SpoolFile
    let limits: Limits
    /// How many pieces of work may be under way at once.
    let width: Int

    /// What becomes of every page.
    var remake: Remake {
        let output = options.isTiled ? "\(TilePyramid.name).dzi" : nil
        let what =
            options.isTiled ? "cut into \(options.format.name) tiles" : "laid into a \(options.format.name) strip"
        return options.keepsPixels
            ? Remake(.lossless, what, output: output)
            : Remake(.encoded, "\(what) and encoded", output: output)
    }

    /// What a page loses even in a format that keeps every pixel.
    func losses(_ index: Int) -> [StripLoss] {
        let page = pages[index]
        var losses: [StripLoss] = []
        if layout.places[index].size != page.size { losses.append(.size) }
        if page.format.bitsPerSample > format.composed.bitsPerSample { losses.append(.depth) }
        if page.format.hasAlpha { losses.append(.transparency) }
        if page.isConverted || page.isChangedInSRGB && format.iccProfile == nil { losses.append(.colors) }
        return losses
    }

    func draw(into output: StripOutput) async throws {
        if options.isTiled {
            let pyramid = TilePyramid(
                layout.size, format.composed, as: options.format, tileFidelity, width: width, output: output)
            let length = options.isVertical ? layout.size.height : layout.size.width
            return try await draw(into: [OpenSlice(range: 0..<length, target: pyramid, receiver: nil)])
        }
        let slices = try await slices()
        try await draw(
            into: slices.enumerated().map { index, slice in
                let receiver = output.receiver(slice: index, of: slices.count)
                let size =
                    options.isVertical
                    ? PixelSize(width: layout.size.width, height: slice.count)
                    : PixelSize(width: slice.count, height: layout.size.height)
                let file = try StripFile(size, format, options, fidelity: fidelity) { bytes throws(AdapterError) in
                    try receiver.take(bytes)
                }
                return OpenSlice(range: slice, target: file, receiver: receiver)
            })
    }

    private func draw(into slices: [OpenSlice]) async throws {
        if options.isVertical {
            try await VerticalStrip(plan: self).draw(into: slices)
        } else {
            try await HorizontalStrip(plan: self).draw(into: slices)
        }
    }

    /// A slice that is being drawn.
    struct OpenSlice {
        /// Its rows, or in a horizontal strip its columns.
        let range: Range<Int>
        let target: any StripTarget
        /// What waits for the whole of a slice's bytes.
        let receiver: StripReceiver?

        func finish() async throws {
            try await target.finish()
            try receiver?.finish()
        }
    }

    /// A page in the strip's samples, at the size it has there.
    func raster(_ index: Int) throws(AdapterError) -> Raster {
        let page = pages[index]
        let raster = try page.raster(
            in: spool, keepsProfile: format.iccProfile != nil, background: options.background, limits: limits)
        let brought = format.bring(raster)
        let size = layout.places[index].size
        if brought.size == size { return brought }
        return try StripPage.naming(page.name) { () throws(PictureFault) in try brought.scaled(to: size) }
    }

    /// The slices the strip is cut into: the whole strip, unless it is longer than a slice may be.
    private func slices() async throws -> [Range<Int>] {
        let length = options.isVertical ? layout.size.height : layout.size.width
        guard length > options.mostAlong else { return [0..<length] }
        // Where no page stands is nothing to cut.
        var unrest = [UInt8](repeating: 0, count: length)
        try await forEachInOrder(pages.indices, width: width) { index in
            let raster = try raster(index)
            return (index, options.isVertical ? Unrest.ofRows(raster) : Unrest.ofColumns(raster))
        } body: { index, values in
            let place = layout.places[index]
            let start = options.isVertical ? place.y : place.x
            unrest.replaceSubrange(start..<start + values.count, with: values)
        }
        return Slicing.slices(of: length, most: options.mostAlong, unrest: unrest)
    }

    private var tileFidelity: PictureEncoder.Fidelity {
        guard options.format == .jpeg else { return .lossless }
        return switch fidelity {
        case .quality(let quality): .quality(quality)
        case .like(let tables): .like(tables)
        }
    }

    /// As much as the finest of the pages' own JPEGs keeps, unless a quality was asked for.
    private var fidelity: JPEGWriter.Fidelity {
        guard options.format == .jpeg else { return .quality(90) }
        if let quality = options.quality { return .quality(quality) }
        let tables = pages.filter { $0.format.hasColor == format.composed.hasColor }.compactMap(\.tables)
        return tables.min { $0.coarseness < $1.coarseness }.map { .like($0) } ?? .quality(90)
    }
}
