internal import AdapterKit
internal import Files

/// Measures the size of a book on the disk, in bytes.
package enum BookSize {
    /// The most nested folders that are measured. No book has more, and links may form circles.
    private static let maximumLevels = 8

    /// - Returns: The size; nil if there is neither a file nor a folder, or a part of it cannot be read.
    package static func bytes(at path: String, level: Int = 0) -> Int? {
        guard let status = FileStatus(of: path) else { return nil }
        switch status.kind {
        case .file: return status.byteCount
        case .folder:
            guard level < maximumLevels, let names = try? FolderListing.names(in: path) else { return nil }
            var total = 0
            for name in names {
                guard let bytes = bytes(at: "\(path)/\(name)", level: level + 1) else { return nil }
                total = total.addingReportingOverflow(bytes).overflow ? .max : total + bytes
            }
            return total
        case .link, .other: return nil
        }
    }
}
