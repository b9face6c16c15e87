/// One of the eight ways to lay a picture down: transposed or not, then mirrored or not along each axis.
public struct Orientation: Hashable, Sendable {
    /// Whether rows and columns change places, before anything is mirrored.
    public var isTransposed: Bool
    /// Whether left and right change places.
    public var isMirroredAcross: Bool
    /// Whether top and bottom change places.
    public var isMirroredDown: Bool

    public static let upright = Orientation(isTransposed: false, isMirroredAcross: false, isMirroredDown: false)

    public init(isTransposed: Bool, isMirroredAcross: Bool, isMirroredDown: Bool) {
        self.isTransposed = isTransposed
        self.isMirroredAcross = isMirroredAcross
        self.isMirroredDown = isMirroredDown
    }

    /// What makes a picture upright that bears this EXIF orientation (CIPA DC-008, tag 0x0112); nil but for 1 to 8.
    public init?(exif value: Int) {
        guard (1...8).contains(value) else { return nil }
        self.init(
            isTransposed: value > 4, isMirroredAcross: [2, 3, 6, 7].contains(value),
            isMirroredDown: [3, 4, 7, 8].contains(value))
    }

    /// This orientation, turned further by clockwise quarter turns.
    public func turned(quarters: Int) -> Orientation {
        var turned = self
        for _ in 0..<(quarters % 4 + 4) % 4 {
            // A quarter turn is a transposition, which takes the mirrors with it, and a mirroring across.
            turned = Orientation(
                isTransposed: !turned.isTransposed, isMirroredAcross: !turned.isMirroredDown,
                isMirroredDown: turned.isMirroredAcross)
        }
        return turned
    }

    /// The size a picture of `size` has when it is laid down like this.
    public func applied(to size: PixelSize) -> PixelSize {
        isTransposed ? PixelSize(width: size.height, height: size.width) : size
    }
}
