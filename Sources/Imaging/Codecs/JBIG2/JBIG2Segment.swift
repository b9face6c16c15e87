/// A segment of JBIG2 data: its header and the place of its data (ITU-T T.88, 7.2).
struct JBIG2Segment {
    let number: Int
    let type: Int
    /// The numbers of the segments to which it refers.
    let references: [Int]
    let bytes: [UInt8]
    let range: Range<Int>
    /// Whether the header did not state the length of the data.
    var hasUnknownLength = false

    /// The fields of the data.
    var fields: Fields { Fields(bytes: bytes, rest: range) }

    /// A reader of big-endian numbers.
    struct Fields {
        let bytes: [UInt8]
        private(set) var rest: Range<Int>

        mutating func next(_ count: Int) throws(PictureFault) -> Int {
            guard rest.count >= count else { throw .brokenJBIG2 }
            let value = bytes[rest.prefix(count)].reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
            return value
        }

        mutating func nextSigned(_ count: Int) throws(PictureFault) -> Int {
            let value = try next(count)
            return value >> (8 * count - 1) == 0 ? value : value - 1 << (8 * count)
        }

        /// Reads the places of adaptive pixels.
        mutating func nextPlaces(_ count: Int) throws(PictureFault) -> [JBIG2Place] {
            var places: [JBIG2Place] = []
            for _ in 0..<count { places.append(JBIG2Place(try nextSigned(1), try nextSigned(1))) }
            return places
        }

        mutating func skip(_ count: Int) throws(PictureFault) {
            guard count >= 0, rest.count >= count else { throw .brokenJBIG2 }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads the segments of a stream without a file header, as a PDF has them (ISO 32000-1, 7.4.7).
    ///
    /// The last segment may end too early.
    static func all(in bytes: [UInt8]) throws(PictureFault) -> [JBIG2Segment] {
        var segments: [JBIG2Segment] = []
        var fields = Fields(bytes: bytes, rest: bytes.indices)
        while fields.rest.count >= 11 {
            let number = try fields.next(4)
            let flags = try fields.next(1)
            var count = try fields.next(1) >> 5
            if count == 7 {
                // The long form has the number in 29 bits, and a bit for each segment that is still needed.
                let low = try fields.next(3)
                count = Int(bytes[fields.rest.lowerBound - 4] & 0x1F) << 24 | low
                try fields.skip((count + 8) / 8)
            }
            let width = number <= 256 ? 1 : number <= 65_536 ? 2 : 4
            guard count <= fields.rest.count / width else { throw .brokenJBIG2 }
            var references: [Int] = []
            for _ in 0..<count { references.append(try fields.next(width)) }
            _ = try fields.next(flags & 0x40 == 0 ? 1 : 4)
            let stated = try fields.next(4)
            let isUnknown = stated == 0xFFFF_FFFF
            let length = isUnknown ? try unknownLength(fields) : min(stated, fields.rest.count)
            let start = fields.rest.lowerBound
            try fields.skip(length)
            segments.append(
                JBIG2Segment(
                    number: number, type: flags & 0x3F, references: references, bytes: bytes,
                    range: start..<start + length,
                    hasUnknownLength: isUnknown))
        }
        return segments
    }

    /// Returns the length of a generic region that does not state it: its end has two known bytes and its height.
    private static func unknownLength(_ fields: Fields) throws(PictureFault) -> Int {
        let bytes = fields.bytes[fields.rest]
        guard bytes.count > 18 else { throw .brokenJBIG2 }
        let isMMR = bytes[bytes.startIndex + 17] & 1 == 1
        let end: [UInt8] = isMMR ? [0, 0] : [0xFF, 0xAC]
        guard let found = bytes.dropFirst(18).firstRange(of: end), found.upperBound + 4 <= bytes.endIndex else {
            throw .brokenJBIG2
        }
        return found.upperBound + 4 - bytes.startIndex
    }

    /// Returns the number of bits for numbers below `count`.
    static func bits(for count: Int) -> Int { count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount }
}
