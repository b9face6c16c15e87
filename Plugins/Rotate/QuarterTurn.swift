internal import AdapterKit
internal import PageModel

/// A clockwise rotation that moves pixels without changing them.
struct QuarterTurn: Hashable {
    /// The number of quarters of a full turn, 1 to 3.
    let quarters: Int

    static let all = (1...3).map { QuarterTurn(quarters: $0) }

    /// A quarter turn, in degrees.
    private static let unit = 90

    var degrees: Int { quarters * QuarterTurn.unit }

    var edit: PageEdit { .move(.turn(quarters: quarters)) }
}

extension QuarterTurn {
    /// Makes the rotation by 90, 180 or 270 degrees; nil for any other text.
    init?(degrees text: String) {
        guard let turn = QuarterTurn.all.first(where: { "\($0.degrees)" == text }) else { return nil }
        self = turn
    }
}
