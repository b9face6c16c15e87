/// The blur that the paper causes in the print on its other side: a mix of two radii.
///
/// A blur that is too weak makes the strength of the print too low, because its thin lines are spread more widely.
struct PaperBlur: Sendable {
    private let radius: Int
    /// The share of the next radius in the mix.
    private let share: Float

    /// - Parameter print: the print on the other side of each pixel of a page.
    init(_ side: LeafSide, _ print: Plane) {
        let (columns, rows) = (0..<side.paper.width, 0..<side.paper.height)
        func fits(_ plane: Plane) -> (sum: Float, squares: Float) {
            side.products(plane, columns, rows, step: 1, offset: 0)
        }
        var best: (score: Float, radius: Int) = (-.infinity, ShowThroughLimits.radii.lowerBound)
        var blurred: [Int: Plane] = [:]
        for radius in ShowThroughLimits.radii {
            let plane = print.blurred(radius: radius).withoutLayout(on: side.paper)
            let (sum, squares) = fits(plane)
            let score = sum / max(squares, 1e-9).squareRoot()
            blurred[radius] = plane
            if score > best.score { best = (score, radius) }
        }
        // The best mix is that of the best radius and a neighbor.
        var mix: (score: Float, radius: Int, share: Float) = (best.score, best.radius, 0)
        for radius in best.radius - 1...best.radius {
            guard let one = blurred[radius], let other = blurred[radius + 1] else { continue }
            for part in 1...3 {
                let share = Float(part) / 4
                let (sum, squares) = fits(one.mixed(with: other, share: share))
                let score = sum / max(squares, 1e-9).squareRoot()
                if score > mix.score { mix = (score, radius, share) }
            }
        }
        (radius, share) = (mix.radius, mix.share)
    }

    func applied(to print: Plane) -> Plane {
        let one = print.blurred(radius: radius)
        return share > 0 ? one.mixed(with: print.blurred(radius: radius + 1), share: share) : one
    }
}

extension Plane {
    fileprivate func mixed(with other: Plane, share: Float) -> Plane {
        var result = self
        for place in values.indices { result.values[place] += share * (other.values[place] - values[place]) }
        return result
    }
}
