internal import func Glibc.log2

/// An estimate of the bits that deflate (RFC 1951) needs for the next byte, while the bytes are chosen.
///
/// A byte needs as many bits as its frequency asks for, and about half of them if it continues a copy: short copies save little.
struct ByteCopies: ~Copyable {
    private let row: Int
    /// The place of the byte that continues the copy, and that byte. Both are negative for none.
    private var source = -1
    private var expected = -1
    /// The last place after each two bytes: its lower 16 bits.
    private let following = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 1 << 16)
    /// The last two bytes of the line.
    private var last: UInt16 = 0
    /// The frequencies of the bytes that continued no copy, and their bits.
    private let counts = UnsafeMutableBufferPointer<Float>.allocate(capacity: 256)
    private let literalBits = UnsafeMutableBufferPointer<Float>.allocate(capacity: 256)
    private let copiedBits = UnsafeMutableBufferPointer<Float>.allocate(capacity: 256)
    private var lines = 0

    /// - Parameter row: the number of bytes in a line.
    init(row: Int) {
        self.row = row
        following.initialize(repeating: 0)
        counts.initialize(repeating: 1)
        literalBits.initialize(repeating: 0)
        copiedBits.initialize(repeating: 0)
        updateBits()
    }

    deinit {
        following.deallocate()
        counts.deallocate()
        literalBits.deallocate()
        copiedBits.deallocate()
    }

    /// Begins a line: it continues the one above.
    mutating func beginLine(at place: Int, in bytes: UnsafeMutableBufferPointer<UInt8>) {
        last = 0
        follow(place - row, in: bytes)
        lines += 1
        if lines % ByteCopies.period == 0 { updateBits() }
    }

    /// Returns the bits for a byte at the next place.
    @inline(__always) func bits(_ byte: UInt8) -> Float {
        Int(byte) == expected ? copiedBits[Int(byte)] : literalBits[Int(byte)]
    }

    /// Notes the byte that was written at a place.
    @inline(__always)
    mutating func append(_ byte: UInt8, _ place: Int, in bytes: UnsafeMutableBufferPointer<UInt8>) {
        let next = place &+ 1
        last = last << 8 | UInt16(byte)
        if Int(byte) == expected {
            follow(source &+ 1, in: bytes)
        } else {
            counts[Int(byte)] += 1
            // Two bytes that were last seen more than 64 KB ago give a useless place, which does no harm.
            let distance = Int(UInt16(truncatingIfNeeded: next) &- following[Int(last)])
            let isNear = distance > 0 && distance <= ByteCopies.window && distance < next
            follow(next &- (isNear ? distance : row), in: bytes)
        }
        following[Int(last)] = UInt16(truncatingIfNeeded: next)
    }

    /// Notes four equal bytes that were written from a place on.
    @inline(__always)
    mutating func appendFour(_ byte: UInt8, _ place: Int, in bytes: UnsafeMutableBufferPointer<UInt8>) {
        let (raw, next) = (UnsafeRawBufferPointer(bytes), place &+ 4)
        let four = UInt32(byte) &* 0x101_0101
        let isCopy = source >= 0 && raw.loadUnaligned(fromByteOffset: source, as: UInt32.self) == four
        follow(isCopy ? source &+ 4 : next &- row, in: bytes)
        last = UInt16(truncatingIfNeeded: four)
        following[Int(last)] = UInt16(truncatingIfNeeded: next)
    }

    @inline(__always) private mutating func follow(_ place: Int, in bytes: UnsafeMutableBufferPointer<UInt8>) {
        source = place
        expected = place >= 0 ? Int(bytes[place]) : -1
    }

    /// Computes the bits from the frequencies, and reduces the weight of these for the lines to come.
    private mutating func updateBits() {
        let total = log2(counts.reduce(0, +))
        for byte in counts.indices {
            let bits = min(total - log2(counts[byte]), ByteCopies.longestCode)
            literalBits[byte] = bits
            copiedBits[byte] = min(ByteCopies.copyBits + bits / 2, bits)
            counts[byte] *= ByteCopies.memory
        }
    }

    /// The bits of a copy itself, as a part that falls to each of its bytes.
    private static let copyBits: Float = 1.5
    /// The number of lines between two updates.
    private static let period = 8
    /// The part of the frequencies that stays at an update.
    private static let memory: Float = 0.8
    /// The bits of the longest code, and the window, of deflate.
    private static let longestCode: Float = 15
    private static let window = 32_768
}
