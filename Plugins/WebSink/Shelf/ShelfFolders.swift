internal import AdapterKit

/// The folders of a shelf's books.
///
/// The list of the shelf and the folders cannot change in one step. A folder that comes to the list, or has left it, holds a mark
/// as long as that goes on: where a run was killed meanwhile, the next knows by it which folders are nobody's. One without a mark
/// stays, even if the list does not name it: somebody may have put it there.
struct ShelfFolders {
    /// The path of the shelf.
    let shelf: String
    let temporaryFiles: TemporaryFiles

    func path(_ slug: String) -> String { "\(shelf)/\(WebLayout.inShelf(slug))" }

    /// Where a book is written until its name is known; no book's own is like it.
    var placeForNewBook: String { path("new") }

    private func mark(_ slug: String) -> String { "\(path(slug))/\(WebLayout.unlisted)" }

    /// Marks a folder that is about to leave the list.
    func beginLeaving(_ slug: String) throws(AdapterError) { try Folder.makeEmptyFile(mark(slug)) }

    /// Takes the mark away from a folder that has come to the list.
    func endComing(_ slug: String) throws(AdapterError) { try Folder.removeFile(mark(slug)) }

    /// - Throws: `.exists` for a folder that holds anything but files that jisui could have written.
    func refuseForeignFiles(in slug: String) throws(AdapterError) {
        try OutputFolder.refuseForeignFiles(in: path(slug), isOurs: WebLayout.isOurs)
    }

    /// - Throws: `.exists` as above, `.unwritable`.
    func delete(_ slug: String) throws(AdapterError) {
        try OutputFolder.remove(path(slug), before: placeForNewBook, temporaryFiles, isOurs: WebLayout.isOurs)
    }

    /// Ends what a run was killed with: no folder has a mark afterwards, and none that had one and is not listed is there.
    func removeRemains(listed: Set<String>) throws(AdapterError) {
        let books = "\(shelf)/\(WebLayout.books)"
        guard FileStatus.isFolder(books) else { return }
        for slug in try FolderListing.names(in: books) where ShelfEntry.isSlug(slug) {
            guard FileStatus(of: mark(slug), followsLinks: false) != nil else { continue }
            if listed.contains(slug) {
                try endComing(slug)
            } else {
                // One into which somebody has put something stays.
                try? delete(slug)
            }
        }
    }
}
