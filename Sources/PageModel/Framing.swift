/// What is shown of a picture: how it is laid down, and which part of it is kept. All edits of a page come to this.
public struct Framing: Hashable, Sendable {
    /// The size of the picture as it is stored.
    public let source: PixelSize
    public private(set) var orientation: Orientation
    /// The part that is kept, in pixels of the laid-down picture.
    public private(set) var rect: PixelRect

    /// The whole picture, laid down.
    public init(_ source: PixelSize, _ orientation: Orientation = .upright) {
        self.source = source
        self.orientation = orientation
        rect = PixelRect(x: 0, y: 0, orientation.applied(to: source))
    }

    /// The picture after some edits that only move pixels; nil when they leave nothing of it, or keep what it does not
    /// have.
    public init?(_ source: PixelSize, _ orientation: Orientation = .upright, edits: [Edit]) {
        self.init(source, orientation)
        for edit in edits {
            guard apply(edit) else { return nil }
        }
    }

    /// The whole laid-down picture.
    public var full: PixelSize { orientation.applied(to: source) }

    public var isUpright: Bool { orientation == .upright }
    public var isWhole: Bool { rect.size == full }

    /// The same with another part of the laid-down picture.
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
                orientation = orientation.turned(quarters: 1)
            }
        case .deskew, .fit, .gray, .tones, .depth:
            return false
        }
        return true
    }
}
