internal import Glibc

/// The unread data of a socket, line by line.
struct LineBuffer {
    static let maximumBytes = 65_536

    private var bytes: [UInt8] = []
    /// The start of the unread part: moving the rest to the front for each line would take longer than reading it.
    private var start = 0
    /// The position at which the search for the end of a line continues: earlier bytes have none.
    private var searched = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    /// Returns the next line without its end; nil without a complete line.
    mutating func next() -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: 10) else {
            searched = bytes.count
            return nil
        }
        defer { (start, searched) = (end + 1, end + 1) }
        return Array(bytes[start..<end])
    }

    /// Reads the available data, which may be incomplete.
    ///
    /// - Returns: false, with `errno` set, when nothing is available.
    @discardableResult
    mutating func take(from socket: CInt) -> Bool {
        bytes.removeSubrange(..<start)
        (start, searched) = (0, searched - start)
        // A closed connection is not an error.
        errno = 0
        let read = [UInt8](unsafeUninitializedCapacity: LineBuffer.maximumBytes) { buffer, count in
            count = max(0, recv(socket, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT)))
        }
        bytes += read
        return !read.isEmpty
    }
}

/// The end of a process's printed output, with bounded memory.
struct PrintedTail {
    private static let maximumBytes = 65_536
    /// The maximum number of pieces read at a time: a process that prints without end must not block its reader.
    private static let maximumPieces = 8

    private var bytes: [UInt8] = []
    /// The total number of printed bytes.
    private(set) var count = 0

    /// Reads the available data.
    ///
    /// - Returns: whether the output has ended.
    mutating func take(from pipe: CInt) -> Bool {
        for _ in 0..<PrintedTail.maximumPieces {
            var got = 0
            bytes += [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, filled in
                got = read(pipe, buffer.baseAddress, buffer.count)
                filled = max(0, got)
            }
            guard got > 0 else { return got == 0 }
            count += got
            if bytes.count > 2 * PrintedTail.maximumBytes { bytes.removeFirst(bytes.count - PrintedTail.maximumBytes) }
        }
        return false
    }

    var text: String { String(decoding: bytes.suffix(PrintedTail.maximumBytes), as: UTF8.self) }

    /// The last nonempty line; nil for none.
    var lastLine: String? {
        let lines = bytes.suffix(PrintedTail.maximumBytes).split { $0 == 10 || $0 == 13 }
        return lines.last { !$0.allSatisfy { $0 <= 32 } }.map { PrintedTail.excerpt(of: Array($0)) }
    }

    /// Returns a plug-in's bytes as text for people.
    static func excerpt(of bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix(300), as: UTF8.self).onOneLine(maximumLength: 200)
    }
}
