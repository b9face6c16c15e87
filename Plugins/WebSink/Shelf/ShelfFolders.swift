internal import Files
internal import PageModel

/// The folders of a shelf's books.
///
/// The list of the shelf and the folders cannot change in one step. A folder holds a mark while it enters the list, or after it
/// has left it. If a run is killed meanwhile, the next run finds abandoned folders by this mark. A folder without a mark stays,
/// even if the list does not contain it: a person may have put it there.
struct ShelfFolders {
    /// The path of the shelf.
    let shelf: String
    let temporaryFiles: TemporaryFiles

    func path(_ slug: String) -> String { "\(shelf)/\(WebLayout.inShelf(slug))" }

    /// The place where a book is written until its name is known; it differs from every book's own.
    var placeForNewBook: String { path("new") }

    private func mark(_ slug: String) -> String { "\(path(slug))/\(WebLayout.unlisted)" }

    /// Marks a folder that is about to leave the list.
    func beginLeaving(_ slug: String) throws(AdapterError) { try Folder.makeEmptyFile(mark(slug)) }

    /// Removes the mark from a folder that has entered the list.
    func endComing(_ slug: String) throws(AdapterError) { try Folder.removeFile(mark(slug)) }

    /// - Throws: `.exists` for a folder with files that jisui could not have written.
    func refuseForeignFiles(in slug: String) throws(AdapterError) {
        try OutputFolder.refuseForeignFiles(in: path(slug), isOurs: WebLayout.isOurs)
    }

    /// - Throws: `.exists` as above, `.unwritable`.
    func delete(_ slug: String) throws(AdapterError) {
        try OutputFolder.remove(path(slug), before: placeForNewBook, temporaryFiles, isOurs: WebLayout.isOurs)
    }

    /// Completes the changes of a killed run: it removes all marks, and the marked folders that are not listed.
    func removeRemains(listed: Set<String>) throws(AdapterError) {
        let books = "\(shelf)/\(WebLayout.books)"
        guard FileStatus.isFolder(books) else { return }
        for slug in try FolderListing.names(in: books) where ShelfEntry.isSlug(slug) {
            guard FileStatus(of: mark(slug), followsLinks: false) != nil else { continue }
            if listed.contains(slug) {
                try endComing(slug)
            } else {
                // A folder to which a person has added files stays.
                try? delete(slug)
            }
        }
    }
}
