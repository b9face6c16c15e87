internal import OrderedJSON

/// The pixel positions of a rendering on its page, if they are to match the pixels of an image on it.
///
/// A page is rendered as a person sees it: rotated, from the top left corner of the visible part, in points without the user
/// unit.
struct PixelGrid: Hashable, Sendable {
    /// The pixels per point.
    let across: Double
    let down: Double
    /// The pixels by which the page is moved, so that the edges of the image's pixels are whole numbers.
    ///
    /// The move is less than one pixel, to the left and upwards.
    let right: Double
    let below: Double
}

extension PixelGrid {
    var asJSON: JSON { [.number(across), .number(down), .number(right), .number(below)] }

    /// - Returns: nil for an invalid grid.
    init?(_ json: JSON?) {
        let numbers = (json?.elements ?? []).compactMap(\.asNumber)
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[0] > 0, numbers[1] > 0 else { return nil }
        self.init(across: numbers[0], down: numbers[1], right: numbers[2], below: numbers[3])
    }
}
