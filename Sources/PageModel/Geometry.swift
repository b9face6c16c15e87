/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels; the largest `Int` if the product overflows, because headers can be wrong.
    public var area: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// Returns the size after a rotation by a number of clockwise quarter turns.
    public func rotated(quarters: Int) -> PixelSize {
        quarters.isMultiple(of: 2) ? self : PixelSize(width: height, height: width)
    }

    /// Returns the size after every `factor` by `factor` pixels become one; the last of a row or column represent
    /// fewer.
    public func reduced(by factor: Int) -> PixelSize {
        PixelSize(width: (width + factor - 1) / factor, height: (height + factor - 1) / factor)
    }
}

extension PixelSize {
    /// Returns the most common of some sizes, the first of them if several are equally common; nil without sizes.
    public static func mostCommon(of sizes: [PixelSize]) -> PixelSize? {
        var counts: [PixelSize: Int] = [:]
        for size in sizes { counts[size, default: 0] += 1 }
        let maximum = counts.values.max()
        return sizes.first { counts[$0] == maximum }
    }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { "\(width)x\(height)" }
}

/// A rectangle of whole pixels; the origin is the top left corner.
public struct PixelRect: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public init(x: Int, y: Int, _ size: PixelSize) {
        self.init(x: x, y: y, width: size.width, height: size.height)
    }

    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// Whether `other` is inside this rectangle and is not empty.
    public func contains(_ other: PixelRect) -> Bool {
        other.x >= x && other.y >= y && other.width > 0 && other.height > 0
            && other.width <= width - (other.x - x) && other.height <= height - (other.y - y)
    }

    /// Returns the same part of an image of another size. The result is the smallest rectangle that covers all of it.
    ///
    /// - Precondition: this rectangle is inside an image of size `old`.
    public func scaled(from old: PixelSize, to new: PixelSize) -> PixelRect {
        if old == new { return self }
        func span(_ start: Int, _ length: Int, _ old: Int, _ new: Int) -> (start: Int, length: Int) {
            let first = start * new / old
            let end = min(new, ((start + length) * new + old - 1) / old)
            return (min(first, new - 1), max(1, end - first))
        }
        let across = span(x, width, old.width, new.width)
        let down = span(y, height, old.height, new.height)
        return PixelRect(x: across.start, y: down.start, width: across.length, height: down.length)
    }
}

/// The pixels per inch, across and down.
public struct Resolution: Hashable, Sendable {
    public var horizontal: Double
    public var vertical: Double

    public init(horizontal: Double, vertical: Double) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Makes the same resolution across and down.
    public init(_ both: Double) {
        self.init(horizontal: both, vertical: both)
    }

    /// Returns the pixels per inch across that a page of a book probably has.
    ///
    /// Many files state the resolution of another size of the image. If the page would be tiny or huge, its size is that of
    /// a paperback.
    public static func probable(_ stated: Resolution?, of size: PixelSize) -> Double {
        let side = Double(min(size.width, size.height))
        if let stated, stated.horizontal > 0, (3...14).contains(side / stated.horizontal) { return stated.horizontal }
        return max(1, side / 5.5)
    }

    /// Returns the resolution after a rotation by a number of quarter turns.
    public func rotated(quarters: Int) -> Resolution {
        quarters.isMultiple(of: 2) ? self : Resolution(horizontal: vertical, vertical: horizontal)
    }
}

/// Conversions from `Double` to `Int` that never trap. Files may contain any values: a page of 1e300 pixels, a
/// resolution of infinity. `Int(_:)` ends the program for such values.
extension Int {
    /// Makes the whole number nearest to `value`; nil for NaN and numbers outside `range`.
    ///
    /// - Parameter range: the allowed values, by default those of `Int`.
    public init?(checked value: Double, in range: ClosedRange<Int> = .min ... .max) {
        guard let whole = Int(exactly: value.rounded()), range.contains(whole) else { return nil }
        self = whole
    }

    /// Makes the whole number of `range` that is nearest to `value`; its lower bound for NaN.
    public init(clamping value: Double, to range: ClosedRange<Int>) {
        if value.isNaN {
            self = range.lowerBound
        } else if let whole = Int(checked: value) {
            self = Swift.min(Swift.max(whole, range.lowerBound), range.upperBound)
        } else {
            self = value < 0 ? range.lowerBound : range.upperBound
        }
    }
}
