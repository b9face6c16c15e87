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
        /// The paths of the other parts of a split archive. Only a hot folder's books have them.
        var parts: [String] = []
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
///
/// A hot folder, which other programs fill, is a shelf in any case. Its own TIFFs are books, because scanners write all pages
/// of a book into one. Files that have the name of an unfinished file are left out.
public struct BookFinder {
    private let registry: Registry
    private let patterns: PathPatterns
    private let excluded: Set<FilePlace>
    private let bookExtensions: Set<String>
    private let isHotFolder: Bool
    private let verdict: (String) -> Bool?

    /// - Parameters:
    ///   - patterns: the patterns for paths below the folders that are searched.
    ///   - excluded: the paths of files and folders to leave out, such as the folder of the outputs.
    ///   - isHotFolder: whether other programs fill the folders.
    ///   - verdict: returns whether a file is a book; nil to open it.
    public init(
        _ registry: Registry, _ patterns: PathPatterns = PathPatterns(), excluding excluded: [String] = [],
        isHotFolder: Bool = false, verdict: @escaping (String) -> Bool? = { _ in nil }
    ) {
        self.registry = registry
        self.patterns = patterns
        self.excluded = Set(excluded.map(FilePlace.init))
        (self.isHotFolder, self.verdict) = (isHotFolder, verdict)
        bookExtensions = Set(registry.sources.flatMap(\.descriptor.extensions)).subtracting(PictureName.extensions)
            // Only the TIFFs directly in a hot folder are asked about.
            .union(isHotFolder ? ImageEncoding.tiff.extensions : [])
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
        let mayBeBook = !isHotFolder || !place.isEmpty
        do {
            if mayBeBook, try isBook(folder) { return book(folder, place) }
            entries = try FolderListing.entries(in: folder).filter { name, isFolder in
                !JunkName.matches(name, isFolder: isFolder) && !(isHotFolder && UnfinishedName.matches(name))
            }
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
            } else if isPage(name, inHotFolder: !mayBeBook) {
                hasImages = true
                found.others.append(path)
            } else {
                sort(path, &files, &found)
            }
        }
        if mayBeBook, hasImages, files.isEmpty, !found.hasFiles, found.errors.isEmpty { return book(folder, place) }
        for path in registry.withoutOpenedParts(files) {
            found.hasFiles = true
            guard patterns.includes(place + [FileName.last(of: path)], isFolder: false) else { continue }
            found.books.append(FoundBooks.Book(path: path, folder: place.joined(separator: "/")))
        }
        if isHotFolder { addParts(from: entries.filter { !$0.isFolder }.map { base + $0.name }, to: &found.books) }
        return found
    }

    /// Adds the parts of split archives to the books that open them. A part may be unfinished, so that its contents do not count.
    private func addParts(from files: [String], to books: inout [FoundBooks.Book]) {
        let places = Dictionary(books.enumerated().map { ($1.path, $0) }) { first, _ in first }
        for path in files where places[path] == nil {
            for source in registry.sources {
                guard let place = source.openingPart(of: path).flatMap({ places[$0] }) else { continue }
                books[place].parts.append(path)
                break
            }
        }
    }

    /// Adds a file to the books or to the others.
    private func sort(_ path: String, _ files: inout [String], _ found: inout FoundBooks) {
        do throws(AdapterError) {
            let isOne = if let known = verdict(path) { known } else { try isBook(path) }
            if isOne { files.append(path) } else { found.others.append(path) }
        } catch {
            // Nothing is lost with a file that can be no book.
            if PictureName.isKnownOther(path), !bookExtensions.contains(FileName.extension(of: path)) {
                found.others.append(path)
            } else {
                found.errors.append(error)
            }
        }
    }

    /// Whether a file is an image, and no book of its own.
    private func isPage(_ name: String, inHotFolder: Bool) -> Bool {
        if inHotFolder, ImageEncoding.tiff.extensions.contains(FileName.extension(of: name)) { return false }
        return PictureName.matches(name)
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
        if isHotFolder, source.descriptor.extensions == ImageEncoding.tiff.extensions { return true }
        return !source.descriptor.extensions.contains(where: PictureName.extensions.contains)
    }
}
