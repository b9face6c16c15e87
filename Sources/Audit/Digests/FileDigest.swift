internal import Files
internal import Imaging
internal import PageModel
internal import Synchronization

/// The SHA-256 of a file of the output.
public struct FileDigest: Hashable, Sendable {
    /// The name; in a folder, the path below that folder.
    public let name: String
    public let hex: String

    /// The number of bytes that are read at once, because a book may be larger than memory.
    private static let step = 4 << 20
    /// The maximum depth of folders. No book has as many levels, and links may form circles.
    private static let maximumLevels = 8

    /// Returns the digests of an output. The output is a file or a folder of files.
    ///
    /// - Parameter name: the final name of a single file.
    /// - Throws: `.unreadable`; `CancellationError`.
    static func digests(ofOutputAt path: String, name: String, level: Int = 0) throws -> [FileDigest] {
        if level == 0, !FileStatus.isFolder(path) {
            return [FileDigest(name: name, hex: try hex(ofFileAt: path))]
        }
        guard level < maximumLevels else { return [] }
        var files: [FileDigest] = []
        for entry in try FolderListing.entries(in: path).sorted(by: { $0.name < $1.name }) {
            let (inner, below) = ("\(path)/\(entry.name)", level == 0 ? entry.name : "\(name)/\(entry.name)")
            if entry.isFolder {
                files += try digests(ofOutputAt: inner, name: below, level: level + 1)
            } else {
                files.append(FileDigest(name: below, hex: try hex(ofFileAt: inner)))
            }
        }
        return files
    }

    /// Returns the SHA-256 of a file. For a folder, it is that of the lines that `sha256sum` prints for its files.
    ///
    /// - Throws: `.unreadable`; `CancellationError`.
    public static func digest(ofBookAt path: String) throws -> String {
        guard FileStatus.isFolder(path) else { return try hex(ofFileAt: path) }
        return digest(ofFiles: try digests(ofOutputAt: path, name: "").map { ($0.name, $0.hex) })
    }

    /// Returns the digest of a folder, of the names and digests of its files in their order.
    public static func digest(ofFiles files: [(name: String, hex: String)]) -> String {
        var hash = SHA256()
        for file in files { hash.update(Array("\(file.hex)  \(file.name)\n".utf8)) }
        return hash.hexDigest()
    }

    private static func hex(ofFileAt path: String) throws -> String {
        let file = try ReadableFile(path: path)
        var (hash, offset) = (SHA256(), 0)
        while offset < file.size {
            try Task.checkCancellation()
            let bytes = try file.read(at: offset, upTo: step)
            guard !bytes.isEmpty else {
                throw AdapterError(.unreadable, "became shorter while it was read", file: path)
            }
            hash.update(bytes)
            offset += bytes.count
        }
        return hash.hexDigest()
    }
}

/// The SHA-256 of a book on standard output, computed while it is written.
final class StreamDigest: Sendable {
    private struct State {
        var hash = SHA256()
        var isEmpty = true
    }

    private let state = Mutex(State())

    func add(_ bytes: [UInt8]) {
        state.withLock { state in
            state.hash.update(bytes)
            state.isEmpty = false
        }
    }

    /// The digest so far; nil if a program of a plug-in wrote the bytes.
    var digest: FileDigest? {
        state.withLock { state in
            state.isEmpty ? nil : FileDigest(name: StandardStreams.outputName, hex: state.hash.hexDigest())
        }
    }
}
