internal import Marks
internal import PageModel

/// The possible letters on a page, in pixels of its preview.
///
/// Letters that touch are split into pieces about as wide as they are high.
struct Letters {
    /// A letter, or a piece of a wider blob.
    struct Piece {
        var left: Double
        var right: Double
        /// The height of its upper and its lower edge on the flat page, as far as that is known.
        var top: Double
        var bottom: Double

        var middle: Double { (left + right) / 2 }
    }

    let size: PixelSize
    /// The usual height of a letter; half of the ink is in lower ones.
    let height: Double
    private let strokes: Strokes
    /// For each blob, the number of its pieces; 0 for a blob that is not a letter.
    private let counts: [Int]

    /// Returns nil if nothing has the size of letters.
    init?(_ raster: Raster) {
        size = raster.size
        strokes = Strokes(raster)
        let maximum = min(size.width, size.height) / FlattenLimits.Letters.maximumHeight
        let ratio = FlattenLimits.Letters.maximumRatio
        let heights = strokes.blobs.filter { blob in
            let box = blob.box
            return (FlattenLimits.Letters.minimumHeight...max(FlattenLimits.Letters.minimumHeight, maximum)).contains(
                box.height)
                && box.width <= ratio * box.height && box.height <= ratio * box.width
        }.sorted { $0.box.height < $1.box.height }
        var ink = heights.reduce(0) { $0 + $1.area } / 2
        guard
            let usual = heights.first(where: { blob in
                ink -= blob.area
                return ink <= 0
            })?.box.height
        else { return nil }
        let height = Double(usual)
        self.height = height
        let highest = FlattenLimits.Letters.maximumBlob
        counts = strokes.blobs.map { blob in
            let (width, maximum) = (
                Double(blob.box.width), highest.height * height + highest.shareOfWidth * Double(blob.box.width)
            )
            guard width <= FlattenLimits.Letters.maximumWidth * height, Double(blob.box.height) <= maximum,
                Double(blob.box.height) >= FlattenLimits.Letters.pieceHeights.lowerBound * height
            else { return 0 }
            return max(
                1,
                Int(
                    clamping: (width / (FlattenLimits.Letters.pieceWidth * height)).rounded(),
                    to: 1...FlattenLimits.Letters.maximumPieces))
        }
    }

    /// Returns the pieces from left to right.
    ///
    /// - Parameter surface: the surface that gives the height of a visible place on the flat page. Nil while it is unknown.
    func pieces(_ surface: LineSurface?) -> [Piece] {
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
                let y = Double(run.row) + 0.5
                let level = y + (surface?.rise(at: middle, y) ?? 0)
                pieces[first + index].top = min(piece.top, level - 0.5)
                pieces[first + index].bottom = max(piece.bottom, level + 0.5)
            }
        }
        return pieces.filter { FlattenLimits.Letters.pieceHeights.contains(($0.bottom - $0.top) / height) }
            .sorted { ($0.left, $0.top) < ($1.left, $1.top) }
    }
}
