internal import Imaging
internal import PageModel

/// The places of the pages in a strip.
struct StripLayout: Sendable {
    let size: PixelSize
    /// The place of each page, in reading order.
    let places: [PixelRect]

    init(_ pages: [PixelSize], _ options: StripOptions) {
        let across = pages.map { options.isVertical ? $0.width : $0.height }.max() ?? 0
        let scaled = pages.map { options.alignment == .scale ? StripLayout.scaled($0, to: across, options) : $0 }
        // From the left or the top; page 1 of a book read from the right comes last.
        let order =
            !options.isVertical && options.isRightToLeft ? Array(scaled.indices.reversed()) : Array(scaled.indices)
        var places = [PixelRect](repeating: PixelRect(x: 0, y: 0, width: 0, height: 0), count: pages.count)
        var along = 0
        for (place, index) in order.enumerated() {
            if place > 0 { along += options.gap }
            let size = scaled[index]
            let aside = options.alignment.place(
                of: options.isVertical ? size.width : size.height, within: across)
            places[index] = PixelRect(
                x: options.isVertical ? aside : along, y: options.isVertical ? along : aside, size)
            along += options.isVertical ? size.height : size.width
        }
        self.places = places
        size =
            options.isVertical ? PixelSize(width: across, height: along) : PixelSize(width: along, height: across)
    }

    private static func scaled(_ size: PixelSize, to across: Int, _ options: StripOptions) -> PixelSize {
        func along(_ length: Int, _ old: Int) -> Int {
            Int(clamping: Double(length) * Double(across) / Double(old), to: 1...Int(Int32.max))
        }
        return options.isVertical
            ? PixelSize(width: across, height: along(size.height, size.width))
            : PixelSize(width: along(size.width, size.height), height: across)
    }
}

/// The division of a strip into files.
enum Slicing {
    /// Returns the slices of a strip, each no longer than `maximumLength`, cut at the quietest places within reach.
    ///
    /// A cut is searched in the last half of the longest possible slice. Among equally quiet places the middle of the last run is
    /// used, so that slices are long and art keeps its distance from the edge. No row is lost or doubled: each slice begins at
    /// the end of the one before it.
    ///
    /// - Parameters:
    ///   - activity: each row's activity. It is 0 for a single color.
    ///   - step: the unit of possible cuts, which are before its multiples. It is 1, or at most half of `maximumLength`.
    static func slices(of length: Int, maximumLength: Int, activity: [UInt8], step: Int = 1) -> [Range<Int>] {
        precondition(maximumLength > 0 && activity.count == length && (step == 1 || step <= maximumLength / 2))
        var slices: [Range<Int>] = []
        var start = 0
        while length - start > maximumLength {
            let window = (start + (maximumLength + 1) / 2)...(start + maximumLength)
            let end = cut(in: window, activity, step)
            slices.append(start..<end)
            start = end
        }
        if start < length { slices.append(start..<length) }
        return slices
    }

    /// Returns the row before which to cut.
    private static func cut(in window: ClosedRange<Int>, _ activity: [UInt8], _ step: Int) -> Int {
        // A cut is between two rows: the louder of them counts.
        func noise(_ place: Int) -> UInt8 { max(activity[place - 1], activity[place]) }
        let places = stride(
            from: (window.lowerBound + step - 1) / step * step, through: window.upperBound, by: step)
        let minimum = places.map(noise).min() ?? 0
        let bound = max(minimum, RowActivity.quiet)
        guard let last = places.reversed().first(where: { noise($0) <= bound }) else { return window.upperBound }
        var first = last
        while first - step >= window.lowerBound && noise(first - step) <= bound { first -= step }
        return max(first + ((last - first) / step + 1) / 2 * step, last - reach / step * step)
    }

    /// The maximum distance of a cut from the last quiet row.
    private static let reach = 64
}
