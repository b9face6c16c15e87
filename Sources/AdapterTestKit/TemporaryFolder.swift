internal import Glibc

/// A folder for the files of one check, deleted with everything in it with the last reference.
final class TemporaryFolder: Sendable {
    /// The failure of a system call by the check itself, not by the adapter.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let number: CInt

        var description: String { "\(path): \(String(cString: strerror(number)))" }
    }

    let path: String

    /// Makes a new, empty folder in `TMPDIR`, or in `/tmp` if that is not set.
    init() throws(Failure) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // mkdtemp replaces six capital letters X by an unused name.
        var template = Array("\(parent)/adapter-check-\(String(repeating: "X", count: 6))".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(path: parent, number: errno) }
        path = template.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    deinit {
        TemporaryFolder.remove(path)
    }

    /// Returns the path of an item in the folder, whether it exists or not.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and returns its path.
    func write(_ name: String, _ bytes: [UInt8] = []) throws(Failure) -> String {
        let path = self(name)
        guard let file = fopen(path, "wb") else { throw Failure(path: path, number: errno) }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWritten else { throw Failure(path: path, number: errno) }
        return path
    }

    /// Returns all bytes of a file.
    func read(_ name: String) throws(Failure) -> [UInt8] {
        let path = self(name)
        guard let file = fopen(path, "rb") else { throw Failure(path: path, number: errno) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
        guard ferror(file) == 0 else { throw Failure(path: path, number: errno) }
        return bytes
    }

    /// Truncates a file to a number of bytes.
    func truncate(_ name: String, to count: Int) throws(Failure) {
        guard Glibc.truncate(self(name), off_t(count)) == 0 else { throw Failure(path: self(name), number: errno) }
    }

    /// Returns the names in the folder or in one within it, including hidden ones, sorted.
    func names(in folder: String = ".") -> [String] { TemporaryFolder.names(inFolder: self(folder)) }

    /// Returns the relative paths of all files below a folder within it.
    func files(in folder: String) -> [String] {
        names(in: folder).flatMap { name in
            let inner = files(in: "\(folder)/\(name)")
            return inner.isEmpty ? [name] : inner.map { "\(name)/\($0)" }
        }
    }

    private static func names(inFolder path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(inFolder: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
