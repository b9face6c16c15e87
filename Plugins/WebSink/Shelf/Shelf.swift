internal import AdapterKit
internal import Files
internal import PageModel
internal import Synchronization

/// A folder of books with one web reader: `books/SLUG` is a book's folder, `shelf.js` the list of them all.
///
/// The list is authoritative: a book that it does not contain does not exist. It is written in one step, after the folder of a
/// new book and before the removal of an old one. A book whose folder was deleted leaves the list with the next change.
final class Shelf: BookCollection {
    private struct State {
        var list = ShelfList()
        /// The lock; nil until a book is added or removed.
        var lock: FolderLock?
        /// The folders that were made for it, the inner one first.
        var madeFolders: [String] = []
        /// The ids of the books that were added since it was opened.
        var added: Set<String> = []
        var isChanged = false
    }

    private let destination: Destination
    private let title: String?
    private let baseURL: CatalogAddress?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - title: its title; nil for the previous one.
    ///   - baseURL: the address at which it is served, for its catalogs; nil for the previous one.
    init(_ destination: Destination, title: String?, baseURL: CatalogAddress?) {
        self.destination = destination
        self.title = title
        self.baseURL = baseURL
    }

    deinit { state.withLock { removeEmptyFolders($0.madeFolders) } }

    private var listPath: String { "\(destination.path)/\(ShelfList.file)" }

    private var folders: ShelfFolders {
        ShelfFolders(shelf: destination.path, temporaryFiles: destination.temporaryFiles)
    }

    private var files: ShelfFiles { ShelfFiles(shelf: destination.path) }

    // MARK: Opening

    func books() throws(AdapterError) -> [CollectedBook] {
        guard FileStatus(of: listPath)?.kind == .file else {
            throw AdapterError(.exists, "not a bookshelf: it has no \(ShelfList.file)", file: destination.path)
        }
        return try read().entries.map(\.book)
    }

    /// Returns the list without the books whose folders are gone.
    private func read() throws(AdapterError) -> ShelfList {
        var list = try ShelfList(listPath)
        list.remove { !FileStatus.isFolder(folders.path($0.slug)) }
        return list
    }

    /// Opens the shelf for changes, or makes the folders of a new one; it then stays open.
    private func open(_ state: inout State) throws(AdapterError) {
        if state.lock != nil { return }
        let path = destination.path
        if FileStatus(of: path) == nil {
            try Folder.make(path)
            state.madeFolders = [path]
        }
        guard FileStatus.isFolder(path) else {
            throw AdapterError(.exists, "is a file, and a shelf needs a folder", file: path)
        }
        let lock = try FolderLock(path)
        OutputFolder.removeRemains(in: path, destination.temporaryFiles)
        if FileStatus(of: listPath)?.kind == .file {
            state.list = try read()
            try folders.removeRemains(listed: Set(state.list.entries.map(\.slug)))
        } else {
            try makeRoom(&state)
        }
        state.lock = lock
        if let title {
            state.list.title = title
            state.isChanged = true
        }
        if let baseURL {
            state.list.baseURL = baseURL.isNone ? nil : baseURL
            state.isChanged = true
        }
    }

    /// - Throws: `.exists` for a folder with other contents than a shelf, `.unwritable`.
    private func makeRoom(_ state: inout State) throws(AdapterError) {
        let path = destination.path
        let names = try FolderListing.names(in: path)
        // Remains of an interrupted run's first book are allowed. The document is written after the list.
        let isOurs = { (name: String) in
            name == WebLayout.books || ReaderFiles.names.contains(name) && name != ReaderFiles.document
                || Catalog.isOurs(name)
        }
        guard names.allSatisfy(isOurs) else {
            throw AdapterError(
                .exists, "the folder holds something other than a bookshelf", hint: "give another folder with -o",
                file: path)
        }
        guard !names.contains(WebLayout.books) else { return try folders.removeRemains(listed: []) }
        do throws(AdapterError) {
            try Folder.make("\(path)/\(WebLayout.books)")
        } catch {
            removeEmptyFolders(state.madeFolders)
            throw error
        }
        state.madeFolders.insert("\(path)/\(WebLayout.books)", at: 0)
    }

    /// Removes the folders that were made, if they are still empty.
    private func removeEmptyFolders(_ folders: [String]) {
        for folder in folders { Folder.removeEmpty(folder) }
    }

    // MARK: Added books

    func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let options = try WebOptions(request)
        try change { state throws(AdapterError) in try open(&state) }
        var place = request.destination
        place.path = folders.placeForNewBook
        do throws(AdapterError) {
            let output = try OutputFolder(at: place, isOurs: WebLayout.isOurs)
            return ShelfSession(BookFolder(output, request, options), self, mayReplace: place.mayReplace)
        } catch {
            state.withLock { removeEmptyFolders($0.madeFolders) }
            throw error
        }
    }

    /// Puts a book on the shelf. The book is complete except for its place.
    ///
    /// - Throws: `.exists` if a book with its name or pages may not be replaced, `.unwritable`.
    fileprivate func publish(_ folder: BookFolder, mayReplace: Bool) throws(AdapterError) {
        let book = try folder.describe()
        var entry = book.entry
        try change { state throws(AdapterError) in
            let place = state.list.place(of: entry)
            let old = place.map { state.list.entries[$0] }
            if let old { try check(old, entry, mayReplace: mayReplace, added: state.added) }
            if let namesake = state.list.namesake(of: entry) {
                throw AdapterError(
                    .exists,
                    "the shelf holds its pages already, and another book called "
                        + "'\(state.list.entries[namesake].title)'",
                    hint: "--title gives this one another name")
            }
            entry.slug = old?.id == entry.id ? old?.slug ?? "" : entry.ownSlug
            if let old, old.slug != entry.slug {
                try folders.refuseForeignFiles(in: old.slug)
            }
            if let address = state.list.baseURL {
                try folder.output.add(Divina.name, Divina.file(of: book.json, entry, at: address))
            }
            try folder.output.add(WebLayout.unlisted, [])
            try folder.output.publish(as: entry.slug, mayReplace: true)
            let isFirst = state.added.isEmpty
            if isFirst { try files.writeReader() }
            if let old, old.slug != entry.slug { try folders.beginLeaving(old.slug) }
            state.list.put(entry, at: place)
            try files.write(ShelfList.file, state.list.bytes)
            state.added.insert(entry.id)
            state.isChanged = true
            try folders.endComing(entry.slug)
            if isFirst { try files.writeDocument(title: state.list.title) }
            if let old, old.slug != entry.slug { try folders.delete(old.slug) }
        }
    }

    /// - Throws: `.exists` for a book that may not be replaced.
    private func check(
        _ old: ShelfEntry, _ new: ShelfEntry, mayReplace: Bool, added: Set<String>
    ) throws(AdapterError) {
        let isSame = old.id == new.id
        if added.contains(old.id) {
            throw AdapterError(
                .exists,
                isSame
                    ? "has the same pages as '\(old.title)', which was just put on the shelf"
                    : "'\(old.title)' was just put on the shelf, another book of that name",
                hint: isSame ? nil : "add it by itself, with another --title")
        }
        guard !mayReplace else { return }
        throw AdapterError(
            .exists,
            isSame
                ? "the shelf holds this book already, as '\(old.title)'"
                : "the shelf holds another book called '\(old.title)'",
            hint: isSame ? "use --force to replace it" : "--force replaces it, and --title gives this one another name")
    }

    // MARK: Removed books

    func remove(_ names: [String]) throws(AdapterError) -> [CollectedBook] {
        _ = try books()
        return try change { state throws(AdapterError) in
            try open(&state)
            var leaving: [ShelfEntry] = []
            for name in names {
                let entry = try state.list.entry(called: name, file: destination.path)
                if !leaving.contains(where: { $0.slug == entry.slug }) { leaving.append(entry) }
            }
            for entry in leaving { try folders.refuseForeignFiles(in: entry.slug) }
            for entry in leaving { try folders.beginLeaving(entry.slug) }
            let slugs = Set(leaving.map(\.slug))
            state.list.remove { slugs.contains($0.slug) }
            try files.write(ShelfList.file, state.list.bytes)
            state.isChanged = true
            for entry in leaving { try folders.delete(entry.slug) }
            return leaving.map(\.book)
        }
    }

    // MARK: Files about all books

    func finish() throws(AdapterError) {
        try change { state throws(AdapterError) in
            // A new title or address of an existing shelf is itself a change.
            if title != nil || baseURL != nil, FileStatus(of: listPath)?.kind == .file { try open(&state) }
            guard state.isChanged else { return removeEmptyFolders(state.madeFolders) }
            let catalog = Catalog(state.list.entries, title: state.list.title, at: state.list.baseURL)
            for (name, bytes) in catalog.files { try files.write(name, bytes) }
            let names = Set(catalog.files.map(\.name))
            for name in try FolderListing.names(in: destination.path)
            where Catalog.isOurs(name) && !names.contains(name) {
                try Folder.removeFile("\(destination.path)/\(name)")
            }
            // An earlier run may have been killed during this step: all are checked, not only if the address is new.
            if baseURL != nil {
                for entry in state.list.entries { try files.writeDivina(entry, at: state.list.baseURL) }
            }
            try files.writeReader()
            try files.write(ShelfList.file, state.list.bytes)
            // The links from the shelf to the catalogs exist if the catalogs do.
            try files.writeDocument(title: state.list.title, hasCatalog: state.list.baseURL != nil)
            state.isChanged = false
        }
    }

    private func change<Value: Sendable>(
        _ body: (inout State) throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        try state.withLock { state -> Result<Value, AdapterError> in
            Result { () throws(AdapterError) in try body(&state) }
        }.get()
    }
}

/// A book being put on a shelf.
private final class ShelfSession: AccompaniedSession {
    private let shelf: Shelf
    private let mayReplace: Bool
    /// The folder; nil once the book is on the shelf.
    private var folder: BookFolder?

    init(_ folder: BookFolder, _ shelf: Shelf, mayReplace: Bool) {
        (self.folder, self.shelf, self.mayReplace) = (folder, shelf, mayReplace)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String { try folder?.add(page) ?? "" }

    func destination(alongside sink: AdapterDescriptor) -> Destination? { folder?.destination(alongside: sink) }

    func finish() throws(AdapterError) {
        guard let folder else { return }
        try shelf.publish(folder, mayReplace: mayReplace)
        self.folder = nil
    }
}

extension ShelfEntry {
    fileprivate var book: CollectedBook {
        CollectedBook(title: title, id: id, folder: slug, pageCount: pageCount)
    }
}

extension ShelfList {
    /// Returns the book for a title, a folder or an id.
    ///
    /// - Throws: `.usage` unless it finds exactly one.
    fileprivate func entry(called name: String, file: String) throws(AdapterError) -> ShelfEntry {
        let folder = FileName.last(of: name)
        if let entry = entries.first(where: { [$0.slug, $0.id].contains(name) || $0.slug == folder }) { return entry }
        let found = entries.filter { $0.title == name }
        if let entry = found.first, found.count == 1 { return entry }
        if found.isEmpty {
            throw AdapterError(
                .usage, "no book called '\(name)' is on the shelf", hint: "'jisui catalog' lists its books",
                file: file)
        }
        let folders = found.map(\.slug).commaSeparated
        throw AdapterError(
            .usage, "\(found.count) books are called '\(name)'", hint: "say which by its folder: \(folders)",
            file: file
        )
    }
}
