/// The rotation and mirroring that make a stored image upright: one of the eight values of EXIF's Orientation.
///
/// The transposition, if any, comes before the mirroring.
public struct Orientation: Hashable, Sendable {
    /// Whether rows and columns are exchanged.
    public var isTransposed: Bool
    /// Whether left and right are exchanged.
    public var isMirroredAcross: Bool
    /// Whether top and bottom are exchanged.
    public var isMirroredDown: Bool

    public static let upright = Orientation(isTransposed: false, isMirroredAcross: false, isMirroredDown: false)

    public init(isTransposed: Bool, isMirroredAcross: Bool, isMirroredDown: Bool) {
        self.isTransposed = isTransposed
        self.isMirroredAcross = isMirroredAcross
        self.isMirroredDown = isMirroredDown
    }

    /// Makes the orientation for an image whose EXIF Orientation is `value` (CIPA DC-008, tag 0x0112).
    ///
    /// Nil for values other than 1 to 8.
    public init?(exif value: Int) {
        guard (1...8).contains(value) else { return nil }
        self.init(
            isTransposed: value > 4, isMirroredAcross: [2, 3, 6, 7].contains(value),
            isMirroredDown: [3, 4, 7, 8].contains(value))
    }

    /// The equivalent number of clockwise quarter turns, 0 to 3; nil when it mirrors the image.
    public var quarterTurns: Int? {
        (0..<4).first { Orientation.upright.rotated(quarters: $0) == self }
    }

    /// Returns this orientation, rotated further by clockwise quarter turns.
    public func rotated(quarters: Int) -> Orientation {
        var turned = self
        for _ in 0..<(quarters % 4 + 4) % 4 {
            // A quarter turn is a transposition, which swaps the two mirrors, followed by mirroring across.
            turned = Orientation(
                isTransposed: !turned.isTransposed, isMirroredAcross: !turned.isMirroredDown,
                isMirroredDown: turned.isMirroredAcross)
        }
        return turned
    }

    /// Returns the size of a stored image of `size` shown in this orientation.
    public func applied(to size: PixelSize) -> PixelSize {
        isTransposed ? PixelSize(width: size.height, height: size.width) : size
    }
}

/// The visible part of a stored image, with its orientation.
///
/// Successive edits can be combined into one framing.
public struct Framing: Hashable, Sendable {
    /// The size of the stored image.
    public let source: PixelSize
    public private(set) var orientation: Orientation
    /// The part that is kept, in pixels of the oriented image.
    public private(set) var rect: PixelRect

    /// Makes the framing of the whole image.
    public init(_ source: PixelSize, _ orientation: Orientation = .upright) {
        self.source = source
        self.orientation = orientation
        rect = PixelRect(x: 0, y: 0, orientation.applied(to: source))
    }

    /// Makes the framing of an image after edits.
    ///
    /// Nil if an edit leaves nothing, or keeps a part that does not exist.
    public init?(_ source: PixelSize, _ orientation: Orientation = .upright, edits: [Edit]) {
        self.init(source, orientation)
        for edit in edits {
            guard apply(edit) else { return nil }
        }
    }

    /// The size of the whole oriented image.
    public var full: PixelSize { orientation.applied(to: source) }

    public var isUpright: Bool { orientation == .upright }
    /// Whether nothing is cut off.
    public var isWhole: Bool { rect.size == full }

    /// Returns the same orientation with another part of the oriented image.
    public func keeping(_ rect: PixelRect) -> Framing {
        var copy = self
        copy.rect = rect
        return copy
    }

    private mutating func apply(_ edit: Edit) -> Bool {
        switch edit {
        case .crop(let part):
            guard PixelRect(x: 0, y: 0, rect.size).contains(part) else { return false }
            rect = PixelRect(x: rect.x + part.x, y: rect.y + part.y, width: part.width, height: part.height)
        case .keep(let part, let whole):
            guard PixelRect(x: 0, y: 0, whole).contains(part) else { return false }
            return apply(.crop(part.scaled(from: whole, to: rect.size)))
        case .inset(let insets):
            guard let rest = insets.rest(of: rect.size) else { return false }
            return apply(.crop(rest))
        case .turn(let quarters):
            for _ in 0..<(quarters % 4 + 4) % 4 {
                rect = PixelRect(
                    x: full.height - rect.y - rect.height, y: rect.x, width: rect.height, height: rect.width)
                orientation = orientation.rotated(quarters: 1)
            }
        case .mirror:
            rect.x = full.width - rect.x - rect.width
            orientation.isMirroredAcross.toggle()
        }
        return true
    }
}
