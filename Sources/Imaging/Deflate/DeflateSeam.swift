/// A way to reopen complete deflate streams (RFC 1951) at their end, so that several in a row are one stream.
///
/// Libdeflate compresses a whole buffer faster than zlib does, but has no flush. Every stream ends with a block that is marked as
/// the last, somewhere inside a byte. The offset of that block is not stored, so the stream's codes have to be followed from the
/// start. Nothing is decompressed, so this needs a small part of the compressor's time.
enum DeflateSeam {
    /// Clears the mark of the stream's last block, and makes the stream end on a byte boundary.
    ///
    /// Such streams, one after the other, and then `end`, are one stream.
    ///
    /// - Precondition: `stream` is a complete deflate stream with nothing after it.
    static func open(_ stream: inout [UInt8]) {
        guard let last = DeflateWalk.lastBlock(of: stream), (last.end + 7) / 8 == stream.count else {
            preconditionFailure("the deflate stream is incomplete")
        }
        stream[last.start / 8] &= ~(1 << UInt8(last.start % 8))
        let used = last.end % 8
        if used == 0 { return }
        // An empty stored block: three zero bits, zeros up to the next byte, the length 0 and its complement (3.2.4).
        stream[stream.count - 1] &= 1 << UInt8(used) - 1
        if used > 5 { stream.append(0) }
        stream += [0, 0, 0xFF, 0xFF]
    }

    /// The bytes that close open streams: an empty stored block marked as the last.
    static let end: [UInt8] = [1, 0, 0, 0xFF, 0xFF]
}

/// A walk along the codes of a deflate stream (RFC 1951) without decompressing it.
struct DeflateWalk {
    /// The range of a block, in bits from the stream's start.
    struct Block: Equatable {
        /// The position of the bit that marks the last block (BFINAL).
        var start: Int
        /// The position after the block's last bit.
        var end: Int
    }

    private typealias Step = DeflateCode.Step

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The position of the next bit.
    private var place = 0
    private var literals = DeflateCode(tableBits: 11)
    private var distances = DeflateCode(tableBits: 9)

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Returns the last block of a stream; nil if the data does not hold a complete one.
    static func lastBlock(of stream: [UInt8]) -> Block? {
        stream.withUnsafeBufferPointer { bytes in
            var walk = DeflateWalk(bytes)
            return walk.lastBlock()
        }
    }

    private mutating func lastBlock() -> Block? {
        while true {
            let start = place
            guard let header = take(3) else { return nil }
            let isWalked =
                switch header >> 1 {
                case 0: skipStored()
                case 1: readFixedCodes() && skipCodes()
                case 2: readCodes() && skipCodes()
                default: false
                }
            guard isWalked, place <= bytes.count * 8 else { return nil }
            if header & 1 == 1 { return Block(start: start, end: place) }
        }
    }

    /// At least 57 bits from the next one on, the first one lowest; zeros after the end of the stream.
    private var bits: UInt64 {
        let first = place >> 3
        var word: UInt64 = 0
        if first + 8 <= bytes.count {
            word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: first, as: UInt64.self)
            return UInt64(littleEndian: word) >> UInt64(place & 7)
        }
        for index in first..<max(first, min(first + 8, bytes.count)) {
            word |= UInt64(bytes[index]) << UInt64(8 * (index - first))
        }
        return word >> UInt64(place & 7)
    }

    /// Reads the next `count` bits; returns nil if fewer are left.
    private mutating func take(_ count: Int) -> Int? {
        guard place + count <= bytes.count * 8 else { return nil }
        defer { place += count }
        return Int(bits & (1 << UInt64(count) - 1))
    }

    private mutating func skipStored() -> Bool {
        place = (place + 7) & ~7
        guard let length = take(16), let complement = take(16), length == complement ^ 0xFFFF else { return false }
        place += 8 * length
        return true
    }

    /// Reads the codes that both sides know (3.2.6).
    private mutating func readFixedCodes() -> Bool {
        var lengths = [UInt8](repeating: 8, count: 288)
        for symbol in 144..<256 { lengths[symbol] = 9 }
        for symbol in 256..<280 { lengths[symbol] = 7 }
        return literals.set(lengths[...], meaning: DeflateWalk.meaningOfLiterals)
            && distances.set([UInt8](repeating: 5, count: 32)[...], meaning: DeflateWalk.meaningOfDistances)
    }

    /// Reads the codes that a block contains (3.2.7).
    private mutating func readCodes() -> Bool {
        guard let more = take(14) else { return false }
        let literalCount = 257 + more & 31
        let distanceCount = 1 + more >> 5 & 31
        var lengthLengths = [UInt8](repeating: 0, count: 19)
        for symbol in DeflateWalk.orderOfLengths.prefix(4 + more >> 10) {
            guard let length = take(3) else { return false }
            lengthLengths[symbol] = UInt8(length)
        }
        guard distances.set(lengthLengths[...]) else { return false }
        var lengths: [UInt8] = []
        lengths.reserveCapacity(literalCount + distanceCount)
        while lengths.count < literalCount + distanceCount {
            guard let (symbol, width) = distances.symbol(of: bits) else { return false }
            place += width
            switch symbol {
            case 16:
                guard let last = lengths.last, let more = take(2) else { return false }
                lengths.append(contentsOf: repeatElement(last, count: 3 + more))
            case 17:
                guard let more = take(3) else { return false }
                lengths.append(contentsOf: repeatElement(0, count: 3 + more))
            case 18:
                guard let more = take(7) else { return false }
                lengths.append(contentsOf: repeatElement(0, count: 11 + more))
            default:
                lengths.append(UInt8(symbol))
            }
        }
        return lengths.count == literalCount + distanceCount
            && literals.set(lengths[..<literalCount], meaning: DeflateWalk.meaningOfLiterals)
            && distances.set(lengths[literalCount...], meaning: DeflateWalk.meaningOfDistances)
    }

    /// Skips a block whose codes are known.
    private mutating func skipCodes() -> Bool {
        while place <= bytes.count * 8 {
            if skipQuickly() { return true }
            guard let (symbol, width) = literals.symbol(of: bits) else { return false }
            let step = DeflateWalk.meaningOfLiterals[symbol]
            if step.kind == Step.other { return false }
            place += width + step.width
            if step.kind == Step.end { return true }
            if step.kind == Step.literals { continue }
            guard let (distance, more) = distances.symbol(of: bits) else { return false }
            let stepBack = DeflateWalk.meaningOfDistances[distance]
            if stepBack.kind == Step.other { return false }
            place += more + stepBack.width
        }
        return false
    }

    /// Skips the symbols in the tables, as far as eight bytes can be read at a time.
    ///
    /// - Returns: whether the block has ended. If not, the next symbol has to be searched.
    private mutating func skipQuickly() -> Bool {
        // Deflating is little slower than this loop: it must not check twice, nor keep its position in memory.
        let literalMask = UInt64(literals.table.count - 1)
        let distanceMask = UInt64(distances.table.count - 1)
        let (end, next) = literals.table.withUnsafeBufferPointer { literals in
            distances.table.withUnsafeBufferPointer { distances in
                guard let bytes = UnsafeRawPointer(bytes.baseAddress), let literals = literals.baseAddress,
                    let distances = distances.baseAddress
                else { return (false, place) }
                let maximum = self.bytes.count - 8
                var next = place >> 3
                if next > maximum { return (false, place) }
                // The bits ahead, the number of valid ones, and the next byte.
                var word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self))
                word &>>= UInt64(truncatingIfNeeded: place & 7)
                var left = 56 - UInt64(truncatingIfNeeded: place & 7)
                next &+= 7
                while next <= maximum {
                    // 56 bits at least, filled without waiting for the bits present. Three steps of literals need up to 33.
                    // Literals, a length with its extra bits, and a distance with its own need 11 + 16 + 22.
                    word |= UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self)) &<< left
                    next &+= Int(truncatingIfNeeded: (63 &- left) &>> 3)
                    left |= 56
                    var step = literals[Int(truncatingIfNeeded: word & literalMask)]
                    if step < Step.length {
                        word &>>= UInt64(step)
                        left &-= UInt64(step)
                        step = literals[Int(truncatingIfNeeded: word & literalMask)]
                        if step < Step.length {
                            word &>>= UInt64(step)
                            left &-= UInt64(step)
                            step = literals[Int(truncatingIfNeeded: word & literalMask)]
                            if step < Step.length {
                                word &>>= UInt64(step)
                                left &-= UInt64(step)
                            }
                            continue
                        }
                    }
                    let width = UInt64(step & 0x3F)
                    if step >= Step.end {
                        let place = 8 &* next &- Int(left)
                        return step < Step.other ? (true, place &+ Int(width)) : (false, place)
                    }
                    let distance = distances[Int(truncatingIfNeeded: word &>> width & distanceMask)]
                    if distance >= Step.end { return (false, 8 &* next &- Int(left)) }
                    word &>>= width &+ UInt64(distance & 0x3F)
                    left &-= width &+ UInt64(distance & 0x3F)
                }
                return (false, 8 &* next &- Int(left))
            }
        }
        place = next
        return end
    }

    /// The order of the lengths of the code for lengths (3.2.7).
    private static let orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// Literals, the end, and lengths with 0 to 5 extra bits (3.2.5); the last two never occur.
    private static let meaningOfLiterals: [Step] =
        [Step](repeating: Step(Step.literals, width: 0), count: 256) + [Step(Step.end, width: 0)]
        + (257..<288).map { symbol in
            if symbol > 285 { return Step(Step.other, width: 0) }
            return Step(Step.length, width: symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4)
        }

    /// Distances with 0 to 13 extra bits (3.2.5); the last two never occur.
    private static let meaningOfDistances: [Step] = (0..<32).map { symbol in
        if symbol > 29 { return Step(Step.other, width: 0) }
        return Step(Step.length, width: symbol < 4 ? 0 : symbol / 2 - 1)
    }
}
