import PageModel
import Scratch

/// A YCbCr JPEG of random coefficients, with a choice of Huffman tables that libjpeg never makes.
enum SharedTableJPEG {
    /// The size of an MCU: chroma has half the size.
    private static let unit = 16
    /// For each component, the number of its blocks in an MCU across and down.
    private static let factors = [2, 1, 1]

    /// The symbols of differences and of coefficients. All codes of a table have the same length.
    private static let differences = [UInt8](0...11)
    private static let coefficients: [UInt8] = {
        var symbols: [UInt8] = [0x00, 0xF0]
        for run in UInt8(0)...15 {
            for size in UInt8(1)...10 { symbols.append(run << 4 | size) }
        }
        return symbols
    }()
    private static let lengths = (difference: 4, coefficient: 8)

    /// - Parameters:
    ///   - tables: for each component, the number of its pair of tables.
    ///   - restartInterval: the MCUs between restart markers; nil without such markers.
    static func random(
        _ size: PixelSize, tables: [Int], restartInterval: Int? = nil, using random: inout SplitMix
    ) -> [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        func add(_ marker: UInt8, _ contents: [UInt8]) {
            file += [0xFF, marker] + word(contents.count + 2) + contents
        }
        add(0xDB, [0] + [UInt8](repeating: 8, count: 64))
        var (components, selectors): ([UInt8], [UInt8]) = ([], [])
        for (index, factor) in factors.enumerated() {
            components += [UInt8(index + 1), UInt8(factor * 0x11), 0]
            selectors += [UInt8(index + 1), UInt8(tables[index] * 0x11)]
        }
        let frame: [UInt8] = word(size.height) + word(size.width)
        add(0xC0, [8] + frame + [3] + components)
        for number in Set(tables).sorted() {
            add(0xC4, table(UInt8(number), lengths.difference, rotated(differences, number)))
            add(0xC4, table(UInt8(0x10 | number), lengths.coefficient, rotated(coefficients, number)))
        }
        if let restartInterval { add(0xDD, word(restartInterval)) }
        add(0xDA, [3] + selectors + [0, 63, 0])
        let count = ((size.width + unit - 1) / unit) * ((size.height + unit - 1) / unit)
        var (bits, last) = (Bits(), [0, 0, 0])
        for place in 0..<count {
            if let restartInterval, place > 0, place.isMultiple(of: restartInterval) {
                bits.finish()
                bits.bytes += [0xFF, 0xD0 + UInt8((place / restartInterval - 1) & 7)]
                last = [0, 0, 0]
            }
            for (component, factor) in factors.enumerated() {
                for _ in 0..<factor * factor {
                    put(&bits, tables[component], &last[component], &random)
                }
            }
        }
        bits.finish()
        return file + bits.bytes + [0xFF, 0xD9]
    }

    /// Writes a block.
    private static func put(_ bits: inout Bits, _ number: Int, _ last: inout Int, _ random: inout SplitMix) {
        func put(_ symbol: Int, of symbols: [UInt8], _ length: Int, value: Int, _ size: Int) {
            let code = rotated(symbols, number).firstIndex(of: UInt8(symbol)) ?? 0
            bits.put(code, length)
            bits.put(value, size)
        }
        let average = Int.random(in: -100...100, using: &random)
        let difference = average - last
        last = average
        let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
        let value = (difference < 0 ? difference - 1 : difference) & (1 << size - 1)
        put(size, of: differences, lengths.difference, value: value, size)
        var place = 1
        while true {
            let (run, size) = (Int.random(in: 0...20, using: &random), Int.random(in: 1...3, using: &random))
            place += run + 1
            guard place <= 64 else { break }
            if run > 15 { put(0xF0, of: coefficients, lengths.coefficient, value: 0, 0) }
            let value = Int.random(in: 0..<1 << size, using: &random)
            put((run & 15) << 4 | size, of: coefficients, lengths.coefficient, value: value, size)
            // The last coefficient ends the block.
            if place == 64 { return }
        }
        put(0x00, of: coefficients, lengths.coefficient, value: 0, 0)
    }

    /// Returns the symbols in an order of the table's own.
    private static func rotated(_ symbols: [UInt8], _ number: Int) -> [UInt8] {
        Array(symbols.dropFirst(5 * number)) + symbols.prefix(5 * number)
    }

    private static func table(_ head: UInt8, _ length: Int, _ symbols: [UInt8]) -> [UInt8] {
        var counts = [UInt8](repeating: 0, count: 16)
        counts[length - 1] = UInt8(symbols.count)
        return [head] + counts + symbols
    }

    private static func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

    /// Coded data.
    private struct Bits {
        var bytes: [UInt8] = []
        private var rest = 0
        private var count = 0

        mutating func put(_ value: Int, _ width: Int) {
            rest = rest << width | value
            count += width
            while count >= 8 {
                count -= 8
                let byte = UInt8(rest >> count)
                // A zero tells it from a marker.
                bytes += byte == 0xFF ? [byte, 0] : [byte]
                rest &= 1 << count - 1
            }
        }

        mutating func finish() {
            let width = (8 - count) & 7
            put(1 << width - 1, width)
        }
    }
}
