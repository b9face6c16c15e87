package import PageModel

/// The limits of the search for letters on a curved page.
///
/// Measured on: eleven photographs and scans near a binding, the examples of page-dewarp and Leptonica, with
/// `Benchmarks/flatten_accuracy.py`. No measurement of a single number was recorded.
enum LetterPieceLimits {
    /// The minimum height in pixels: lower letters do not determine their position well enough.
    static let minimumHeight = 5
    /// The maximum height, as the page's shorter side divided by this.
    static let maximumHeight = 12
    /// The maximum ratio of a mark's longer to its shorter side, if it counts for the usual height: rules and borders
    /// are longer.
    static let maximumRatio = Ratio(6, 1)
    /// The width of a piece, in heights of letters.
    static let pieceWidth = 1.2
    /// The sizes of a blob that is split into pieces, in heights of letters.
    static let blob = LetterShape(heights: 0.4...LetterShape.any.upperBound, widths: 0...24)
    /// The height of a piece, in heights of letters: this excludes dots, rules, and two lines that touch.
    static let pieceHeights = 0.4...2.2
    /// The maximum height of a blob: this many heights of letters, and this share of its width, because a line may
    /// climb.
    static let maximumBlob = (height: 2.4, shareOfWidth: 0.4)
    /// The maximum number of pieces of a blob. Only a guard: its maximum width allows fewer.
    static let maximumPieces = 100
    /// The distance of a pixel's middle from its edges, in pixels.
    static let halfPixel = 0.5
}

/// The possible letters on a page, in pixels of its preview.
///
/// Letters that touch are split into pieces about as wide as they are high.
package struct Letters: Sendable {
    /// A letter, or a piece of a wider blob.
    package struct Piece: Sendable {
        package var left: Double
        package var right: Double
        /// The height of its upper and its lower edge on the flat page, as far as that is known.
        package var top: Double
        package var bottom: Double

        package var middle: Double { (left + right) / 2 }
    }

    package let size: PixelSize
    /// The usual height of a letter; half of the ink is in lower ones.
    package let height: Double
    private let strokes: Strokes
    /// For each blob, the number of its pieces; 0 for a blob that is not a letter.
    private let counts: [Int]

    /// Returns nil if nothing has the size of letters.
    package init?(_ raster: Raster) {
        size = raster.size
        strokes = Strokes(raster)
        guard let usual = Letters.usualHeight(strokes.blobs, size) else { return nil }
        let height = Double(usual)
        self.height = height
        counts = strokes.blobs.map { blob in
            let (width, highest) = (Double(blob.box.width), LetterPieceLimits.maximumBlob)
            guard LetterPieceLimits.blob.matches(blob.box, unit: height),
                Double(blob.box.height) <= highest.height * height + highest.shareOfWidth * width
            else { return 0 }
            return Int(
                clamping: (width / (LetterPieceLimits.pieceWidth * height)).rounded(),
                to: 1...LetterPieceLimits.maximumPieces)
        }
    }

    /// Returns the height of the letters with the middle of all ink; nil without letters.
    private static func usualHeight(_ blobs: [Strokes.ConnectedComponent], _ size: PixelSize) -> Int? {
        let (lowest, ratio) = (LetterPieceLimits.minimumHeight, LetterPieceLimits.maximumRatio)
        let highest = max(lowest, min(size.width, size.height) / LetterPieceLimits.maximumHeight)
        let shape = LetterShape(
            heights: Double(lowest)...Double(highest), maximumWidthRatio: ratio, maximumHeightRatio: ratio)
        let letters = blobs.filter { shape.matches($0.box) }.sorted { $0.box.height < $1.box.height }
        var ink = letters.reduce(0) { $0 + $1.area } / 2
        return letters.first { blob in
            ink -= blob.area
            return ink <= 0
        }?.box.height
    }

    /// Returns the pieces from left to right.
    ///
    /// - Parameter rise: the upward distance from a place of the page to that on the flat page; 0 while it is unknown.
    package func pieces(rise: (_ x: Double, _ y: Double) -> Double) -> [Piece] {
        var firsts: [Int] = []
        var pieces: [Piece] = []
        for (blob, count) in zip(strokes.blobs, counts) {
            firsts.append(pieces.count)
            let width = Double(blob.box.width) / Double(max(1, count))
            for index in 0..<count {
                let left = Double(blob.box.left) + Double(index) * width
                pieces.append(Piece(left: left, right: left + width, top: .infinity, bottom: -.infinity))
            }
        }
        for run in strokes.runs where counts[Int(run.blob)] > 0 {
            let blob = strokes.blobs[Int(run.blob)]
            let (first, count) = (firsts[Int(run.blob)], counts[Int(run.blob)])
            let from = (Int(run.start) - blob.box.left) * count / blob.box.width
            let to = (Int(run.end) - 1 - blob.box.left) * count / blob.box.width
            for index in from...to {
                let piece = pieces[first + index]
                let middle = (max(piece.left, Double(run.start)) + min(piece.right, Double(run.end))) / 2
                let y = Double(run.row) + LetterPieceLimits.halfPixel
                let level = y + rise(middle, y)
                pieces[first + index].top = min(piece.top, level - LetterPieceLimits.halfPixel)
                pieces[first + index].bottom = max(piece.bottom, level + LetterPieceLimits.halfPixel)
            }
        }
        return pieces.filter { LetterPieceLimits.pieceHeights.contains(($0.bottom - $0.top) / height) }
            .sorted { ($0.left, $0.top) < ($1.left, $1.top) }
    }
}
