internal import AdapterKit

/// How many bytes a book takes on the disk.
enum BookSize {
    /// Folders deeper than this are not looked into: no book has as many, and links may lead in circles.
    private static let mostLevels = 8

    /// - Returns: nil where there is no file and no folder, or something cannot be looked at.
    static func bytes(at path: String, level: Int = 0) -> Int? {
        guard let status = FileStatus(of: path) else { return nil }
        switch status.kind {
        case .file: return status.byteCount
        case .folder:
            guard level < mostLevels, let names = try? FolderListing.names(in: path) else { return nil }
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

extension Report {
    /// Notes how large the inputs and the output are.
    ///
    /// - Parameter isOneOfMany: whether the output holds other books, too; then its own size is not told.
    mutating func weigh(_ job: Job, isOneOfMany: Bool) {
        inputBytes = job.inputs.reduce(0) { sum, input in
            guard let sum, let bytes = BookSize.bytes(at: input.path) else { return nil }
            return sum.addingReportingOverflow(bytes).overflow ? .max : sum + bytes
        }
        guard !job.isDryRun, !isOneOfMany, !job.destination.isStandardOutput else { return }
        outputBytes = BookSize.bytes(at: job.destination.path)
    }
}
