internal import Glibc

/// What came out of a socket and was not asked for yet, line by line.
struct LineBuffer {
    static let mostBytes = 65_536

    private var bytes: [UInt8] = []
    /// Where what was not given yet begins: moving the rest to the front for each line would take longer than reading it.
    private var start = 0
    /// Where the end of a line is looked for: there is none before.
    private var searched = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    /// The next line without its end; nil where there is no whole one.
    mutating func next() -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: 10) else {
            searched = bytes.count
            return nil
        }
        defer { (start, searched) = (end + 1, end + 1) }
        return Array(bytes[start..<end])
    }

    /// Takes what lies ready, which may be less than there is.
    ///
    /// - Returns: false, with `errno` set, where that is nothing.
    @discardableResult
    mutating func take(from socket: CInt) -> Bool {
        bytes.removeSubrange(..<start)
        (start, searched) = (0, searched - start)
        // What a connection that was closed leaves there is no error of any kind.
        errno = 0
        let read = [UInt8](unsafeUninitializedCapacity: LineBuffer.mostBytes) { buffer, count in
            count = max(0, recv(socket, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT)))
        }
        bytes += read
        return !read.isEmpty
    }
}

/// The end of what a process printed, however much that was.
struct PrintedTail {
    private static let mostBytes = 65_536
    /// The most pieces that are taken at a time: who prints without an end must not keep its reader from other things.
    private static let mostPieces = 8

    private var bytes: [UInt8] = []
    /// The number of bytes that were printed in all.
    private(set) var count = 0

    /// Takes what lies ready.
    ///
    /// - Returns: whether nothing more will come.
    mutating func take(from pipe: CInt) -> Bool {
        for _ in 0..<PrintedTail.mostPieces {
            var got = 0
            bytes += [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, filled in
                got = read(pipe, buffer.baseAddress, buffer.count)
                filled = max(0, got)
            }
            guard got > 0 else { return got == 0 }
            count += got
            if bytes.count > 2 * PrintedTail.mostBytes { bytes.removeFirst(bytes.count - PrintedTail.mostBytes) }
        }
        return false
    }

    var text: String { String(decoding: bytes.suffix(PrintedTail.mostBytes), as: UTF8.self) }

    /// The last line that is not empty; nil for none.
    var lastLine: String? {
        let lines = bytes.suffix(PrintedTail.mostBytes).split { $0 == 10 || $0 == 13 }
        return lines.last { !$0.allSatisfy { $0 <= 32 } }.map { PrintedTail.told(Array($0)) }
    }

    /// Bytes that a plug-in said, for people.
    static func told(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix(300), as: UTF8.self).onOneLine(most: 200)
    }
}
