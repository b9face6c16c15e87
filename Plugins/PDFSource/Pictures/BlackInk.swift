internal import PDFStructure

/// A color space of one ink: Separation, or DeviceN with one component (ISO 32000-1, 8.6.6).
enum BlackInk {
    /// Whether the full tint of the ink is black, and no tint is the paper.
    ///
    /// - Parameter items: the color space's array.
    static func isBlack(_ items: [PDFObject], _ file: PDFFile) -> Bool {
        guard items.count > 3 else { return false }
        guard ["Separation", "DeviceN"].contains(items[0].name) else { return false }
        let names = items[1].name.map { [$0] } ?? items[1].items.compactMap(\.name)
        guard names.count == 1 else { return false }
        if names == ["Black"] || names == ["All"] { return true }
        let space = items[2].name ?? items[2].item(0).name
        let count = space == "ICCBased" ? items[2].item(1)["N"].integer : components[space ?? ""]
        guard let count, let none = value(of: items[3], at: 0, file), let full = value(of: items[3], at: 1, file),
            none.count == count, full.count == count
        else { return false }
        let isCMYK = count == 4
        let (paper, black) =
            isCMYK ? ([0.0, 0, 0, 0], [0.0, 0, 0, 1]) : (none.map { _ in 1.0 }, none.map { _ in 0.0 })
        return none == paper && (full == black || isCMYK && full == [1, 1, 1, 1])
    }

    /// The numbers of components of the color spaces in which black has zeros, or the last of four inks.
    private static let components = [
        "DeviceGray": 1, "CalGray": 1, "DeviceRGB": 3, "CalRGB": 3, "DeviceCMYK": 4,
    ]

    /// Returns the value of a function of one number at an end of its domain, 0 or 1 (7.10); nil if it is unknown.
    private static func value(
        of function: PDFObject, at end: Int, _ file: PDFFile, depth: Int = 0
    ) -> [Double]? {
        guard function["Domain"].numbers == [0, 1] || depth > 0 else { return nil }
        switch function["FunctionType"].integer {
        case 0:
            // The samples at the ends are those of the table.
            guard let range = function["Range"].numbers, let count = function["Size"].item(0).integer,
                function["Size"].count == 1, let bits = function["BitsPerSample"].integer, bits == 8 || bits == 16,
                function["Decode"].isNull, function["Encode"].isNull, (1...1 << 12).contains(count),
                let table = firstBytes(count * range.count / 2 * bits / 8, of: function, file)
            else { return nil }
            let row = (end == 0 ? 0 : count - 1) * range.count / 2
            return (0..<range.count / 2).map { index in
                let place = (row + index) * bits / 8
                let sample = table[place..<place + bits / 8].reduce(0) { $0 << 8 | Int($1) }
                return range[2 * index] + (range[2 * index + 1] - range[2 * index]) * Double(sample)
                    / Double(1 << bits - 1)
            }
        case 2:
            return end == 0 ? function["C0"].numbers ?? [0] : function["C1"].numbers ?? [1]
        case 3:
            let (functions, encode) = (function["Functions"], function["Encode"].numbers ?? [])
            guard depth < 4, functions.count > 0, encode.count == 2 * functions.count else { return nil }
            let index = end == 0 ? 0 : functions.count - 1
            guard let inner = Int(exactly: encode[2 * index + end]), inner == 0 || inner == 1 else { return nil }
            return value(of: functions.item(index), at: inner, file, depth: depth + 1)
        case 4:
            guard let code = try? file.data(of: function, limit: CalculatorFunction.maximumBytes) else { return nil }
            return CalculatorFunction(code)?.value(of: Double(end))
        default: return nil
        }
    }

    /// Returns the first bytes of a decoded stream; nil if it has fewer.
    private static func firstBytes(_ count: Int, of stream: PDFObject, _ file: PDFFile) -> [UInt8]? {
        guard (1...1 << 16).contains(count), let data = try? file.data(of: stream, limit: 1 << 20),
            data.count >= count
        else { return nil }
        return Array(data.prefix(count))
    }
}
