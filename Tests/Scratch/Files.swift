internal import Glibc

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
