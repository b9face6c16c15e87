internal import Glibc

/// A first look at an input, shared by all recognisers: nothing is read twice.
public struct Probe: Sendable {
    /// The number of bytes in `head`, where the file has as many.
    public static let headCount = 4096

    public let path: String
    public let isFolder: Bool
    /// The file's extension in lower case, without the dot; empty when it has none.
    public let pathExtension: String
    /// The first bytes of the file; empty for a folder.
    public let head: [UInt8]
    private let file: ReadableFile?

    /// - Throws: `.unreadable` when there is no such file or it may not be read.
    public init(path: String) throws(AdapterError) {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(.unreadable, "cannot be opened", file: path) }
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        if !isFolder && status.st_mode & S_IFMT != S_IFREG {
            throw AdapterError(
                .unreadable, "is neither a file nor a folder",
                advice: "save the data to a file first: jisui has to read it out of order", file: path)
        }
        let file = isFolder ? nil : try ReadableFile(path: path)
        self.file = file
        head = try file?.read(at: 0, upTo: Probe.headCount) ?? []
        pathExtension = FileName.extension(of: path)
    }

    /// The last `count` bytes of the file, or all of it when it is shorter.
    public func tail(_ count: Int) throws(AdapterError) -> [UInt8] {
        guard let file else { return [] }
        return try file.read(at: max(0, file.size - count), upTo: count)
    }
}
