internal import Audit
internal import Files
internal import OrderedJSON

/// A file or folder of a journal, with everything that shows a later change of it.
public struct BookFile: Hashable, Sendable {
    /// The absolute path.
    public let path: String
    /// The bytes and the time of the last change, in nanoseconds since 1970; nil if nothing is there.
    public internal(set) var bytes: Int?
    var modified: Int?
    /// The digest of its contents, as `FileDigest` computes it.
    public internal(set) var sha256: String?

    init(path: String, _ stamp: FileStamp?, sha256: String? = nil) {
        (self.path, self.sha256) = (path, sha256)
        (bytes, modified) = (stamp?.byteCount, stamp?.modified)
    }

    /// Examines a file without reading it.
    init(at path: String) {
        self.init(path: BookFile.absolute(path), FileStamp(of: path))
    }

    /// Adds the digest, unless the file has changed since it was examined: then nothing is known about it.
    mutating func readDigest() {
        let digest = try? FileDigest.digest(ofBookAt: path)
        sha256 = isSame(as: FileStamp(of: path)) ? digest : nil
    }

    /// Whether the file is there with the same contents. The contents are read only if the time differs.
    var isUnchanged: Bool {
        let now = FileStamp(of: path)
        if isSame(as: now) { return true }
        guard let now, now.byteCount == bytes, let sha256 else { return false }
        return (try? FileDigest.digest(ofBookAt: path)) == sha256
    }

    /// Whether a file has the recorded size and time.
    func isSame(as stamp: FileStamp?) -> Bool {
        stamp != nil && stamp?.byteCount == bytes && stamp?.modified == modified
    }

    /// Returns the absolute path of a file that need not exist. A link at its end stays a link.
    static func absolute(_ path: String) -> String {
        let (parent, name) = (FileName.parent(of: path), FileName.last(of: path))
        if [".", "..", "/"].contains(name) { return FileName.resolved(path) ?? path }
        let folder = FileName.resolved(parent) ?? (parent == "." ? "." : absolute(parent))
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }
}

extension BookFile {
    var json: JSON {
        ["path": .string(path), "bytes": JSON(bytes), "modified": JSON(modified), "sha256": JSON(sha256)]
    }

    init?(_ json: JSON) {
        guard let path = json["path"]?.asString else { return nil }
        self.init(path: path, nil, sha256: json["sha256"]?.asString)
        (bytes, modified) = (json["bytes"]?.asInteger, json["modified"]?.asInteger)
    }
}

/// The inputs of a journal. jisui recognizes an unchanged one without opening it.
public final class KnownBooks {
    private let inputs: [String: BookFile]
    /// The folder of the last path, and its absolute path. Most paths follow others of the same folder.
    private var folder = (given: "", absolute: "")

    /// - Parameter journal: nil for no books.
    public init(_ journal: Journal?) {
        inputs = journal?.inputs ?? [:]
    }

    /// Returns whether a file is an unchanged input.
    public func contains(_ path: String) -> Bool {
        if inputs.isEmpty { return false }
        let parent = FileName.parent(of: path)
        if folder.given != parent { folder = (parent, BookFile.absolute("\(parent)/.")) }
        let absolute = folder.absolute == "/" ? path : "\(folder.absolute)/\(FileName.last(of: path))"
        return inputs[absolute].map { $0.isSame(as: FileStamp(of: path)) } ?? false
    }
}
