internal import CDeflate

/// A PNG as it is stored, read without any code of jisui's.
struct PNGFile {
    struct Unreadable: Error {
        let why: String
    }

    let width: Int
    let height: Int
    let depth: Int
    /// 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGB with alpha.
    let colorType: Int
    let palette: [UInt8]
    /// The rows before filtering, each beginning a byte.
    let samples: [UInt8]
    let rowBytes: Int

    init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw Unreadable(why: "no signature")
        }
        var header: [UInt8] = []
        var (palette, packed): ([UInt8], [UInt8]) = ([], [])
        var index = 8
        while index + 12 <= bytes.count {
            let count = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
            let kind = String(decoding: bytes[index + 4..<index + 8], as: UTF8.self)
            let data = bytes[(index + 8)..<(index + 8 + count)]
            switch kind {
            case "IHDR": header = Array(data)
            case "PLTE": palette = Array(data)
            case "IDAT": packed += data
            default: break
            }
            index += 12 + count
        }
        guard header.count == 13, header[12] == 0 else { throw Unreadable(why: "no header, or interlaced") }
        width = header[0..<4].reduce(0) { $0 << 8 | Int($1) }
        height = header[4..<8].reduce(0) { $0 << 8 | Int($1) }
        depth = Int(header[8])
        colorType = Int(header[9])
        self.palette = palette
        let bits = depth * PNGFile.channels(colorType)
        rowBytes = (width * bits + 7) / 8
        samples = try PNGFile.unfiltered(
            PNGFile.inflated(packed, count: (rowBytes + 1) * height), rowBytes: rowBytes, step: max(1, bits / 8))
    }

    var color: String { [0: "gray", 2: "rgb", 3: "palette"][colorType] ?? "other" }

    /// The pixels as red, green and blue of 8 bits; what has more keeps its upper ones.
    var rgb: [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        let channels = PNGFile.channels(colorType)
        for y in 0..<height {
            for x in 0..<width {
                if colorType == 3 {
                    let entry = sample(x, y) * 3
                    pixels += palette[entry..<entry + 3]
                } else {
                    let first = x * channels
                    for channel in channels < 3 ? [0, 0, 0] : [0, 1, 2] {
                        let value = sample(first + channel, y)
                        pixels.append(UInt8(depth == 16 ? value >> 8 : value * 255 / (1 << depth - 1)))
                    }
                }
            }
        }
        return pixels
    }

    /// The samples with the bits after the end of each row 0, which PNG leaves to whoever writes it.
    var cleanSamples: [UInt8] {
        let unused = rowBytes * 8 - width * depth * PNGFile.channels(colorType)
        var clean = samples
        for end in stride(from: rowBytes - 1, to: clean.count, by: rowBytes) { clean[end] &= 0xFF << UInt8(unused) }
        return clean
    }

    /// A sample by its place in a row.
    private func sample(_ place: Int, _ y: Int) -> Int {
        let bit = place * depth
        let index = y * rowBytes + bit / 8
        if depth == 16 { return Int(samples[index]) << 8 | Int(samples[index + 1]) }
        return Int(samples[index]) >> (8 - depth - bit % 8) & (1 << depth - 1)
    }

    private static func channels(_ colorType: Int) -> Int { [2: 3, 4: 2, 6: 4][colorType] ?? 1 }

    private static func inflated(_ packed: [UInt8], count: Int) throws -> [UInt8] {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw Unreadable(why: "no memory") }
        defer { libdeflate_free_decompressor(decompressor) }
        var result = LIBDEFLATE_SUCCESS
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            result = libdeflate_zlib_decompress(
                decompressor, packed, packed.count, buffer.baseAddress, count, &filled)
        }
        guard result == LIBDEFLATE_SUCCESS, bytes.count == count else { throw Unreadable(why: "bad data") }
        return bytes
    }

    /// - Parameter step: the bytes from a sample to the one left of it.
    private static func unfiltered(_ filtered: [UInt8], rowBytes: Int, step: Int) throws -> [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(filtered.count)
        var above = [UInt8](repeating: 0, count: rowBytes)
        for start in stride(from: 0, to: filtered.count, by: rowBytes + 1) {
            var row = Array(filtered[(start + 1)..<(start + 1 + rowBytes)])
            for index in row.indices {
                let left = index < step ? 0 : Int(row[index - step])
                let corner = index < step ? 0 : Int(above[index - step])
                let up = Int(above[index])
                let guess =
                    switch filtered[start] {
                    case 0: 0
                    case 1: left
                    case 2: up
                    case 3: (left + up) / 2
                    case 4: paeth(left, up, corner)
                    default: throw Unreadable(why: "no such filter")
                    }
                row[index] &+= UInt8(guess)
            }
            samples += row
            above = row
        }
        return samples
    }

    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
        let estimate = left + up - corner
        let (a, b, c) = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
        return a <= b && a <= c ? left : b <= c ? up : corner
    }
}
