public import PageModel

/// The bytes of a file, or of several files that form one, for any number of tasks at once.
public protocol RandomAccess: Sendable {
    /// The size in bytes.
    var size: Int { get }

    /// The offset of each of the files.
    var starts: [Int] { get }

    /// Returns up to `count` bytes from `offset`: fewer at the end, none past it.
    func read(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8]

    /// Returns exactly `count` bytes from `offset`.
    ///
    /// - Throws: `.damaged` if the file ends before that.
    func read(at offset: Int, exactly count: Int) throws(AdapterError) -> [UInt8]
}

extension ReadableFile: RandomAccess {
    public var starts: [Int] { [0] }
}

/// The parts of a file that was cut into pieces, read as one file.
///
/// The pieces are opened one by one when they are needed: there may be hundreds.
public struct JoinedFile: RandomAccess {
    public let size: Int
    /// The range of each piece in the whole file, and its path.
    private let parts: [(range: Range<Int>, path: String)]
    private let missing: Set<String>

    /// - Parameters:
    ///   - paths: the pieces in order.
    ///   - missing: the pieces that do not exist. They count as being as long as the longest, because all pieces but the last
    ///     have the same length.
    /// - Throws: `.unreadable`.
    public init(_ paths: [String], missing: Set<String> = []) throws(AdapterError) {
        var sizes: [String: Int] = [:]
        for path in paths where !missing.contains(path) { sizes[path] = try ReadableFile(path: path).size }
        let longest = sizes.values.max() ?? 0
        var (parts, end): ([(range: Range<Int>, path: String)], Int) = ([], 0)
        for path in paths {
            let start = end
            end = start.addingReportingOverflow(sizes[path] ?? longest).partialValue
            guard end >= start else { throw AdapterError(.unreadable, "its parts are too long", file: path) }
            parts.append((start..<end, path))
        }
        (self.parts, self.missing, size) = (parts, missing, end)
    }

    public var starts: [Int] { parts.map(\.range.lowerBound) }

    public func read(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8] {
        guard offset >= 0, offset < size, count > 0 else { return [] }
        return try read(offset..<offset + min(count, size - offset), fillsGaps: true)
    }

    public func read(at offset: Int, exactly count: Int) throws(AdapterError) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
            throw AdapterError(.damaged, "the file ends too early", file: parts.last?.path)
        }
        return try read(offset..<offset + count)
    }

    /// - Parameter fillsGaps: whether zeros stand for the bytes of missing pieces, as for a search.
    /// - Throws: `.damaged` with the name of the piece, if one of the bytes is in a missing one.
    private func read(_ range: Range<Int>, fillsGaps: Bool = false) throws(AdapterError) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts where part.range.overlaps(range) {
            let name = FileName.last(of: part.path)
            if missing.contains(part.path), fillsGaps {
                bytes += [UInt8](repeating: 0, count: part.range.clamped(to: range).count)
                continue
            }
            guard !missing.contains(part.path) else {
                throw AdapterError(
                    .damaged, "is in the missing part \(name)", hint: "put all parts into one folder")
            }
            let wanted = part.range.clamped(to: range)
            bytes += try ReadableFile(path: part.path)
                .read(at: wanted.lowerBound - part.range.lowerBound, exactly: wanted.count)
        }
        return bytes
    }
}
