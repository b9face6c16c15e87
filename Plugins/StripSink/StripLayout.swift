internal import AdapterKit
internal import PageModel

/// Where each page stands in a strip.
struct StripLayout: Sendable {
    let size: PixelSize
    /// The place of each page, in reading order.
    let places: [PixelRect]

    init(_ pages: [PixelSize], _ options: StripOptions) {
        let across = pages.map { options.isVertical ? $0.width : $0.height }.max() ?? 0
        let scaled = pages.map { options.alignment == .scale ? StripLayout.scaled($0, to: across, options) : $0 }
        // From the left or the top on; page 1 of a book read from the right stands last.
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
            max(1, Int((Double(length) * Double(across) / Double(old)).rounded()))
        }
        return options.isVertical
            ? PixelSize(width: across, height: along(size.height, size.width))
            : PixelSize(width: along(size.width, size.height), height: across)
    }
}
