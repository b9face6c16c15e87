package import PageModel

/// An overlay on an image, as the change that it makes to each of the image's pixels.
///
/// Paint that covers, mixes with or multiplies the image below changes each channel of a pixel by a factor and an addend. Both
/// follow from the results for black and white, so the overlay does not depend on the image.
package struct OverlayPixels: Sendable, Hashable {
    /// A part of the image, with everything that lies over it.
    package struct Area: Sendable, Hashable {
        /// The part, in pixels of the image.
        package var rect: PixelRect
        /// The colors that black pixels become, row by row: red, green and blue, or one level if all colors are neutral.
        package internal(set) var black: [UInt8]
        /// The colors that white pixels become.
        package internal(set) var white: [UInt8]

        /// - Precondition: `black` and `white` hold one byte for each pixel, or three.
        package init(_ rect: PixelRect, black: [UInt8], white: [UInt8]) {
            let count = rect.width * rect.height
            precondition(black.count == count || black.count == 3 * count)
            precondition(white.count == black.count)
            self.rect = rect
            self.black = black
            self.white = white
        }

        /// The number of bytes for each pixel: 1 or 3.
        var channels: Int { black.count == rect.width * rect.height ? 1 : 3 }

        /// Returns the number of touched pixels within a rectangle of the image.
        fileprivate func touchedCount(in other: PixelRect) -> Int {
            let (left, top) = (max(rect.x, other.x), max(rect.y, other.y))
            let right = min(rect.x + rect.width, other.x + other.width)
            let bottom = min(rect.y + rect.height, other.y + other.height)
            guard left < right, top < bottom else { return 0 }
            var count = 0
            for y in top..<bottom {
                let row = (y - rect.y) * rect.width - rect.x
                for pixel in row + left..<row + right where touches(pixel) { count += 1 }
            }
            return count
        }
    }

    /// The levels of 255 by which the channels of gray may differ. The black of CMYK printing is shown as 35, 31 and 32.
    static let maximumTint = 8

    /// The areas, which do not overlap.
    package var areas: [Area]
    /// The visible text in the areas, on one line; nil if they have no text.
    package var text: String?

    package init(_ areas: [Area], text: String? = nil) {
        self.areas = areas
        self.text = text
    }

    /// Returns the fraction of the touched pixels that are within rectangles, 0 to 1; 1 if it touches none.
    ///
    /// - Parameter rects: rectangles that do not overlap.
    package func share(within rects: [PixelRect]) -> Double {
        var (inside, all) = (0, 0)
        for area in areas {
            all += area.touchedCount(in: area.rect)
            for rect in rects { inside += area.touchedCount(in: rect) }
        }
        return all == 0 ? 1 : Double(inside) / Double(all)
    }

    /// Whether the overlay is invisible.
    package var isEmpty: Bool { areas.isEmpty }

    /// Whether it changes all three channels alike wherever it changes a pixel.
    package var isNeutral: Bool { areas.allSatisfy { $0.neutral(tint: 0) != nil } }

    /// The overlay in gray, if it has hardly any color; otherwise the overlay itself.
    ///
    /// Black in CMYK printing is a brown that only instruments tell from black. A gray image need not become a color image for it.
    package var withoutTint: OverlayPixels {
        let neutral = areas.compactMap { $0.neutral(tint: OverlayPixels.maximumTint) }
        return neutral.count == areas.count ? OverlayPixels(neutral, text: text) : self
    }

    /// Whether it hides every detail of the image in a square with sides of that many pixels.
    ///
    /// Strokes of letters are thinner than that; boxes over a text are not.
    package func hidesSquare(of side: Int) -> Bool {
        areas.contains { area in
            // The sides of the largest hidden square that ends at each pixel of a row.
            var sides = [Int](repeating: 0, count: area.rect.width)
            for y in 0..<area.rect.height {
                var (diagonal, left) = (0, 0)
                for x in 0..<area.rect.width {
                    let above = sides[x]
                    let pixel = area.channels * (y * area.rect.width + x)
                    let isHidden = (pixel..<pixel + area.channels).allSatisfy { area.white[$0] == area.black[$0] }
                    left = isHidden ? 1 + min(diagonal, above, left) : 0
                    (sides[x], diagonal) = (left, above)
                    if left >= side { return true }
                }
            }
            return false
        }
    }
}

extension OverlayPixels.Area {
    /// Returns the area with one level for each pixel; nil if the channels of a pixel differ by more than `tint`.
    fileprivate func neutral(tint: Int) -> OverlayPixels.Area? {
        if channels == 1 { return self }
        guard let black = black.withoutTint(tint), let white = white.withoutTint(tint) else { return nil }
        return OverlayPixels.Area(rect, black: black, white: white)
    }
}

extension [UInt8] {
    /// Returns the luma (ITU-R BT.709) of each pixel of red, green and blue; nil if the channels of one differ by more than `tint`.
    fileprivate func withoutTint(_ tint: Int) -> [UInt8]? {
        var isNeutral = true
        let levels = [UInt8](unsafeUninitializedCapacity: self.count / 3) { levels, count in
            count = 0
            for pixel in stride(from: 0, to: self.count - 2, by: 3) {
                let (red, green, blue) = (Int(self[pixel]), Int(self[pixel + 1]), Int(self[pixel + 2]))
                guard Swift.max(red, green, blue) - Swift.min(red, green, blue) <= tint else {
                    return isNeutral = false
                }
                levels[count] = UInt8(clamping: (54 * red + 183 * green + 19 * blue + 128) / 256)
                count += 1
            }
        }
        return isNeutral ? levels : nil
    }
}
