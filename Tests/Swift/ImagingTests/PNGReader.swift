import CDeflate
import PageModel

/// Reads a PNG as its specification says, trusting nothing.
struct PNGReader {
    struct Broken: Error {
        let why: String
    }

    let chunks: [(type: String, data: [UInt8])]
    let raster: Raster
    /// The filter of each row.
    let filters: [UInt8]

    init(_ file: [UInt8]) throws {
        guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]) else { throw Broken(why: "signature") }
        var chunks: [(type: String, data: [UInt8])] = []
        var rest = file[8...]
        while !rest.isEmpty {
            guard rest.count >= 12 else { throw Broken(why: "cut chunk") }
            let count = PNGReader.number(rest.prefix(4))
            guard rest.count >= 12 + count else { throw Broken(why: "cut chunk") }
            let body = rest.dropFirst(4).prefix(4 + count)
            guard PNGReader.checksum(body) == PNGReader.number(rest.dropFirst(8 + count).prefix(4)) else {
                throw Broken(why: "checksum")
            }
            chunks.append((String(decoding: body.prefix(4), as: UTF8.self), Array(body.dropFirst(4))))
            rest = rest.dropFirst(12 + count)
        }
        guard chunks.first?.type == "IHDR", chunks.last?.type == "IEND", let header = chunks.first?.data,
            header.count == 13, header[10...] == [0, 0, 0]
        else { throw Broken(why: "header") }
        let all = chunks
        func data(_ type: String) -> [UInt8]? { all.first { $0.type == type }?.data }
        let size = PixelSize(width: PNGReader.number(header[0..<4]), height: PNGReader.number(header[4..<8]))
        let bits = Int(header[8])
        let format: PixelFormat
        switch header[9] {
        case 0: format = .gray(bits: bits)
        case 2: format = .rgb(bits: bits)
        case 3: format = .palette(bits: bits, colors: data("PLTE") ?? [])
        case 4: format = .grayAlpha(bits: bits)
        case 6: format = .rgba(bits: bits)
        default: throw Broken(why: "color type \(header[9])")
        }
        let row = Raster.bytesPerRow(width: size.width, format: format)
        let stream = all.filter { $0.type == "IDAT" }.flatMap(\.data)
        let filtered = try PNGReader.inflated(stream, to: (row + 1) * size.height)
        let (samples, filters) = try PNGReader.unfiltered(filtered, size, format)
        var raster = Raster(size: size, format: format, samples: samples)
        if let profile = data("iCCP") {
            guard let end = profile.firstIndex(of: 0), profile[end + 1] == 0 else { throw Broken(why: "iCCP") }
            raster.iccProfile = try PNGReader.inflated(Array(profile[(end + 2)...]), to: nil)
        }
        if let density = data("pHYs") {
            guard density.count == 9, density[8] == 1 else { throw Broken(why: "pHYs") }
            raster.resolution = Resolution(
                horizontal: Double(PNGReader.number(density[0..<4])) * 0.0254,
                vertical: Double(PNGReader.number(density[4..<8])) * 0.0254)
        }
        self.chunks = chunks
        self.filters = filters
        self.raster = raster
    }

    /// Undoes the filters of the rows (PNG clause 9).
    private static func unfiltered(
        _ filtered: [UInt8], _ size: PixelSize, _ format: PixelFormat
    ) throws -> (samples: [UInt8], filters: [UInt8]) {
        let step = max(1, format.bitsPerPixel / 8)
        var samples: [UInt8] = []
        var filters: [UInt8] = []
        let row = Raster.bytesPerRow(width: size.width, format: format)
        for y in 0..<size.height {
            let filter = filtered[y * (row + 1)]
            filters.append(filter)
            for x in 0..<row {
                let left = x >= step ? Int(samples[y * row + x - step]) : 0
                let up = y > 0 ? Int(samples[(y - 1) * row + x]) : 0
                let corner = x >= step && y > 0 ? Int(samples[(y - 1) * row + x - step]) : 0
                let guess = try PNGReader.guess(filter, left, up, corner)
                samples.append(filtered[y * (row + 1) + 1 + x] &+ UInt8(guess))
            }
        }
        return (samples, filters)
    }

    private static func guess(_ filter: UInt8, _ left: Int, _ up: Int, _ corner: Int) throws -> Int {
        switch filter {
        case 0: return 0
        case 1: return left
        case 2: return up
        case 3: return (left + up) / 2
        case 4:
            let estimate = left + up - corner
            let distances = [abs(estimate - left), abs(estimate - up), abs(estimate - corner)]
            let nearest = distances.firstIndex(of: min(distances[0], distances[1], distances[2]))
            return [left, up, corner][nearest ?? 0]
        default: throw Broken(why: "filter \(filter)")
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// CRC-32 bit by bit (PNG annex D).
    private static func checksum(_ bytes: some Sequence<UInt8>) -> Int {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Int(~sum)
    }

    /// - Parameter count: how many bytes there must be; nil when that is not known.
    private static func inflated(_ data: [UInt8], to count: Int?) throws -> [UInt8] {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw Broken(why: "memory") }
        defer { libdeflate_free_decompressor(decompressor) }
        var bytes = [UInt8](repeating: 0, count: count ?? 1 << 20)
        var actual = 0
        let result = libdeflate_zlib_decompress(decompressor, data, data.count, &bytes, bytes.count, &actual)
        guard result == LIBDEFLATE_SUCCESS, count ?? actual == actual else { throw Broken(why: "zlib stream") }
        return Array(bytes.prefix(actual))
    }
}
