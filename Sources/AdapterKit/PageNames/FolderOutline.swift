public import PageModel

/// A table of contents made of the folders in which a book's pages lie: its chapters.
public enum FolderOutline {
    /// Folders in folders, of which more are taken for one: no book has so many, but names that are made to do harm may.
    private static let mostLevels = 16

    /// Each folder at the first of its pages, below the folder that it is in, without those that all pages have in common.
    ///
    /// - Parameter pages: by names that are paths, in the book's order.
    /// - Returns: nothing when all lie in one folder, or each in one of its own, which then says no more than its page.
    public static func items(of pages: [Page]) -> [OutlineItem] {
        let folders = pages.map { page in
            let path = FileName.components(of: page.name).dropLast().filter { ![".", ".."].contains($0) }
            return Array(path.prefix(mostLevels))
        }
        guard var common = folders.first, Set(folders).count < pages.count else { return [] }
        for folder in folders { common = Array(zip(common, folder).prefix { $0 == $1 }.map(\.0)) }
        var items: [OutlineItem] = []
        var known: Set<[String]> = []
        for (page, folder) in zip(pages, folders) {
            for level in common.count..<folder.count where known.insert(Array(folder[...level])).inserted {
                let title = ReadableName.text(of: folder[level])
                if title.allSatisfy(\.isWhitespace) { continue }
                items.append(OutlineItem(title: title, page: page.id, level: level - common.count))
            }
        }
        // A cover beside a folder of pages makes no chapters.
        return items.count > 1 ? items : []
    }
}
