internal import PageModel

/// The evidence for the reading direction in a page's text.
struct TextEvidence: Sendable {
    /// The order of pages that the direction of lines implies; vertical lines imply right to left.
    enum Run: Sendable {
        case leftToRight
        case rightToLeft
    }

    let run: Run?
    /// The candidates for the page's number.
    let numbers: [PrintedNumbers.Mark]

    init(_ lines: [TextLine], _ limits: DirectionLimits) {
        func count(_ directions: Set<TextLine.Direction>) -> Int {
            // Lines of rotated pages or tables prove nothing.
            lines.filter { $0.turns == 0 && directions.contains($0.direction) }.reduce(0) { $0 + $1.text.count }
        }
        let (along, against) = (count([.leftToRight]), count([.rightToLeft, .vertical]))
        let threshold = limits.shareOfCharacters * Double(along + against)
        run =
            along + against < limits.characters
            ? nil : Double(against) >= threshold ? .rightToLeft : Double(along) >= threshold ? .leftToRight : nil
        numbers = lines.filter { $0.turns == 0 }.flatMap(\.words).compactMap { PrintedNumbers.Mark($0, limits) }
    }
}
