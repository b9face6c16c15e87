/// What is cut off the four sides of a page.
public struct Insets: Hashable, Sendable {
    /// How much of a side.
    public enum Length: Hashable, Sendable {
        case pixels(Int)
        /// Of the page's width for left and right, of its height for top and bottom.
        case percent(Double)

        func pixels(of whole: Int) -> Int {
            switch self {
            case .pixels(let count): count
            case .percent(let share): Int((Double(whole) * share / 100).rounded())
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

    /// What is left of a picture of `size`; nil when that is nothing.
    public func rest(of size: PixelSize) -> PixelRect? {
        let (top, left) = (top.pixels(of: size.height), left.pixels(of: size.width))
        let rest = PixelRect(
            x: left, y: top, width: size.width - left - right.pixels(of: size.width),
            height: size.height - top - bottom.pixels(of: size.height))
        return PixelRect(x: 0, y: 0, size).contains(rest) ? rest : nil
    }
}
