internal import PageModel

/// The run lengths of a BMP of 4 or 8 bits: pairs of a count and a value, and escapes that begin with 0.
struct BMPRunLengths {
    private let data: ArraySlice<UInt8>
    private let header: BMPHeader
    private let isNibbles: Bool
    private var indexes: [UInt8]
    private var place: Int
    private var x = 0
    /// Counted from the first row stored.
    private var row = 0

    init(_ data: ArraySlice<UInt8>, _ header: BMPHeader) {
        self.data = data
        self.header = header
        isNibbles = header.compression == .runs4
        place = data.startIndex
        // What the data pass over has the first colour.
        indexes = [UInt8](repeating: 0, count: header.size.area)
    }

    /// The indexes, a byte each, from the top down.
    ///
    /// - Throws: `PictureFault` when the data end before the picture is marked to.
    consuming func decode() throws(PictureFault) -> [UInt8] {
        while let count = next() {
            guard let value = next() else { break }
            switch (count, value) {
            case (0, 0):
                x = 0
                row += 1
            case (0, 1):
                return indexes
            case (0, 2):
                guard let right = next(), let down = next() else { throw .endsTooEarly(.bmp) }
                x += right
                row += down
            case (0, _):
                try copy(value)
            default:
                for index in 0..<count { put(isNibbles ? index % 2 == 0 ? value >> 4 : value & 15 : value) }
            }
        }
        // Some writers leave out the mark at the end.
        guard row >= header.size.height || (row == header.size.height - 1 && x >= header.size.width) else {
            throw .endsTooEarly(.bmp)
        }
        return indexes
    }

    /// So many indexes as they are, filled up to an even number of bytes.
    private mutating func copy(_ count: Int) throws(PictureFault) {
        let bytes = isNibbles ? (count + 1) / 2 : count
        for byte in 0..<bytes {
            guard let value = next() else { throw .endsTooEarly(.bmp) }
            if isNibbles {
                put(value >> 4)
                if 2 * byte + 1 < count { put(value & 15) }
            } else {
                put(value)
            }
        }
        if bytes % 2 == 1 { _ = next() }
    }

    private mutating func next() -> Int? {
        guard place < data.endIndex else { return nil }
        defer { place += 1 }
        return Int(data[place])
    }

    /// Sets a pixel; what lies beyond the picture is dropped.
    private mutating func put(_ index: Int) {
        if x < header.size.width, row < header.size.height {
            let y = header.isTopDown ? row : header.size.height - 1 - row
            indexes[y * header.size.width + x] = UInt8(index)
        }
        x += 1
    }
}
