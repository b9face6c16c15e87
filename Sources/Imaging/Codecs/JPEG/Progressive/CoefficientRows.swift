internal import PageModel

/// The coefficients of a component as far as scans were read, in some rows of blocks. In other rows it is known only which
/// coefficients are not zero.
struct CoefficientRows {
    /// The number of blocks across and down, with those that only fill MCUs.
    let columns: Int
    let rows: Int
    /// For each block, a bit for each coefficient, in zigzag order. It is 1 if the coefficient is not zero. The first
    /// coefficient has none.
    var nonzero: [UInt64]
    /// For each row, the place of its first coefficient in `values`; -1 if they are not kept.
    let starts: [Int]
    /// The coefficients, in zigzag order, without those of rows that are not kept.
    var values: [Int16]

    /// - Parameter kept: for each row, whether its coefficients are kept.
    init(columns: Int, kept: [Bool]) {
        self.columns = columns
        rows = kept.count
        nonzero = [UInt64](repeating: 0, count: columns * kept.count)
        var (starts, end) = ([Int](), 0)
        for isKept in kept {
            starts.append(isKept ? end : -1)
            end += isKept ? 64 * columns : 0
        }
        self.starts = starts
        values = [Int16](repeating: 0, count: end)
    }

    /// Returns the place in `values` of a block's first coefficient; nil if its coefficients are not kept.
    func start(row: Int, column: Int) -> Int? {
        rows > row && columns > column && starts[row] >= 0 ? starts[row] + 64 * column : nil
    }

    /// Replaces the coefficients of a block. Returns whether one changes.
    mutating func replace(row: Int, column: Int, with block: UnsafePointer<Int16>) -> Bool {
        guard let start = start(row: row, column: column) else { return false }
        let (isChanged, mask) = values.withUnsafeMutableBufferPointer { values in
            var (difference, mask) = (0 as Int16, 0 as UInt64)
            for place in 0..<64 {
                difference |= values[start &+ place] ^ block[place]
                values[start &+ place] = block[place]
                mask |= (block[place] == 0 ? 0 : 1) &<< UInt64(place)
            }
            return (difference != 0, mask)
        }
        // The first coefficient has no bit.
        nonzero[row * columns + column] = mask & ~1
        return isChanged
    }
}
