internal import Files
internal import Imaging
internal import PageModel

/// A lossless join of compatible JPEGs on DCT coefficients: into one strip, or into slices of it.
///
/// They are compatible if every one begins and ends at an MCU, or ends with the strip. All must have the same tables, sampling
/// and colors.
struct JPEGJoin {
    private let plan: StripPlan
    /// The size of an MCU in pixels.
    private let grid: PixelSize

    /// - Parameter plan: the plan of compatible pages (`blocker`); the result is nil if they are not JPEGs.
    init?(_ plan: StripPlan) {
        guard let grid = plan.pages.first?.grid else { return nil }
        self.plan = plan
        self.grid = grid
    }

    /// Returns the reason that the pages of a strip are incompatible; nil if they are compatible, except for a JPEG's limits.
    static func blocker(_ plan: StripPlan) -> Note? {
        for page in plan.pages {
            if case .file(let encoding) = page.form, encoding != .jpeg {
                return Note(.partNotJPEG, ["page": page.name, "format": encoding.rawValue])
            }
            if page.orientation != .upright {
                return Note(.partIsChanged, ["page": page.name], operations: [Note(.turned)])
            }
        }
        // The strip gets the first one's profile as it is embedded, even if it is unusable.
        if let difference = Note.difference(between: plan.pages.map(\.joinKey)) { return difference }
        guard let first = plan.pages.first, let grid = first.grid else { return Note(.encodedDifferently) }
        guard zip(plan.pages, plan.layout.places).allSatisfy({ $0.size == $1.size }) else {
            return Note(.someAreScaled)
        }
        // A gray JPEG has no color for the area between its pages.
        let isCovered = plan.pages.reduce(0) { $0 + $1.size.area } == plan.layout.size.area
        if !isCovered, !first.format.hasColor, !plan.options.background.isGray { return Note(.noColorForGaps) }
        return fits(plan.layout, grid) ? nil : Note(.offGrid, remedies(plan, grid))
    }

    /// Returns other settings that place all pages on the grid: another `gap`, or `align`ment.
    private static func remedies(_ plan: StripPlan, _ grid: PixelSize) -> [String: String] {
        let unit = plan.options.isVertical ? grid.height : grid.width
        let lower = plan.options.gap / unit * unit
        var options = plan.options
        for alignment in [plan.options.alignment, .start] {
            options.alignment = alignment
            let gaps = Set([lower, plan.options.gap, lower + unit]).sorted().filter { gap in
                options.gap = gap
                let layout = StripLayout(plan.pages.map(\.size), options)
                let along = options.isVertical ? layout.size.height : layout.size.width
                return fits(layout, grid)
                    && (along <= JPEGWriter.maximumPixelsPerSide || options.requestedLength != nil)
            }
            if gaps.isEmpty { continue }
            let aligns = alignment == plan.options.alignment ? [:] : ["align": "start"]
            return gaps.contains(plan.options.gap)
                ? aligns : aligns.merging(["gap": gaps.map(String.init).joined(separator: ",")]) { $1 }
        }
        return [:]
    }

    private static func fits(_ layout: StripLayout, _ grid: PixelSize) -> Bool {
        layout.places.allSatisfy { fits($0, in: layout.size, grid) }
    }

    private static func fits(_ place: PixelRect, in size: PixelSize, _ grid: PixelSize) -> Bool {
        func ends(_ end: Int, _ whole: Int, _ unit: Int) -> Bool { end == whole || end.isMultiple(of: unit) }
        return place.x.isMultiple(of: grid.width) && place.y.isMultiple(of: grid.height)
            && ends(place.x + place.width, size.width, grid.width)
            && ends(place.y + place.height, size.height, grid.height)
    }

    /// Returns the whole strip as one JPEG; nil if that is impossible.
    func strip() throws(AdapterError) -> [UInt8]? {
        try joined(PixelRect(x: 0, y: 0, plan.layout.size))
    }

    /// Returns the slices of the strip, each cut at an MCU without content. They wait in the spool.
    ///
    /// - Returns: the place of each in the spool; nil if they cannot be JPEGs.
    func slices() async throws -> [(offset: Int, count: Int)]? {
        let isVertical = plan.options.isVertical
        let step = isVertical ? grid.height : grid.width
        guard plan.options.maximumSliceLength >= 2 * step else { return nil }
        var files: [(offset: Int, count: Int)] = []
        for slice in try await plan.slices(step: step) {
            let size = plan.layout.size
            let part =
                isVertical
                ? PixelRect(x: 0, y: slice.lowerBound, width: size.width, height: slice.count)
                : PixelRect(x: slice.lowerBound, y: 0, width: slice.count, height: size.height)
            guard let file = try joined(part) else { return nil }
            files.append((try plan.spool.append(file), file.count))
        }
        return files
    }

    /// Returns a part of the strip, which begins at an MCU, and ends at one or with the strip.
    private func joined(_ part: PixelRect) throws(AdapterError) -> [UInt8]? {
        guard max(part.width, part.height) <= JPEGWriter.maximumPixelsPerSide else { return nil }
        var pieces: [JPEGSurgery.Piece] = []
        var numbers: [Int] = []
        for (page, place) in zip(plan.pages, plan.layout.places) {
            guard let shown = place.shared(with: part) else { continue }
            numbers.append(page.number)
            let cut = PixelRect(x: shown.x - place.x, y: shown.y - place.y, shown.size)
            pieces.append(
                JPEGSurgery.Piece(
                    file: try plan.spool.read(at: page.offset, count: page.count),
                    framing: Framing(page.size).keeping(cut), x: shown.x - part.x, y: shown.y - part.y))
        }
        guard let first = pieces.first else { return nil }
        // A gray JPEG has no color for the area between its pages.
        let isCovered = pieces.reduce(0) { $0 + $1.place.size.area } == part.size.area
        let background = JPEGHeader(first.file).flatMap(plan.options.background.levels)
        guard isCovered || background != nil else { return nil }
        guard let result = try? JPEGSurgery.compose(pieces, size: part.size, background: background) else { return nil }
        if result.diagnostic != nil { findDamage(zip(numbers, pieces)) }
        return result.file
    }

    /// Finds the damaged pages: the join reports damage only for the whole.
    private func findDamage(_ pages: some Sequence<(Int, JPEGSurgery.Piece)>) {
        for (number, piece) in pages {
            let alone = JPEGSurgery.Piece(file: piece.file, framing: piece.framing)
            let result = try? JPEGSurgery.compose([alone], size: alone.place.size)
            plan.damage.note(result?.diagnostic, of: .jpeg, page: number)
        }
    }
}

extension PixelRect {
    /// Returns the intersection of both; nil if it is empty.
    fileprivate func shared(with other: PixelRect) -> PixelRect? {
        let across = max(x, other.x)..<max(max(x, other.x), min(x + width, other.x + other.width))
        let down = max(y, other.y)..<max(max(y, other.y), min(y + height, other.y + other.height))
        if across.isEmpty || down.isEmpty { return nil }
        return PixelRect(x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
    }
}
