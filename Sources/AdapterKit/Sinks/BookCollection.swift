public import PageModel

/// An output of several books, open while books are added or removed.
///
/// The collection is created and locked with the first change. From then on no other run may change it.
public protocol BookCollection: AnyObject, Sendable {
    /// Returns the books in it, in the order of their addition.
    ///
    /// - Throws: `.exists` if something else is at its path, `.damaged`, `.unreadable`.
    func books() throws(AdapterError) -> [CollectedBook]

    /// Begins to write a book. The book is in the collection once the session has finished.
    ///
    /// - Throws: `.exists`, also for a collection that another run is changing; `.damaged`, `.unwritable`.
    func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession

    /// Removes and deletes books.
    ///
    /// - Parameter names: for each book the title, the name of its folder, or its id.
    /// - Returns: the removed books. If one name is invalid, every book stays.
    /// - Throws: `.usage` for a name that matches no book or several; `.exists`, `.damaged`, `.unwritable`.
    func remove(_ names: [String]) throws(AdapterError) -> [CollectedBook]

    /// Updates the lists of all books, after one was added or removed. A collection that got no book leaves no files.
    ///
    /// - Throws: `.unwritable`.
    func finish() throws(AdapterError)
}

/// A book in a collection, as listed.
public struct CollectedBook: Sendable {
    public var title: String
    /// The permanent identifier, independent of the folder.
    public var id: String
    /// The name of its folder.
    public var folder: String
    public var pageCount: Int

    public init(title: String, id: String, folder: String, pageCount: Int) {
        self.title = title
        self.id = id
        self.folder = folder
        self.pageCount = pageCount
    }
}
