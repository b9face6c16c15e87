/// A change to a page's image, as data: a request that changes no pixels by itself.
///
/// Edits apply in order; each refers to the result of the edits before it.
public enum PageEdit: Sendable {
    /// Only moves pixels.
    case move(Edit)
    /// Changes pixels.
    case change(any PageOperation)

    /// Whether each remaining pixel keeps its value.
    public var keepsPixels: Bool { if case .move = self { true } else { false } }

    /// The operation that changes pixels, if any.
    public var operation: (any PageOperation)? { if case .change(let operation) = self { operation } else { nil } }

    /// Whether the edit means the same for a merged page and for each of its parts.
    public var isSameForParts: Bool { operation?.isSameForParts ?? false }

    /// Returns the size of an image of `size` after the edit.
    ///
    /// Nil if nothing would remain, or if the image lacks the part to keep.
    public func applied(to size: PixelSize) -> PixelSize? {
        switch self {
        case .move(let edit): edit.applied(to: size)
        case .change(let operation): operation.size(after: size)
        }
    }
}

extension PageEdit: Hashable {
    public static func == (one: PageEdit, other: PageEdit) -> Bool {
        switch (one, other) {
        case (.move(let one), .move(let other)): one == other
        case (.change(let one), .change(let other)): AnyHashable(one) == AnyHashable(other)
        case (.move, .change), (.change, .move): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .move(let edit): hasher.combine(edit)
        case .change(let operation): hasher.combine(AnyHashable(operation))
        }
    }
}

extension [PageEdit] {
    /// Returns the size of an image of `size` after these edits.
    public func applied(to size: PixelSize) -> PixelSize {
        reduce(size) { $1.applied(to: $0) ?? $0 }
    }

    /// The edits before the first that changes pixels.
    public var leadingMoves: [Edit] {
        prefix(while: \.keepsPixels).compactMap { if case .move(let edit) = $0 { edit } else { nil } }
    }
}
