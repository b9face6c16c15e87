internal import func Glibc.exp

/// The print of the other side that shines through a page: where it is, how blurred and how strong.
struct ShowThrough: Sendable {
    private var warp: LeafWarp
    private let blur: PaperBlur
    /// The optical density that black print of the other side adds, for each block of the page.
    private(set) var strengths: [Float]
    /// The strength on the whole page.
    private(set) var strength: Float = 0

    /// - Parameters:
    ///   - x: the shift of the middles across, in pixels.
    ///   - y: the shift down.
    init(_ front: LeafSide, _ back: LeafSide, x: Float, y: Float) {
        let (width, height) = (front.paper.width, front.paper.height)
        let print = back.darkness.mirrored
        let across = ShowThroughLimits.blocksAcross
        warp = LeafWarp(x: x / 2, y: y / 2, across: across, down: ShowThroughLimits.blocksDown(width, height))
        warp.refine(front.reduced(by: 2), print.reduced(by: 2), reach: ShowThroughLimits.wideReach, bends: false)
        warp = warp.doubled
        let soft = print.blurred(radius: 1)
        for bends in [false, true] { warp.refine(front, soft, reach: ShowThroughLimits.closeReach, bends: bends) }
        let behind = warp.applied(to: print, width: width, height: height)
        blur = PaperBlur(front, behind)
        strengths = [Float](repeating: 0, count: across * warp.down)
        estimate(front.density.reduced(by: 2), blur.applied(to: behind).reduced(by: 2), front.paper.reduced(by: 2))
    }

    /// Estimates the strength, each time without the pixels that the last estimate does not explain: those of art.
    private mutating func estimate(_ density: Plane, _ print: Plane, _ paper: Plane) {
        var paper = paper
        for place in paper.values.indices where paper.values[place] < 1 { paper.values[place] = 0 }
        let (width, height) = (paper.width, paper.height)
        for _ in 0..<ShowThroughLimits.passes {
            var stain = density.withoutLayout(on: paper)
            let shade = print.withoutLayout(on: paper)
            var sums = [Float](repeating: 0, count: strengths.count)
            var squares = sums
            for y in 0..<height {
                let row = y * warp.down / height * warp.across
                for x in 0..<width {
                    let (block, place) = (row + x * warp.across / width, y * width + x)
                    sums[block] += stain.values[place] * shade.values[place]
                    squares[block] += shade.values[place] * shade.values[place]
                }
            }
            let total = squares.reduce(0, +)
            strength = min(max(0, sums.reduce(0, +) / max(total, 1e-6)), ShowThroughLimits.strongest)
            // A block that shows little gets the strength of the page.
            let weight = ShowThroughLimits.uniformity * total / Float(strengths.count)
            strengths = zip(sums, squares).map { sum, squares in
                min(max(0, (sum + weight * strength) / (squares + weight + 1e-6)), ShowThroughLimits.strongest)
            }
            for place in stain.values.indices { stain.values[place] -= strength * shade.values[place] }
            let limit = ShowThroughLimits.clip * stain.usualDistance(on: paper)
            for place in stain.values.indices where abs(stain.values[place]) > limit { paper.values[place] = 0 }
        }
    }

    /// Returns the share of light that the print of the other side leaves at each pixel.
    func remains(_ back: LeafSide, width: Int, height: Int) -> Plane {
        var result = blur.applied(to: warp.applied(to: back.darkness.mirrored, width: width, height: height))
        let columns = GridPlace.all(width, warp.across)
        for y in 0..<height {
            let row = GridPlace(y, height, warp.down)
            let nodes = (0..<warp.across).map { x in
                let (upper, lower) = (strengths[row.first * warp.across + x], strengths[row.next * warp.across + x])
                return upper + (lower - upper) * row.share
            }
            for x in 0..<width {
                let column = columns[x]
                let strength = nodes[column.first] + (nodes[column.next] - nodes[column.first]) * column.share
                result.values[y * width + x] = exp(-strength * result.values[y * width + x])
            }
        }
        return result
    }
}
