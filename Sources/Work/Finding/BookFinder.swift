internal import AdapterKit
public import Conversion
internal import Files
public import PageModel
internal import PageNames

/// The books below folders.
public struct FoundBooks: Sendable {
    /// A book with the folder in which it was found.
    public struct Book: Sendable {
        public let path: String
        /// The path of its folder below the one that was searched; empty for that folder itself.
        public let folder: String
    }

    public fileprivate(set) var books: [Book] = []
    /// The paths of the other files.
    public fileprivate(set) var others: [String] = []
    /// The errors of files and folders that cannot be read.
    public fileprivate(set) var errors: [AdapterError] = []
    /// Whether there is a book that is a file. A folder that contains one is a shelf.
    fileprivate var hasFiles = false

    init() {}

    fileprivate mutating func add(_ other: FoundBooks) {
        books += other.books
        others += other.others
        errors += other.errors
        hasFiles = hasFiles || other.hasFiles
    }
}

/// Finds the books below folders by their contents.
///
/// A folder with images is one book. If there is a book among its files or in a folder below, it is a shelf, and its own
/// images are left out. Links to files are followed, but not links to folders.
public struct BookFinder {
    private let registry: Registry
    private let patterns: PathPatterns
    private let excluded: Set<FilePlace>
    private let bookExtensions: Set<String>

    /// - Parameters:
    ///   - patterns: the patterns for paths below the folders that are searched.
    ///   - excluded: the paths of files and folders to leave out, such as the folder of the outputs.
    public init(_ registry: Registry, _ patterns: PathPatterns = PathPatterns(), excluding excluded: [String] = []) {
        self.registry = registry
        self.patterns = patterns
        self.excluded = Set(excluded.map(FilePlace.init))
        bookExtensions = Set(registry.sources.flatMap(\.descriptor.extensions)).subtracting(PictureName.extensions)
    }

    /// Returns the books at paths, in natural order within each. A file is a book in any case.
    public func books(at roots: [String]) -> FoundBooks {
        var found = FoundBooks()
        for root in roots {
            guard FileStatus.isFolder(root) else {
                found.books.append(FoundBooks.Book(path: root, folder: ""))
                continue
            }
            found.add(books(in: root, []))
        }
        return found
    }

    /// - Parameter place: the path of the folder below the one that is searched, in its parts.
    private func books(in folder: String, _ place: [String]) -> FoundBooks {
        var found = FoundBooks()
        let entries: [(name: String, isFolder: Bool)]
        do {
            if try isBook(folder) { return book(folder, place) }
            entries = try FolderListing.entries(in: folder).filter { !JunkName.matches($0.name, isFolder: $0.isFolder) }
        } catch {
            found.errors.append(error)
            return found
        }
        let base = FileName.endsInSlash(folder) ? folder : folder + "/"
        var (files, hasImages): ([String], Bool) = ([], false)
        for (name, isFolder) in PageOrder.sorted(entries, by: \.name) {
            let path = base + name
            if patterns.excludes(place + [name], isFolder: isFolder) || excluded.contains(FilePlace(path)) { continue }
            if isFolder {
                if FileStatus(of: path, followsLinks: false)?.kind == .link {
                    found.others.append(path)
                } else {
                    found.add(books(in: path, place + [name]))
                }
            } else if PictureName.matches(name) {
                hasImages = true
                found.others.append(path)
            } else {
                sort(path, &files, &found)
            }
        }
        if hasImages, files.isEmpty, !found.hasFiles, found.errors.isEmpty { return book(folder, place) }
        for path in registry.withoutOpenedParts(files) {
            found.hasFiles = true
            guard patterns.includes(place + [FileName.last(of: path)], isFolder: false) else { continue }
            found.books.append(FoundBooks.Book(path: path, folder: place.joined(separator: "/")))
        }
        return found
    }

    /// Adds a file to the books or to the others.
    private func sort(_ path: String, _ files: inout [String], _ found: inout FoundBooks) {
        do throws(AdapterError) {
            if try isBook(path) { files.append(path) } else { found.others.append(path) }
        } catch {
            // Nothing is lost with a file that can be no book.
            if PictureName.isKnownOther(path), !bookExtensions.contains(FileName.extension(of: path)) {
                found.others.append(path)
            } else {
                found.errors.append(error)
            }
        }
    }

    /// Returns a folder as the only book.
    private func book(_ folder: String, _ place: [String]) -> FoundBooks {
        var found = FoundBooks()
        if place.isEmpty || patterns.includes(place, isFolder: true) {
            found.books = [FoundBooks.Book(path: folder, folder: place.dropLast().joined(separator: "/"))]
        }
        return found
    }

    /// Whether a file is a book, or a folder one of a kind of its own such as a web reader. A damaged book is one by its name.
    ///
    /// - Throws: `.unreadable`.
    private func isBook(_ path: String) throws(AdapterError) -> Bool {
        let probe = try Probe(path: path)
        guard let source = try? registry.recognize(probe) else {
            return !probe.isFolder && bookExtensions.contains(probe.pathExtension)
        }
        if probe.isFolder { return source.descriptor.id != "folder" }
        return !source.descriptor.extensions.contains(where: PictureName.extensions.contains)
    }
}
