/// An output of several books, kept open while books come to it or leave it.
///
/// Nothing is made or locked before the first of them does. From then on no other run may change it.
public protocol BookCollection: AnyObject, Sendable {
    /// The books in it, in the order in which they came.
    ///
    /// - Throws: `.exists` where something else stands at its place, `.damaged`, `.unreadable`.
    func books() throws(AdapterError) -> [CollectedBook]

    /// Begins to write a book, which is in the collection once the session has finished.
    ///
    /// - Throws: `.exists`, also for a collection that another run is changing; `.damaged`, `.unwritable`.
    func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession

    /// Takes books out, and deletes them.
    ///
    /// - Parameter names: of each the title, the name of its folder, or its id.
    /// - Returns: the books that were taken out.
    /// - Throws: `.usage` for a name of no book or of several: then all stay; `.exists`, `.damaged`, `.unwritable`.
    func remove(_ names: [String]) throws(AdapterError) -> [CollectedBook]

    /// Brings up to date what tells of all books, after one came or left. A collection to which none came leaves nothing.
    ///
    /// - Throws: `.unwritable`.
    func finish() throws(AdapterError)
}

/// A book in a collection, as it is listed.
public struct CollectedBook: Sendable {
    public var title: String
    /// What it is known by, wherever it lies.
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
