/// A change to a page's picture, as data: whoever asks for it touches no pixel.
///
/// Edits apply in order; each speaks of the picture as the edits before it left it.
public enum Edit: Hashable, Sendable {
    /// Keep only this rectangle.
    case crop(PixelRect)
    /// Keep this rectangle of a picture of that size; of one of another size, the same part of it.
    ///
    /// A page's ways may give it at different resolutions: what was found on one holds for the others.
    case keep(PixelRect, of: PixelSize)
    /// Cut this off the sides.
    case inset(Insets)
    /// Turn clockwise by this many quarter turns, 1 to 3.
    case turn(quarters: Int)
    /// Turn clockwise by a few degrees about the middle, at most 45 either way; the size stays, and paper fills what comes
    /// from outside.
    case deskew(degrees: Double)
    /// Scale the picture into this box.
    case fit(FitBox)
    /// Take the colours away.
    case gray
    /// Move black and white, and the tones between them.
    case tones(Tones)
    /// Leave so many bits to each gray sample: 1, 2 or 4.
    case depth(bits: Int)

    /// Whether it only moves pixels: each that stays keeps its value.
    public var keepsPixels: Bool {
        switch self {
        case .crop, .keep, .inset, .turn: true
        case .deskew, .fit, .gray, .tones, .depth: false
        }
    }

    /// The size that a picture of `size` has afterwards; nil when nothing would be left of it, or when it lacks what
    /// is to be kept.
    public func applied(to size: PixelSize) -> PixelSize? {
        switch self {
        case .crop, .keep, .inset, .turn: Framing(size, edits: [self])?.rect.size
        case .fit(let box): box.size(for: size)
        case .deskew, .gray, .tones, .depth: size
        }
    }
}

extension [Edit] {
    /// The size a picture of `size` has after these edits.
    public func applied(to size: PixelSize) -> PixelSize {
        reduce(size) { $1.applied(to: $0) ?? $0 }
    }
}
