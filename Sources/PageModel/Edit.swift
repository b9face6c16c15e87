/// A change to a page's image, as data: a request that changes no pixels by itself.
///
/// Edits apply in order; each refers to the result of the edits before it.
public enum Edit: Hashable, Codable, Sendable {
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
    /// Rotate clockwise by a few degrees about the center, at most 45 in either direction.
    ///
    /// The size stays, and corners from outside the image get the color of the paper.
    case deskew(degrees: Double)
    /// Dewarp the page. The size stays, and areas from outside the image get the color of the paper.
    case flatten(Flattening)
    /// Scale the image into this box.
    case fit(FitBox)
    /// Convert to grayscale.
    case gray
    /// Set the black point, the white point and the brightness of the tones between them.
    case tones(Tones)
    /// Reduce each gray sample to this many bits by dithering: 1, 2 or 4.
    case depth(bits: Int)

    /// Whether the edit only moves pixels, so that each remaining one keeps its value.
    public var keepsPixels: Bool {
        switch self {
        case .crop, .keep, .inset, .turn, .mirror: true
        case .deskew, .flatten, .fit, .gray, .tones, .depth: false
        }
    }

    /// Returns the size of an image of `size` after the edit.
    ///
    /// Nil if nothing would remain, or if the image lacks the part to keep.
    public func applied(to size: PixelSize) -> PixelSize? {
        switch self {
        case .crop, .keep, .inset, .turn, .mirror: Framing(size, edits: [self])?.rect.size
        case .fit(let box): box.size(for: size)
        case .deskew, .flatten, .gray, .tones, .depth: size
        }
    }
}

extension [Edit] {
    /// Returns the size of an image of `size` after these edits.
    public func applied(to size: PixelSize) -> PixelSize {
        reduce(size) { $1.applied(to: $0) ?? $0 }
    }
}

// MARK: The values of edits, and their typed forms

/// The lengths to cut off the four sides of a page.
public struct Insets: Hashable, Codable, Sendable {
    /// The length to cut off one side.
    public enum Length: Hashable, Codable, Sendable {
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

/// A frame into which images are scaled with their aspect ratio.
public struct FitBox: Hashable, Codable, Sendable {
    /// The width in pixels; nil for any width.
    public var width: Int?
    /// The height in pixels; nil for any height.
    public var height: Int?
    /// Whether images smaller than the box are enlarged.
    public var enlarges: Bool

    public init(width: Int?, height: Int?, enlarges: Bool = false) {
        self.width = width
        self.height = height
        self.enlarges = enlarges
    }

    /// Parses a typed box: "1072x1448". A missing side, as in "1072x", may have any length.
    public init?(_ text: String, enlarges: Bool) {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.contains(where: { !$0.isEmpty }) else { return nil }
        let lengths = sides.map { Int($0) }
        guard zip(sides, lengths).allSatisfy({ $0.isEmpty || $1.map { (1...100_000).contains($0) } ?? false }) else {
            return nil
        }
        self.init(width: lengths[0], height: lengths[1], enlarges: enlarges)
    }

    /// Returns the size to which an image of `size` is scaled.
    public func size(for size: PixelSize) -> PixelSize {
        let scales = [
            width.map { Double($0) / Double(size.width) }, height.map { Double($0) / Double(size.height) },
        ].compactMap { $0 }
        guard let scale = scales.min(), scale < 1 || enlarges && scale > 1 else { return size }
        func scaled(_ length: Int, within bound: Int?) -> Int {
            let wanted = max(1, Int(checked: Double(length) * scale) ?? length)
            return bound.map { Swift.min(wanted, $0) } ?? wanted
        }
        return PixelSize(width: scaled(size.width, within: width), height: scaled(size.height, within: height))
    }
}

/// The black point, the white point and the brightness of the tones between them.
public struct Tones: Hashable, Codable, Sendable {
    /// The level that becomes black, 0 to 1.
    public var black: Double
    /// The level that becomes white, 0 to 1, more than `black`.
    public var white: Double
    /// The exponent for the tones between: more than 1 brightens them.
    public var gamma: Double

    public init(black: Double = 0, white: Double = 1, gamma: Double = 1) {
        self.black = black
        self.white = white
        self.gamma = gamma
    }

    /// Parses typed levels in percent of the range, each with or without a percent sign: "10,95".
    public init?(levels text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let values = parts.compactMap { Double($0.hasSuffix("%") ? $0.dropLast() : $0) }
        guard parts.count == 2, values.count == 2, values[0] >= 0, values[0] < values[1], values[1] <= 100 else {
            return nil
        }
        self.init(black: values[0] / 100, white: values[1] / 100)
    }

    /// Whether every sample stays as it is.
    public var isNeutral: Bool { self == Tones() }
}
