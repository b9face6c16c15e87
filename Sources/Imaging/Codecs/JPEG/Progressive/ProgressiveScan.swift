internal import PageModel

/// A scan of a progressive JPEG: some bits of some frequencies (ITU-T T.81, G.1.1.1).
struct ProgressiveScan {
    enum Kind {
        /// The high bits of the first coefficients, as differences from the block before.
        case firstDifferences
        /// A further bit of the first coefficients.
        case laterDifferences
        /// The high bits of other coefficients.
        case firstCoefficients
        /// A further bit of other coefficients.
        case laterCoefficients
    }

    /// The metadata between the scan before and this one: whole segments.
    let metadata: [UInt8]
    /// The contents of its header segment.
    let header: [UInt8]
    /// The places of its components in the image. A scan of coefficients has one.
    let components: [Int]
    /// In zigzag order.
    let frequencies: ClosedRange<Int>
    /// The number of low bits that are still unknown before and after the scan. The first is nil if no bit is known.
    let knownLow: Int?
    let low: Int
    /// The codes of its symbols, and their classes and numbers in DHT segments (B.2.4.2). Single bits have no code.
    let codes: [JPEGCode]
    let codeNumbers: [UInt8]
    /// For each component, the place of its code in `codes`.
    let codePlaces: [Int]
    let data: CodedData

    /// The most low bits that a scan leaves to later ones (B.2.3).
    private static let maximumLow = 13

    var kind: Kind {
        if frequencies.lowerBound == 0 { return knownLow == nil ? .firstDifferences : .laterDifferences }
        return knownLow == nil ? .firstCoefficients : .laterCoefficients
    }

    /// Whether the blocks of several components alternate. They do so MCU by MCU.
    var isInterleaved: Bool { components.count > 1 }

    /// - Parameters:
    ///   - offset: the end of the last scan, or the first segment's offset.
    ///   - codes: the codes of all DHT segments so far, by class and number.
    ///   - isFirst: whether it is the first scan. The segments before it belong to the image.
    /// - Returns: nil for an invalid scan.
    init?(
        _ file: [UInt8], from offset: Int, of image: JPEGHeader, _ codes: inout [Int: JPEGCode], isFirst: Bool
    ) {
        var (end, metadata, header) = (offset, [UInt8](), ByteReader?.none)
        for segment in JPEGSegments(ByteReader(file), from: offset) {
            guard segment.offset == end else { return nil }
            end = segment.offset + 4 + segment.contents.count
            switch segment.marker {
            case 0xC4: if !SequentialScan.read(segment.contents, into: &codes) { return nil }
            case 0xDA: header = segment.contents
            case _ where isFirst: break
            case 0xE0...0xEF, 0xFE: metadata += file[segment.offset..<end]
            // Other tables or another restart interval.
            default: return nil
            }
        }
        guard let header, let count = header.uint8(at: 0), header.count == 4 + 2 * count,
            let first = header.uint8(at: 1 + 2 * count), let last = header.uint8(at: 2 + 2 * count),
            let bits = header.uint8(at: 3 + 2 * count), last <= 63, first == 0 ? last == 0 : first <= last,
            let data = CodedData(file, from: end)
        else { return nil }
        frequencies = first...last
        (knownLow, low) = (bits >> 4 == 0 ? nil : bits >> 4, bits & 15)
        guard low <= ProgressiveScan.maximumLow, knownLow == nil || knownLow == low + 1 else { return nil }
        var (places, found, numbers, codePlaces) = ([Int](), [JPEGCode](), [UInt8](), [Int]())
        for index in 0..<count {
            guard let id = header.uint8(at: 1 + 2 * index), let selector = header.uint8(at: 2 + 2 * index),
                let place = image.components.firstIndex(where: { $0.id == id }), (places.last ?? -1) < place
            else { return nil }
            places.append(place)
            if first == 0, knownLow != nil { continue }
            let number = first == 0 ? selector >> 4 : 0x10 | selector & 15
            guard let code = codes[number] else { return nil }
            let codePlace = numbers.firstIndex(of: UInt8(number)) ?? numbers.count
            codePlaces.append(codePlace)
            guard codePlace == numbers.count else { continue }
            found.append(code)
            numbers.append(UInt8(number))
        }
        guard count == 1 || count > 1 && first == 0 else { return nil }
        (components, self.codes, codeNumbers, self.codePlaces) = (places, found, numbers, codePlaces)
        (self.metadata, self.header, self.data) = (metadata, header.array, data)
    }
}

extension ProgressiveScan {
    /// The blocks of a component that follow each other.
    struct Unit {
        /// The component's place in the image.
        let component: Int
        /// The number of blocks. A component alone is stored block by block (A.2.2).
        let across: Int
        let down: Int
    }

    /// Returns the units of its components, which alternate.
    func units(of image: SequentialScan) -> [Unit] {
        components.map { component in
            let shape = image.components[component]
            return isInterleaved
                ? Unit(component: component, across: shape.across, down: shape.down)
                : Unit(component: component, across: 1, down: 1)
        }
    }

    /// Returns the number of units of a component across and down.
    func size(of image: SequentialScan) -> PixelSize {
        isInterleaved ? image.mcuCount : image.blocks(of: image.components[components[0]], in: image.size)
    }
}

/// Where a row of a progressive scan begins: a row of MCUs if the scan is interleaved, otherwise one of blocks.
struct RowStart {
    /// A run of blocks whose end is one symbol (ITU-T T.81, G.1.2.2).
    struct Run {
        /// The place of the symbol, and of the bits after it.
        var place = 0
        var bits = 0
        /// The number of its blocks, and of those that are still to come.
        var length = 0
        var left = 0
    }

    /// The place of the next bit in the scan's data.
    let place: Int
    /// The last run of blocks that began before it. None of it is left if it ended before, too.
    let run: Run
    /// For each component of a scan of differences, the first coefficient of its last block.
    let averages: [Int]
}

/// A scan that was read.
struct ReadScan {
    let scan: ProgressiveScan
    /// The starts of its rows, and at last its end.
    let starts: [RowStart]
    /// The places of its rare symbols.
    let rare: RareSymbols
}
