package import PageModel

extension BookMetadata {
    /// Whether a ComicInfo.xml of the book states that it is a manga, without a reading direction.
    package var isStatedToBeManga: Bool {
        ComicInfo.documents(of: self).contains { _, info in info.value("Manga") == "Yes" }
    }

    /// Whether a genre of the book is "Manga".
    package var hasMangaGenre: Bool { genres.contains { $0.lowercased() == "manga" } }
}
