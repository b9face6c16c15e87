internal import PageModel

/// The structure of a progressive JPEG with Huffman codes (ITU-T T.81, annex G), as needed to change some of its blocks.
struct ProgressiveImage {
    /// The image's tables, size and components, as a sequential image of one scan. Its codes have all symbols.
    let outline: SequentialScan
    let scans: [ProgressiveScan]

    /// More scans than programs write. Reading one may take as long as reading a whole image.
    private static let maximumScans = 64

    /// - Returns: nil for any other JPEG, an invalid one, and one with restart markers. It is also nil if the scans leave out
    ///   bits of a coefficient.
    init?(_ file: [UInt8]) {
        guard let header = JPEGHeader(file), header.frame == .progressive, header.restartInterval == nil,
            let outline = ProgressiveImage.outline(of: header, file)
        else { return nil }
        var scans: [ProgressiveScan] = []
        var codes: [Int: JPEGCode] = [:]
        var place = 2
        repeat {
            guard scans.count < ProgressiveImage.maximumScans,
                let scan = ProgressiveScan(file, from: place, of: header, &codes, isFirst: scans.isEmpty)
            else { return nil }
            scans.append(scan)
            place = scan.data.marker
        } while file[place + 1] != 0xD9
        self.outline = outline
        self.scans = scans
        guard hasAllBits else { return nil }
    }

    /// Whether the scans have each bit of each coefficient once, the highest first (G.1.1.1).
    private var hasAllBits: Bool {
        // The bits that are missing; nil for coefficients that no scan had.
        var missing = outline.components.map { _ in [Int?](repeating: nil, count: 64) }
        for scan in scans {
            for component in scan.components {
                let isFirstOfBlock = scan.frequencies.lowerBound == 0
                guard isFirstOfBlock || missing[component][0] != nil else { return false }
                for place in scan.frequencies {
                    guard missing[component][place] == scan.knownLow else { return false }
                    missing[component][place] = scan.low
                }
            }
        }
        return missing.allSatisfy { $0.allSatisfy { $0 == 0 } }
    }

    /// Codes in which all symbols of an image of 8 bits have words of equal length. They are fast to make, not short.
    private static let plainCodes = [
        JPEGCode(counts: [0, 0, 0, 12] + [Int](repeating: 0, count: 12), symbols: Array(0...11)),
        JPEGCode(
            counts: [Int](repeating: 0, count: 7) + [16 * 11] + [Int](repeating: 0, count: 8),
            symbols: (0..<16).flatMap { run in (0...10).map { UInt8(run << 4 | $0) } }),
    ].compactMap { $0 }

    private static func outline(of header: JPEGHeader, _ file: [UInt8]) -> SequentialScan? {
        var bytes: [UInt8] = [0xFF, 0xD8]
        for segment in JPEGSegments(ByteReader(file)) where ![0xC4, 0xDA].contains(segment.marker) {
            SequentialScan.append(segment.marker == 0xC2 ? 0xC0 : segment.marker, segment.contents.array, to: &bytes)
        }
        for (number, code) in plainCodes.enumerated() {
            SequentialScan.append(0xC4, [UInt8(number << 4)] + code.table, to: &bytes)
        }
        let selectors: [UInt8] = header.components.flatMap { [UInt8($0.id), 0] }
        SequentialScan.append(0xDA, [UInt8(header.components.count)] + selectors + [0, 63, 0], to: &bytes)
        return SequentialScan(bytes)
    }
}
