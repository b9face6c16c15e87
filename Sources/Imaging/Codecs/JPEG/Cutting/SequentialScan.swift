internal import PageModel

internal import func Glibc.memchr

/// The structure of a JPEG with a single Huffman-coded scan, as needed to navigate its coded data.
///
/// Nearly all JPEGs that are not progressive are of this kind.
struct SequentialScan {
    /// A component, with the number of its blocks in an MCU across and down.
    struct Component {
        let across: Int
        let down: Int
        let difference: JPEGCode
        let coefficients: JPEGCode
        /// The number of its pair of codes; components with equal pairs share their tables.
        let coding: Int

        var blockCount: Int { across * down }
    }

    /// The segments before the coded data.
    let segments: [JPEGSegments.Segment]
    let size: PixelSize
    /// The size of an MCU in pixels.
    let grid: PixelSize
    let components: [Component]
    /// The number of MCUs across and down.
    var mcuCount: PixelSize {
        PixelSize(
            width: (size.width + grid.width - 1) / grid.width, height: (size.height + grid.height - 1) / grid.height)
    }
    /// The number of MCUs between restart markers; nil without such markers.
    let restartInterval: Int?
    /// The offset of the coded data.
    let dataOffset: Int

    /// - Returns: nil for any other JPEG, and for an invalid one.
    init?(_ file: [UInt8]) {
        // The limit of libjpeg.
        let maximum = 65_500
        guard let header = JPEGHeader(file), header.frame == .baseline || header.frame == .extended,
            let grid = header.grid, let size = header.size, size.width <= maximum,
            size.height <= maximum, let scanOffset = header.scanOffset
        else { return nil }
        segments = Array(JPEGSegments(ByteReader(file)))
        guard let scan = segments.last, scan.offset == scanOffset, SequentialScan.areSound(segments) else { return nil }
        var codes: [Int: JPEGCode] = [:]
        for segment in segments where segment.marker == 0xC4 {
            guard SequentialScan.read(segment.contents, into: &codes) else { return nil }
        }
        let count = header.components.count
        guard scan.contents.count == 4 + 2 * count, scan.contents.uint8(at: 0) == count,
            // The whole spectrum in one scan.
            scan.contents.has([0, 63, 0], at: 1 + 2 * count)
        else { return nil }
        var components: [Component] = []
        var codings: [Int: Int] = [:]
        for (index, component) in header.components.enumerated() {
            guard scan.contents.uint8(at: 1 + 2 * index) == component.id,
                let places = scan.contents.uint8(at: 2 + 2 * index),
                let difference = codes[places >> 4], let coefficients = codes[0x10 | places & 15],
                header.tables[component.quantisationTable] != nil
            else { return nil }
            let coding = codings[places] ?? codings.count
            codings[places] = coding
            // A single component is stored block by block, regardless of its factors (A.2.2).
            components.append(
                Component(
                    across: count == 1 ? 1 : component.horizontal, down: count == 1 ? 1 : component.vertical,
                    difference: difference, coefficients: coefficients, coding: coding))
        }
        // B.2.3.
        guard components.reduce(0, { $0 + $1.across * $1.down }) <= 10 else { return nil }
        self.components = components
        self.size = size
        self.grid = grid
        restartInterval = header.restartInterval
        dataOffset = scanOffset + 4 + scan.contents.count
    }

    /// Whether the segments are contiguous, have valid lengths, and contain exactly one frame.
    private static func areSound(_ segments: [JPEGSegments.Segment]) -> Bool {
        var end = 2
        var frames = 0
        for segment in segments {
            let contents = segment.contents
            guard segment.offset == end else { return false }
            end = segment.offset + 4 + contents.count
            switch segment.marker {
            case 0xC4, 0xDA, 0xE0...0xEF, 0xFE: break
            case 0xDB: if !areQuantisationTables(contents) { return false }
            case 0xDD: if contents.count != 2 { return false }
            case 0xC0, 0xC1:
                guard contents.count == 6 + 3 * (contents.uint8(at: 5) ?? 0) else { return false }
                frames += 1
            default: return false
            }
        }
        return frames == 1
    }

    /// Whether a DQT segment holds complete tables with valid numbers (B.2.4.1).
    private static func areQuantisationTables(_ contents: ByteReader) -> Bool {
        var offset = 0
        while let head = contents.uint8(at: offset) {
            guard head >> 4 <= 1, head & 15 <= 3 else { return false }
            offset += head >> 4 == 0 ? 65 : 129
        }
        return offset == contents.count
    }

    /// Reads the codes of a DHT segment (B.2.4.2) by their class and number.
    static func read(_ contents: ByteReader, into codes: inout [Int: JPEGCode]) -> Bool {
        var offset = 0
        while let head = contents.uint8(at: offset) {
            let counts = (1...16).compactMap { contents.uint8(at: offset + $0) }
            guard counts.count == 16,
                let symbols = contents.part(at: offset + 17, count: counts.reduce(0, +)),
                let code = JPEGCode(counts: counts, symbols: symbols.array),
                // Two classes of four tables; no difference has more than 15 bits.
                head >> 4 <= 1, head & 15 <= 3, head >> 4 == 1 || symbols.array.allSatisfy({ $0 <= 15 })
            else { return false }
            codes[head] = code
            offset += 17 + symbols.count
        }
        return true
    }

    /// Returns the header for a part of the image, without restart markers and without a thumbnail of the whole.
    func header(for size: PixelSize) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        for segment in segments where segment.marker != 0xDD {
            var contents = segment.contents.array
            switch segment.marker {
            case 0xE0 where segment.contents.has("JFIF\0") && contents.count >= 14:
                contents = contents.prefix(12) + [0, 0]
            case 0xC0, 0xC1:
                contents.replaceSubrange(
                    1..<5,
                    with: [size.height >> 8, size.height, size.width >> 8, size.width].map {
                        UInt8(truncatingIfNeeded: $0)
                    })
                if components.count == 1 { contents[7] = 0x11 }
            default: break
            }
            SequentialScan.append(segment.marker, contents, to: &bytes)
        }
        return bytes
    }

    /// Appends a segment to a file.
    static func append(_ marker: UInt8, _ contents: [UInt8], to file: inout [UInt8]) {
        let length = contents.count + 2
        file += [0xFF, marker, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + contents
    }
}

/// The coded data of a JPEG's scan as the encoder produces them.
///
/// They lack the zeros that distinguish data from markers (ITU-T T.81, B.1.1.5).
struct CodedData {
    /// The data, followed by `slack` zeros.
    let bytes: [UInt8]
    /// The end of each restart interval; the last is the end of the data.
    let ends: [Int]
    /// The offset in the file of the marker after the data.
    let marker: Int

    /// The most bytes read beyond the end before the end is noticed: ten blocks of the longest codes.
    static let slack = 10 * 64 * 4 + 8

    /// - Returns: nil unless they end with an end-of-image marker, and restart markers are in order and not too many.
    init?(_ file: [UInt8], of scan: SequentialScan) {
        let maximumRestarts = scan.restartInterval.map { (scan.mcuCount.area - 1) / $0 } ?? 0
        self.init(
            file, from: scan.dataOffset, maximumRestarts: maximumRestarts, reserving: file.count - scan.dataOffset)
        guard file[marker + 1] == 0xD9 else { return nil }
    }

    /// - Parameters:
    ///   - offset: the offset of the first byte.
    ///   - expected: the number of bytes, if it is known. Most scans of a file are much shorter than it.
    /// - Returns: nil unless a marker ends them, and restart markers are in order and not too many.
    init?(_ file: [UInt8], from offset: Int, maximumRestarts: Int = 0, reserving expected: Int = 0) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(expected + CodedData.slack)
        var ends: [Int] = []
        let marker = file.withUnsafeBytes { file -> Int? in
            guard let base = file.baseAddress else { return nil }
            var place = offset
            while let found = memchr(base + place, 0xFF, file.count - place).map({ UnsafeRawPointer($0) - base }),
                found + 1 < file.count
            {
                let code = file[found + 1]
                bytes.append(contentsOf: file[place..<found + (code == 0 ? 1 : 0)])
                switch code {
                case 0: break
                case 0xFF:
                    // Any number of fill bytes may precede a marker (B.1.1.2), but not a byte of the data: decoders disagree on
                    // the result.
                    place = found + 1
                    if found + 2 < file.count, file[found + 2] == 0 { return nil }
                    continue
                case 0xD0...0xD7:
                    guard code == 0xD0 + UInt8(ends.count & 7), ends.count < maximumRestarts else { return nil }
                    ends.append(bytes.count)
                default: return found
                }
                place = found + 2
            }
            return nil
        }
        guard let marker else { return nil }
        self.marker = marker
        self.ends = ends + [bytes.count]
        bytes.append(contentsOf: repeatElement(0, count: CodedData.slack))
        self.bytes = bytes
    }

    /// Appends coded data to a file, with the zeros that distinguish them from markers.
    static func append(_ bytes: [UInt8], to file: inout [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            var place = 0
            while let found = memchr(base + place, 0xFF, bytes.count - place).map({ UnsafeRawPointer($0) - base }) {
                file.append(contentsOf: bytes[place...found])
                file.append(0)
                place = found + 1
            }
            file.append(contentsOf: bytes[place...])
        }
    }
}
