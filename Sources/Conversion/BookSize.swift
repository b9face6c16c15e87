internal import Files

/// Measures the size of a book on the disk, in bytes.
package enum BookSize {
    /// The most nested folders that are measured. No book has more, and links may form circles.
    private static let maximumLevels = 8

    /// - Returns: The size of files and folders together; nil if one of them, or a part of it, cannot be read.
    package static func bytes(at paths: [String], level: Int = 0) -> Int? {
        paths.reduce(0) { sum, path in
            guard let sum, let bytes = bytes(at: path, level) else { return nil }
            return sum.addingReportingOverflow(bytes).overflow ? .max : sum + bytes
        }
    }

    private static func bytes(at path: String, _ level: Int) -> Int? {
        guard let status = FileStatus(of: path) else { return nil }
        switch status.kind {
        case .file: return status.byteCount
        case .folder:
            guard level < maximumLevels, let names = try? FolderListing.names(in: path) else { return nil }
            return bytes(at: names.map { "\(path)/\($0)" }, level: level + 1)
        case .link, .other: return nil
        }
    }
}
