/// How much an adapter may take before it must refuse; it never truncates instead.
public struct Limits: Hashable, Sendable {
    /// Pages in a book.
    public var pages: Int
    /// Entries in an archive, pages or not.
    public var entries: Int
    /// Bytes of one page's encoded picture.
    public var entryBytes: Int
    /// Bytes of all pages' encoded pictures.
    public var totalBytes: Int
    /// Pixels of one picture that is decoded or drawn.
    public var pixels: Int

    public init(
        pages: Int = 50_000, entries: Int = 100_000, entryBytes: Int = 2 << 30, totalBytes: Int = 64 << 30,
        pixels: Int = 250_000_000
    ) {
        self.pages = pages
        self.entries = entries
        self.entryBytes = entryBytes
        self.totalBytes = totalBytes
        self.pixels = pixels
    }
}
