extension PageLabels {
    /// A reading of a label that can be continued: the prefix, the style and the value of its number.
    private struct Numbered: Equatable {
        let style: String?
        let prefix: String
        let number: Int

        func isFollowed(by next: Numbered) -> Bool {
            style != nil && next == Numbered(style: style, prefix: prefix, number: number + 1)
        }
    }

    /// Returns the number tree of these labels (ISO 32000-1, 12.4.2). It is for the catalog's key `PageLabels`.
    ///
    /// - Parameter labels: one per page; nil without one.
    /// - Returns: nil without any labels.
    package static func tree(of labels: [String?]) -> PDFValue? {
        guard labels.contains(where: { $0 != nil }) else { return nil }
        var entries: [PDFValue] = []
        var last: Numbered?
        for (index, label) in labels.enumerated() {
            let readings = PageLabels.readings(of: label ?? "")
            if let before = last, let next = readings.first(where: before.isFollowed) {
                last = next
                continue
            }
            // The reading that the next page continues is the better one: "c" may be a letter or a hundred.
            let following = index + 1 < labels.count ? PageLabels.readings(of: labels[index + 1] ?? "") : []
            let reading = readings.first { one in following.contains(where: one.isFollowed) } ?? readings[0]
            var entry: [String: PDFValue] = [:]
            if let style = reading.style { entry["S"] = .name(style) }
            if !reading.prefix.isEmpty { entry["P"] = .text(reading.prefix) }
            if reading.style != nil, reading.number != 1 { entry["St"] = .integer(reading.number) }
            entries += [.integer(index), .dictionary(entry)]
            last = reading
        }
        return .dictionary(["Nums": .array(entries)])
    }

    /// Returns all possible readings of a label; the last one is the label as a prefix without a number.
    private static func readings(of label: String) -> [Numbered] {
        var readings: [Numbered] = []
        let digits = String(label.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
        if let number = Int(digits), number > 0, String(number) == digits {
            readings.append(Numbered(style: "D", prefix: String(label.dropLast(digits.count)), number: number))
        }
        let letters = String(label.reversed().prefix { $0.isASCII && $0.isLetter }.reversed())
        let prefix = String(label.dropLast(letters.count))
        for style in ["r", "R", "a", "A"] {
            if let number = number(letters, style) {
                readings.append(Numbered(style: style, prefix: prefix, number: number))
            }
        }
        return readings + [Numbered(style: nil, prefix: label, number: 1)]
    }

    /// Returns the number with these letters in this style; nil for invalid letters.
    private static func number(_ letters: String, _ style: String) -> Int? {
        guard !letters.isEmpty else { return nil }
        let upper = letters.uppercased()
        guard letters == (style == "r" || style == "a" ? letters.lowercased() : upper) else { return nil }
        if style == "a" || style == "A" {
            guard let letter = upper.utf8.first, upper.utf8.allSatisfy({ $0 == letter }) else { return nil }
            return 26 * (upper.utf8.count - 1) + Int(letter - UInt8(ascii: "A")) + 1
        }
        let values: [Character: Int] = ["M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1]
        var total = 0
        var highest = 0
        for letter in upper.reversed() {
            guard let value = values[letter] else { return nil }
            total += value < highest ? -value : value
            highest = max(highest, value)
            if total > 9999 { return nil }
        }
        return total > 0 && roman(total) == upper ? total : nil
    }
}
