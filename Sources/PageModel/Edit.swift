/// A change to a page's picture, as data: whoever asks for it touches no pixel.
///
/// Edits apply in order; each refers to the picture as the edits before it left it.
public enum Edit: Hashable, Codable, Sendable {
    /// Keep only this rectangle.
    case crop(PixelRect)
    /// Keep this rectangle of a picture of that size; of a picture of another size, the same part.
    ///
    /// The representations of a page may have different resolutions: what was found on one holds for the others.
    case keep(PixelRect, of: PixelSize)
    /// Cut this off the sides.
    case inset(Insets)
    /// Turn clockwise by this many quarter turns, 1 to 3.
    case turn(quarters: Int)
    /// Let left and right change places.
    case mirror
    /// Turn clockwise by a few degrees about the centre, at most 45 either way.
    ///
    /// The size stays, and corners that come from outside the picture get the colour of the paper.
    case deskew(degrees: Double)
    /// Lay a curved page flat. The size stays, and what comes from outside the picture gets the colour of the paper.
    case flatten(Flattening)
    /// Scale the picture into this box.
    case fit(FitBox)
    /// Take the colours away.
    case gray
    /// Move black and white, and the tones between them.
    case tones(Tones)
    /// Reduce each gray sample to this many bits by dithering: 1, 2 or 4.
    case depth(bits: Int)

    /// Whether the edit only moves pixels, so that each one that stays keeps its value.
    public var keepsPixels: Bool {
        switch self {
        case .crop, .keep, .inset, .turn, .mirror: true
        case .deskew, .flatten, .fit, .gray, .tones, .depth: false
        }
    }

    /// The size that a picture of `size` has afterwards.
    ///
    /// Nil when nothing would be left of it, or when it lacks the part that is to be kept.
    public func applied(to size: PixelSize) -> PixelSize? {
        switch self {
        case .crop, .keep, .inset, .turn, .mirror: Framing(size, edits: [self])?.rect.size
        case .fit(let box): box.size(for: size)
        case .deskew, .flatten, .gray, .tones, .depth: size
        }
    }
}

extension [Edit] {
    /// The size a picture of `size` has after these edits.
    public func applied(to size: PixelSize) -> PixelSize {
        reduce(size) { $1.applied(to: $0) ?? $0 }
    }
}

// MARK: What edits are made of, and how people type it

/// What is cut off the four sides of a page.
public struct Insets: Hashable, Codable, Sendable {
    /// How much of a side.
    public enum Length: Hashable, Codable, Sendable {
        case pixels(Int)
        /// Of the page's width for left and right, of its height for top and bottom; 0 up to 100.
        case percent(Double)

        /// A length as it is typed: "40", "40px" or "5%".
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

        /// The length in pixels where the side has `whole` of them; nil when that is no sensible number.
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

    /// Insets as they are typed, with CSS's order: one length for all sides; two for top and bottom, then the sides; or
    /// four for top, right, bottom and left, separated by commas.
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

    /// What is left of a picture of `size`; nil when nothing is.
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

/// A frame that pictures are scaled into, keeping their shape.
public struct FitBox: Hashable, Codable, Sendable {
    /// In pixels; nil where any width will do.
    public var width: Int?
    /// In pixels; nil where any height will do.
    public var height: Int?
    /// Whether pictures smaller than the box are scaled up to it.
    public var enlarges: Bool

    public init(width: Int?, height: Int?, enlarges: Bool = false) {
        self.width = width
        self.height = height
        self.enlarges = enlarges
    }

    /// A box as it is typed: "1072x1448"; a side that is left out, as in "1072x", may have any length.
    public init?(_ text: String, enlarges: Bool) {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.contains(where: { !$0.isEmpty }) else { return nil }
        let lengths = sides.map { Int($0) }
        guard zip(sides, lengths).allSatisfy({ $0.isEmpty || $1.map { (1...100_000).contains($0) } ?? false }) else {
            return nil
        }
        self.init(width: lengths[0], height: lengths[1], enlarges: enlarges)
    }

    /// The size that a picture of `size` gets.
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

/// Where black and white lie, and how bright the tones between them are.
public struct Tones: Hashable, Codable, Sendable {
    /// What becomes black, 0 to 1.
    public var black: Double
    /// What becomes white, 0 to 1, more than `black`.
    public var white: Double
    /// More than 1 brightens the tones between.
    public var gamma: Double

    public init(black: Double = 0, white: Double = 1, gamma: Double = 1) {
        self.black = black
        self.white = white
        self.gamma = gamma
    }

    /// Black and white as they are typed, in percent of the range, each with a percent sign or without: "10,95".
    public init?(levels text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let values = parts.compactMap { Double($0.hasSuffix("%") ? $0.dropLast() : $0) }
        guard parts.count == 2, values.count == 2, values[0] >= 0, values[0] < values[1], values[1] <= 100 else {
            return nil
        }
        self.init(black: values[0] / 100, white: values[1] / 100)
    }

    /// Whether they leave every sample as it is.
    public var isNeutral: Bool { self == Tones() }
}
