/// A change to a page's picture, as data: whoever asks for it touches no pixel.
///
/// Edits apply in order; each speaks of the picture as the edits before it left it.
public enum Edit: Hashable, Sendable {
    /// Keep only this rectangle.
    case crop(PixelRect)
    /// Cut this off the sides.
    case inset(Insets)
    /// Turn clockwise by this many quarter turns, 1 to 3.
    case turn(quarters: Int)
}

extension [Edit] {
    /// The size a picture of `size` has after these edits.
    public func applied(to size: PixelSize) -> PixelSize {
        Framing(size, edits: self)?.rect.size ?? size
    }
}
