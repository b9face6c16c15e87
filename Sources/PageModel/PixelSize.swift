/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels; saturates instead of overflowing, since headers can lie.
    public var area: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// The size after turning by a number of clockwise quarter turns.
    public func turned(quarters: Int) -> PixelSize {
        quarters.isMultiple(of: 2) ? self : PixelSize(width: height, height: width)
    }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { "\(width)x\(height)" }
}
