internal import Glibc

/// A folder of a test's own, gone with everything in it when the test ends.
public final class ScratchFolder: Sendable {
    public typealias Failure = Files.Failure

    public let path: String

    public init(in parent: String = "/tmp") throws(Failure) {
        var template = Array("\(parent)/jisui-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(call: "mkdtemp", path: parent, number: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        ScratchFolder.remove(path)
    }

    /// The path of something in the folder.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, making the folders it is in.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8] = []) throws(Failure) -> String {
        let parts = name.split(separator: "/")
        for count in 1..<max(1, parts.count) { mkdir(self(parts.prefix(count).joined(separator: "/")), 0o777) }
        try Files.write(bytes, to: self(name))
        return self(name)
    }

    /// All bytes of a file.
    public func read(_ name: String) throws(Failure) -> [UInt8] { try Files.read(self(name)) }

    /// The names in the folder or in one within it, hidden ones too, sorted.
    public func names(in folder: String = ".") -> [String] { Files.names(in: self(folder)) }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in Files.names(in: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}

/// Whole files and lists of names, as tests want them.
public enum Files {
    public struct Failure: Error {
        public let call: String
        public let path: String
        public let number: CInt
    }

    public static func read(_ path: String) throws(Failure) -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw Failure(call: "fopen", path: path, number: errno) }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let count = max(0, ftell(file))
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = fread(buffer.baseAddress, 1, count, file)
        }
    }

    public static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        guard let file = fopen(path, "wb") else { throw Failure(call: "fopen", path: path, number: errno) }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else {
            throw Failure(call: "fwrite", path: path, number: errno)
        }
    }

    /// The names in a folder, hidden ones too, sorted; none when there is no such folder.
    public static func names(in path: String) -> [String] {
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
}
