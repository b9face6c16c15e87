internal import AdapterKit
internal import Files
internal import Imaging
internal import OrderedWork
internal import PageModel

/// All properties of a strip that are known before its first row is drawn.
struct StripPlan: Sendable {
    let pages: [StripPage]
    let layout: StripLayout
    let options: StripOptions
    let format: StripFormat
    let spool: SpoolFile
    let limits: Limits
    /// The maximum number of parallel tasks.
    let width: Int
    let damage = PageDamage()

    /// Returns the treatment of a page.
    ///
    /// - Parameter blocker: the reason that JPEGs are not joined.
    func composition(_ index: Int, _ blocker: Note?) -> Composition {
        var whole = options.composition
        if options.isTiled { whole.output = "\(TilePyramid.name).dzi" }
        let losses = losses(index)
        if !losses.isEmpty { whole.treatment = max(whole.treatment, .encoded) }
        whole.notes += losses.map(\.note)
        let isScaled = losses.contains { $0 == .size }
        if options.joinsJPEGs, pages[index].grid != nil, !isScaled {
            let cause = blocker.map { ["cause": $0.code.rawValue].merging($0.values) { $1 } }
            whole.notes.append(Note(.notJoinable, cause ?? [:], notes: blocker.map { [$0] } ?? []))
        }
        return whole
    }

    /// Returns the losses of a page even in a format that keeps every pixel.
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
                let receiver = output.receiver(slice: number(ofSlice: index, of: slices.count), of: slices.count)
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

    /// Returns the place of a slice in reading order: in a strip that is read from the right the last slice comes first.
    func number(ofSlice index: Int, of count: Int) -> Int {
        options.isRightToLeft && !options.isVertical ? count - 1 - index : index
    }

    private func draw(into slices: [OpenSlice]) async throws {
        if options.isVertical {
            try await VerticalStrip(plan: self).draw(into: slices)
        } else {
            try await HorizontalStrip(plan: self).draw(into: slices)
        }
    }

    /// A slice during rendering.
    struct OpenSlice {
        /// Its rows, or in a horizontal strip its columns.
        let range: Range<Int>
        let target: any StripTarget
        /// The receiver that waits for all bytes of a slice.
        let receiver: StripReceiver?

        func finish() async throws {
            try await target.finish()
            try receiver?.finish()
        }
    }

    /// Returns a page in the strip's samples, at its size there.
    func raster(_ index: Int) throws(AdapterError) -> Raster {
        let page = pages[index]
        let raster = try page.raster(
            in: spool, damage, keepsProfile: format.iccProfile != nil, background: options.background, limits: limits)
        let brought = format.bring(raster)
        let size = layout.places[index].size
        if brought.size == size { return brought }
        return try AdapterError.imaging(hint: StripPage.hint, page: page.name) { () throws(PictureFault) in
            try brought.scaled(to: size)
        }
    }

    /// Returns the slices of the strip: the whole strip, unless it is too long for one slice.
    ///
    /// - Parameter step: the unit of possible cuts. They are before its multiples.
    func slices(step: Int = 1) async throws -> [Range<Int>] {
        let length = options.isVertical ? layout.size.height : layout.size.width
        guard length > options.maximumSliceLength else { return [0..<length] }
        // Areas without a page cannot be damaged by a cut.
        var activity = [UInt8](repeating: 0, count: length)
        try await forEachInOrder(pages.indices, width: width) { index in
            let raster = try raster(index)
            return (index, options.isVertical ? RowActivity.ofRows(raster) : RowActivity.ofColumns(raster))
        } body: { index, values in
            let place = layout.places[index]
            let start = options.isVertical ? place.y : place.x
            activity.replaceSubrange(start..<start + values.count, with: values)
        }
        return Slicing.slices(of: length, maximumLength: options.maximumSliceLength, activity: activity, step: step)
    }

    private var tileFidelity: PictureEncoder.Fidelity {
        guard options.format == .jpeg else { return .lossless }
        return switch fidelity {
        case .quality(let quality): .quality(quality)
        case .like(let tables): .like(tables)
        }
    }

    /// The fidelity of the finest of the pages' own JPEGs, unless the user chose a quality.
    private var fidelity: JPEGWriter.Fidelity {
        guard options.format == .jpeg else { return .quality(90) }
        if let quality = options.quality { return .quality(quality) }
        let tables = pages.filter { $0.format.hasColor == format.composed.hasColor }.compactMap(\.tables)
        return tables.min { $0.coarseness < $1.coarseness }.map { .like($0) } ?? .quality(90)
    }
}

/// A possible loss of a page in a strip even if that keeps every pixel.
enum StripLoss: Sendable {
    case size
    /// A format for fewer than 16 bits a sample holds 8.
    case depth
    case transparency
    case colors

    var note: Note {
        switch self {
        case .size: Note(.scaledToWidest)
        case .depth: Note(.reducedToEightBits)
        case .transparency: Note(.transparencyFlattened)
        case .colors: Note(.colorsConverted)
        }
    }

    /// The refused change of the page, and a hint how to avoid it.
    var refusal: (message: Message, hint: Message) {
        switch self {
        case .size: ("the page would be scaled to the widest", "--align center leaves its size")
        case .depth: ("the page would keep 8 bits of each sample", "make a PNG")
        case .transparency:
            (
                "the page's transparency would be laid on the background",
                "a strip has no transparency; remove --lossless to merge it with the background"
            )
        case .colors:
            (
                "the page's colors would be converted to sRGB",
                "pages of one strip share their colors; remove --lossless to convert them"
            )
        }
    }
}
