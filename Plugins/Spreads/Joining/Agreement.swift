/// How well two edges agree, and how much that says.
struct Agreement: Sendable {
    /// −1 to 1.
    var correlation: Float
    /// How many independent places along the edge say so.
    var places: Float

    /// What would be 1 by chance more or less, were the edges strangers.
    var deviation: Float { correlation * places.squareRoot() }

    /// The log odds that edges belong together which would correlate by `expected` if they did.
    ///
    /// Fisher's transforms of correlations are spread evenly: by 1 ∕ √places, and by how pages vary besides.
    func odds(expected: Float) -> Float {
        let target = Numbers.fisher(min(0.95, Agreement.loss * expected))
        // More than expected is no less than expected.
        let found = min(target, Numbers.fisher(correlation))
        let chance = 1 / max(0.5, places)
        let (strangers, neighbours) = (chance + 0.02, chance + 0.06)
        let distance = found * found / strangers - (found - target) * (found - target) / neighbours
        // One scale alone decides nothing.
        return max(-4, min(8, (distance + Numbers.log(strangers / neighbours)) / 2))
    }

    /// Two sheets never lie as straight to each other as two halves of one.
    private static let loss: Float = 0.85
}
