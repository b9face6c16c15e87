internal import AdapterKit

/// Where the pixels of a drawing lie on its page, if they are to be the pixels of a picture on it.
///
/// A page is drawn as a reader sees it: turned, from the top left corner of what is shown, in points without the user unit.
struct PixelGrid: Hashable, Sendable {
    /// Pixels per point.
    let across: Double
    let down: Double
    /// Pixels by which the page is moved, so that the edges of the picture's pixels are whole numbers: less than one, to the left
    /// and upwards.
    let right: Double
    let below: Double
}

extension PixelGrid {
    var asJSON: JSON { [.number(across), .number(down), .number(right), .number(below)] }

    /// - Returns: nil if that is no grid.
    init?(_ json: JSON?) {
        let numbers = (json?.elements ?? []).compactMap(\.asNumber)
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[0] > 0, numbers[1] > 0 else { return nil }
        self.init(across: numbers[0], down: numbers[1], right: numbers[2], below: numbers[3])
    }
}
