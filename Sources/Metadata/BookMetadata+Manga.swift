public import PageModel

extension BookMetadata {
    /// Whether a ComicInfo.xml of the book says that it is a manga, and not how it is read.
    public var isSaidToBeManga: Bool {
        ComicInfo.documents(of: self).contains { _, info in info.value("Manga") == "Yes" }
    }

    /// Whether one of its genres is "Manga".
    public var hasMangaGenre: Bool { genres.contains { $0.lowercased() == "manga" } }
}
