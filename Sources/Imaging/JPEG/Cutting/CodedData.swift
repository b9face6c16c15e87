internal import Glibc

/// The coded data of a JPEG's scan as it comes out of the encoder, without the zeros that tell it from markers
/// (ITU-T T.81, B.1.1.5).
struct CodedData {
    /// With `slack` zeros behind them.
    let bytes: [UInt8]
    /// Where each restart interval ends; the last is the end of the data.
    let ends: [Int]

    /// The most that is read beyond the end before it is seen that the data has ended: ten blocks of the longest codes.
    static let slack = 10 * 64 * 4 + 8

    /// - Parameter offset: behind the header of the scan.
    /// - Returns: nil unless it ends as it should, with an end-of-image marker, and restart markers are in order.
    init?(_ file: [UInt8], from offset: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.count - offset + CodedData.slack)
        var ends: [Int] = []
        let isEnded = file.withUnsafeBytes { file -> Bool in
            guard let base = file.baseAddress else { return false }
            var place = offset
            while let found = memchr(base + place, 0xFF, file.count - place).map({ UnsafeRawPointer($0) - base }),
                found + 1 < file.count
            {
                let code = file[found + 1]
                bytes.append(contentsOf: file[place..<found + (code == 0 ? 1 : 0)])
                if code == 0xD9 { return true }
                // Any number of them may stand before the one that counts (B.1.1.2).
                if code == 0xFF {
                    place = found + 1
                    continue
                }
                if code != 0 {
                    guard code == 0xD0 + UInt8(ends.count & 7) else { return false }
                    ends.append(bytes.count)
                }
                place = found + 2
            }
            return false
        }
        guard isEnded else { return nil }
        self.ends = ends + [bytes.count]
        bytes.append(contentsOf: repeatElement(0, count: CodedData.slack))
        self.bytes = bytes
    }

    /// Appends coded data to a file, with the zeros that tell it from markers.
    static func append(_ bytes: [UInt8], to file: inout [UInt8]) {
        file.reserveCapacity(file.count + bytes.count + bytes.count / 64 + 2)
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
