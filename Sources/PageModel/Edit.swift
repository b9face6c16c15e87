/// A change that only moves the pixels of a page's image, as data, so that each remaining pixel keeps its value.
///
/// Lossless JPEG cropping, crop boxes and the places of text depend on these alone. `PageOperation` changes pixels.
/// Edits apply in order; each refers to the result of the edits before it.
public enum Edit: Hashable, Sendable {
    /// Crop to this rectangle.
    case crop(PixelRect)
    /// Crop to this rectangle of an image of that size; an image of another size is cropped to the same part.
    ///
    /// The representations of a page may have different resolutions: a result found on one applies to the others.
    case keep(PixelRect, of: PixelSize)
    /// Crop the sides by these lengths.
    case inset(Insets)
    /// Rotate clockwise by this many quarter turns, 1 to 3.
    case turn(quarters: Int)
    /// Mirror horizontally.
    case mirror

    /// Returns the size of an image of `size` after the edit.
    ///
    /// Nil if nothing would remain, or if the image lacks the part to keep.
    public func applied(to size: PixelSize) -> PixelSize? { Framing(size, edits: [self])?.rect.size }
}

extension [Edit] {
    /// Returns the size of an image of `size` after these edits.
    public func applied(to size: PixelSize) -> PixelSize {
        reduce(size) { $1.applied(to: $0) ?? $0 }
    }
}

/// The lengths to cut off the four sides of a page.
public struct Insets: Hashable, Sendable {
    /// The length to cut off one side.
    public enum Length: Hashable, Sendable {
        case pixels(Int)
        /// A share of the page's width (left, right) or height (top, bottom); 0 up to 100.
        case percent(Double)

        /// Parses a typed length: "40", "40px" or "5%".
        public init?(_ text: some StringProtocol) {
            if text.hasSuffix("%") {
                guard let share = Double(text.dropLast()), (0..<100).contains(share) else { return nil }
                self = .percent(share)
            } else {
                let digits = text.hasSuffix("px") ? text.dropLast(2) : text[...]
                guard let count = Int(digits), (0...1_000_000).contains(count) else { return nil }
                self = .pixels(count)
            }
        }

        /// Returns the length in pixels for a side of `whole` pixels; nil for an unusable number.
        func pixels(of whole: Int) -> Int? {
            switch self {
            case .pixels(let count): count
            case .percent(let share): Int(checked: Double(whole) * share / 100)
            }
        }
    }

    public var top: Length
    public var right: Length
    public var bottom: Length
    public var left: Length

    public init(top: Length, right: Length, bottom: Length, left: Length) {
        self.top = top
        self.right = right
        self.bottom = bottom
        self.left = left
    }

    /// Parses typed insets in CSS's order, separated by commas. One length is for all sides. Two are for top and
    /// bottom, then for the sides. Four are for top, right, bottom and left.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let lengths = parts.compactMap { Length($0) }
        guard lengths.count == parts.count else { return nil }
        switch lengths.count {
        case 1: self.init(top: lengths[0], right: lengths[0], bottom: lengths[0], left: lengths[0])
        case 2: self.init(top: lengths[0], right: lengths[1], bottom: lengths[0], left: lengths[1])
        case 4: self.init(top: lengths[0], right: lengths[1], bottom: lengths[2], left: lengths[3])
        default: return nil
        }
    }

    /// Whether nothing is cut off an image of any size.
    public var isZero: Bool { [top, right, bottom, left].allSatisfy { $0 == .pixels(0) || $0 == .percent(0) } }

    /// Returns the rest of an image of `size`; nil for an empty rest.
    public func rest(of size: PixelSize) -> PixelRect? {
        guard let top = top.pixels(of: size.height), let bottom = bottom.pixels(of: size.height),
            let left = left.pixels(of: size.width), let right = right.pixels(of: size.width)
        else { return nil }
        let (width, isWide) = size.width.subtractingReportingOverflow(left + right)
        let (height, isHigh) = size.height.subtractingReportingOverflow(top + bottom)
        let rest = PixelRect(x: left, y: top, width: width, height: height)
        return !isWide && !isHigh && PixelRect(x: 0, y: 0, size).contains(rest) ? rest : nil
    }
}
