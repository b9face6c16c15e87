public import Files
internal import PageModel

/// The folders that get the sources of a hot folder's books after their conversion.
public struct SourceFolders: Sendable {
    /// The folder for converted books; nil to leave them.
    public let done: String?
    /// The folder for books that cannot be converted; nil to leave them.
    public let failed: String?
    private let temporaryFiles: TemporaryFiles
    private let created = CreatedFolders()

    /// The number of names that are tried for one book.
    private static let maximumNames = 10_000

    public init(done: String?, failed: String?, _ temporaryFiles: TemporaryFiles) {
        (self.done, self.failed, self.temporaryFiles) = (done, failed, temporaryFiles)
    }

    /// Moves a book, below the same folders as in the hot folder. If its name is taken, it gets a number: "book (2).pdf".
    ///
    /// - Parameters:
    ///   - stem: the part of its name that gets a number.
    ///   - folder: one of the folders.
    /// - Throws: the errors of a move. Files that were not moved stay.
    func move(_ book: FoundBooks.Book, stem: String, to folder: String) throws(AdapterError) {
        let root = FileName.withoutSlashAtEnd(folder)
        let place = book.folder.isEmpty ? root : "\(root)/\(book.folder)"
        try created.make(root)
        try created.makeParents(of: "\(place)/.", below: root)
        // The part that opens a split archive comes last, so that an interrupted move is repeated.
        let paths = book.parts + [book.path]
        for number in 1...SourceFolders.maximumNames {
            let targets = paths.map { "\(place)/\(SourceFolders.name(of: $0, stem, number))" }
            if targets.contains(where: { FileStatus(of: $0, followsLinks: false) != nil }) { continue }
            var isMoved = true
            for (path, target) in zip(paths, targets) where isMoved {
                isMoved = try FileMove.move(path, to: target, temporaryFiles)
            }
            if isMoved { return }
        }
        throw AdapterError(.exists, "has too many books of this name", file: place)
    }

    /// Returns the name of a file with a number after its stem; without it for the first one.
    private static func name(of path: String, _ stem: String, _ number: Int) -> String {
        let name = FileName.last(of: path)
        guard number > 1 else { return name }
        return name.hasPrefix(stem) ? "\(stem) (\(number))\(name.dropFirst(stem.count))" : "\(name) (\(number))"
    }
}
