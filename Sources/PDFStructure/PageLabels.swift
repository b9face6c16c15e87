/// The labels of a document's pages, such as "iv" or "A-12" (ISO 32000-1, 12.4.2).
package struct PageLabels {
    /// A range of consecutively numbered pages, up to the next range.
    private struct Range {
        let first: Int
        let style: String?
        let prefix: String
        let start: Int
    }

    private let ranges: [Range]
    /// The maximum length in bytes.
    private static let maximumPrefixBytes = 256

    /// Reads the labels.
    ///
    /// - Parameter catalog: the document's root dictionary.
    package init(_ catalog: PDFObject) {
        var ranges: [Range] = []
        PDFTree.walk(catalog["PageLabels"], key: "Nums") { index, label in
            guard let first = index.integer, first >= 0, label.kind == .dictionary else { return }
            ranges.append(
                Range(
                    first: first, style: label["S"].name,
                    prefix: label["P"].text(upTo: PageLabels.maximumPrefixBytes) ?? "",
                    start: max(1, label["St"].integer ?? 1)))
        }
        self.ranges = ranges.sorted { $0.first < $1.first }
    }

    /// Returns the label of a page, counted from 0; nil when it has none.
    package subscript(index: Int) -> String? {
        // The last range that begins at the page or before it.
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].first <= index { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let range = ranges[low - 1]
        let (number, isTooLarge) = range.start.addingReportingOverflow(index - range.first)
        if isTooLarge { return nil }
        let text =
            switch range.style {
            case "D": String(number)
            case "R": PageLabels.roman(number)
            case "r": PageLabels.roman(number).lowercased()
            case "A": PageLabels.letters(number)
            case "a": PageLabels.letters(number).lowercased()
            default: ""
            }
        let label = range.prefix + text
        return label.isEmpty ? nil : label
    }

    static func roman(_ number: Int) -> String {
        guard number < 10_000 else { return String(number) }
        let steps = [
            (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
            (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
        ]
        var rest = number
        var text = ""
        for (value, letters) in steps {
            while rest >= value {
                text += letters
                rest -= value
            }
        }
        return text
    }

    /// Returns A to Z, then AA to ZZ, AAA to ZZZ.
    private static func letters(_ number: Int) -> String {
        let (count, letter) = (number - 1).quotientAndRemainder(dividingBy: 26)
        guard count < 40 else { return String(number) }
        let scalar = Unicode.Scalar(UInt8(ascii: "A") + UInt8(letter))
        return String(repeating: Character(scalar), count: count + 1)
    }
}
