internal import PageModel

/// How much is left around what is printed.
enum Margin: Equatable, Sendable {
    /// Of the shorter side of the box that it is kept around: that is what will fill the screen.
    case percent(Double)
    case pixels(Int)
    case millimetres(Double)

    /// A length as it is typed: `2%`, `3mm`, `20px` or `20`, which are pixels as well; nil when it is none.
    init?(_ text: String) {
        func number(_ unit: String) -> Double? {
            guard text.hasSuffix(unit), text.dropLast(unit.count).allSatisfy({ "0123456789.".contains($0) }),
                let number = Double(text.dropLast(unit.count)), number.isFinite, number >= 0
            else { return nil }
            return number
        }
        if let share = number("%"), share <= 100 {
            self = .percent(share)
        } else if let length = number("mm"), length <= 1000 {
            self = .millimetres(length)
        } else if let count = number("px") ?? number(""), let whole = Int(exactly: count), whole <= 100_000 {
            self = .pixels(whole)
        } else {
            return nil
        }
    }

    /// The pixels across and down around a box; nil when the page does not say how large it is on paper.
    func pixels(around size: PixelSize, _ resolution: Resolution?) -> (across: Int, down: Int)? {
        switch self {
        case .percent(let share):
            let length = Margin.pixels(Double(min(size.width, size.height)) * share / 100)
            return (length, length)
        case .pixels(let count):
            return (count, count)
        case .millimetres(let length):
            guard let resolution, resolution.horizontal > 0, resolution.vertical > 0 else { return nil }
            return (
                Margin.pixels(length / 25.4 * resolution.horizontal), Margin.pixels(length / 25.4 * resolution.vertical)
            )
        }
    }

    /// No picture is larger than the upper bound, whatever resolution it states; sums of a few of them do not overflow.
    private static func pixels(_ exact: Double) -> Int { Int(clamping: exact, to: 0...1 << 30) }
}
