internal import PageModel

// How people type what is to be done to pictures.

extension Insets {
    /// As in CSS: one length is for all sides, two are for top and bottom and for the sides.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let lengths = parts.compactMap(Length.init)
        guard lengths.count == parts.count else { return nil }
        switch lengths.count {
        case 1: self.init(top: lengths[0], right: lengths[0], bottom: lengths[0], left: lengths[0])
        case 2: self.init(top: lengths[0], right: lengths[1], bottom: lengths[0], left: lengths[1])
        case 4: self.init(top: lengths[0], right: lengths[1], bottom: lengths[2], left: lengths[3])
        default: return nil
        }
    }
}

extension Insets.Length {
    /// "40", "40px" or "5%".
    fileprivate init?(_ text: Substring) {
        if text.hasSuffix("%") {
            guard let share = Double(text.dropLast()), (0..<100).contains(share) else { return nil }
            self = .percent(share)
        } else {
            let digits = text.hasSuffix("px") ? text.dropLast(2) : text
            guard let count = Int(digits), (0...1_000_000).contains(count) else { return nil }
            self = .pixels(count)
        }
    }
}

extension FitBox {
    /// "1072x1448"; a side that is left out may have any length.
    init?(_ text: String, enlarges: Bool) {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.contains(where: { !$0.isEmpty }) else { return nil }
        let lengths = sides.map { Int($0) }
        guard zip(sides, lengths).allSatisfy({ $0.isEmpty || $1.map { (1...100_000).contains($0) } ?? false }) else {
            return nil
        }
        self.init(width: lengths[0], height: lengths[1], enlarges: enlarges)
    }
}

extension Tones {
    /// "10,95": black and white in percent, each with a percent sign or without.
    init?(levels text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let values = parts.compactMap { Double($0.hasSuffix("%") ? $0.dropLast() : $0) }
        guard parts.count == 2, values.count == 2, values[0] >= 0, values[0] < values[1], values[1] <= 100 else {
            return nil
        }
        self.init(black: values[0] / 100, white: values[1] / 100)
    }
}
