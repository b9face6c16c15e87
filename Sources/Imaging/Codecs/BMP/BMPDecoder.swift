internal import PageModel

/// A decoder for BMP without a library: palettes of 1 to 8 bits, run lengths, 16 to 32 bits with and without masks.
enum BMPDecoder {
    static func decode(_ file: [UInt8], maximumPixels: Int) throws(PictureFault) -> DecodedImage {
        let header = try BMPHeader(ByteReader(file))
        try header.size.check(.bmp, maximumPixels: maximumPixels)
        guard header.start <= file.count else { throw .endsTooEarly(.bmp) }
        var raster: Raster
        switch header.compression {
        case .runs4, .runs8:
            let indexes = try BMPRunLengths(file[header.start...], header).decode()
            raster = Raster(size: header.size, format: .palette(bits: 8, colors: header.palette), samples: indexes)
                .withWholePalette().withSmallIndexes()
        case .none where header.bits <= 8:
            let rows = try rows(file, header)
            raster = Raster(
                size: header.size, format: .palette(bits: header.bits, colors: header.palette), samples: rows
            ).withWholePalette()
        case .none, .bitFields, .bitFieldsWithAlpha:
            let rows = try rows(file, header)
            raster = header.bits == 24 ? swapped(rows, header.size) : try unmasked(rows, header)
        }
        raster.resolution = header.resolution
        raster.iccProfile = header.iccProfile
        return DecodedImage(raster: raster)
    }

    /// Returns the rows from the top down, without the padding to four bytes.
    private static func rows(_ file: [UInt8], _ header: BMPHeader) throws(PictureFault) -> [UInt8] {
        let row = (header.size.width * header.bits + 7) / 8
        let step = (row + 3) / 4 * 4
        // Some writers omit the last row's padding. A number bounded by the file's size does not overflow.
        guard (file.count - header.start + step - row) / step >= header.size.height else { throw .endsTooEarly(.bmp) }
        var rows: [UInt8] = []
        rows.reserveCapacity(row * header.size.height)
        for y in 0..<header.size.height {
            let start = header.start + step * (header.isTopDown ? y : header.size.height - 1 - y)
            rows += file[start..<start + row]
        }
        return rows
    }

    /// Returns the samples with blue, green, red reordered to red, green, blue.
    private static func swapped(_ rows: [UInt8], _ size: PixelSize) -> Raster {
        var rows = rows
        rows.withUnsafeMutableBufferPointer { rows in
            for start in stride(from: 0, to: rows.count - 2, by: 3) { rows.swapAt(start, start + 2) }
        }
        return Raster(size: size, format: .rgb(bits: 8), samples: rows)
    }

    /// Returns pixels of 16 or 32 bits, with each color in the bits of its mask.
    private static func unmasked(_ rows: [UInt8], _ header: BMPHeader) throws(PictureFault) -> Raster {
        let channels = header.masks.map { Channel($0) }
        guard channels.prefix(3).contains(where: { $0.maximum > 0 }) else {
            throw .isBroken(.bmp, "its masks are empty")
        }
        let bytes = header.bits / 8
        var pixels: [UInt8] = []
        pixels.reserveCapacity(4 * header.size.area)
        var alphas: UInt8 = 0
        for start in stride(from: 0, to: rows.count, by: bytes) {
            var value: UInt32 = 0
            for byte in 0..<bytes { value |= UInt32(rows[start + byte]) << UInt32(8 * byte) }
            for channel in channels.prefix(3) { pixels.append(channel.level(value)) }
            let alpha = channels[3].level(value)
            alphas |= alpha
            pixels.append(alpha)
        }
        // If everything would be invisible, the writer did not use alpha.
        if alphas > 0 { return Raster(size: header.size, format: .rgba(bits: 8), samples: pixels) }
        let opaque = [UInt8](unsafeUninitializedCapacity: 3 * header.size.area) { output, count in
            for pixel in 0..<header.size.area {
                for part in 0..<3 { output[3 * pixel + part] = pixels[4 * pixel + part] }
            }
            count = 3 * header.size.area
        }
        return Raster(size: header.size, format: .rgb(bits: 8), samples: opaque)
    }

    /// One color in the bits of a pixel.
    private struct Channel {
        private let mask: UInt32
        private let shift: UInt32
        /// The highest value of the color; 0 if it has no bits.
        let maximum: UInt64

        init(_ mask: UInt32) {
            self.mask = mask
            shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
            maximum = UInt64(mask >> shift)
        }

        /// Returns the value scaled to 0...255, rounded to the nearest.
        func level(_ pixel: UInt32) -> UInt8 {
            guard maximum > 0 else { return 0 }
            return UInt8((UInt64((pixel & mask) >> shift) * 255 + maximum / 2) / maximum)
        }
    }
}

/// The run lengths of a BMP of 4 or 8 bits: pairs of a count and a value, and escapes that begin with 0.
struct BMPRunLengths {
    private let data: ArraySlice<UInt8>
    private let header: BMPHeader
    private let isNibbles: Bool
    private var indexes: [UInt8]
    private var place: Int
    private var x = 0
    /// The current row, counted from the first row stored.
    private var row = 0

    init(_ data: ArraySlice<UInt8>, _ header: BMPHeader) {
        self.data = data
        self.header = header
        isNibbles = header.compression == .runs4
        place = data.startIndex
        // Pixels that the data skip have the first color.
        indexes = [UInt8](repeating: 0, count: header.size.area)
    }

    /// Returns the indexes, a byte each, from the top down.
    ///
    /// - Throws: `PictureFault` if the data end before the mark that ends the image.
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
        // Some writers omit the mark at the end.
        guard row >= header.size.height || (row == header.size.height - 1 && x >= header.size.width) else {
            throw .endsTooEarly(.bmp)
        }
        return indexes
    }

    /// Copies that many indexes literally; they are padded to an even number of bytes.
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

    /// Sets a pixel and drops a pixel outside the image.
    private mutating func put(_ index: Int) {
        if x < header.size.width, row < header.size.height {
            let y = header.isTopDown ? row : header.size.height - 1 - row
            indexes[y * header.size.width + x] = UInt8(index)
        }
        x += 1
    }
}
