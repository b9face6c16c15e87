internal import Files
package import PageModel

/// A table of contents made of the folders of a book's pages: its chapters.
package enum FolderOutline {
    /// The maximum number of levels, beyond which deeper folders count as one. Books do not have so many, but malicious
    /// names may.
    private static let maximumLevels = 16

    /// Returns an item for each folder at the first of its pages, below its parent folder. Folders that all pages share
    /// are left out.
    ///
    /// - Parameter pages: the pages in the book's order. Their names are paths.
    /// - Returns: an empty list if all pages are in one folder. A folder for each page also adds no information.
    package static func items(of pages: [Page]) -> [OutlineItem] {
        let folders = pages.map { page in
            let path = FileName.components(of: page.name).dropLast().filter { ![".", ".."].contains($0) }
            return Array(path.prefix(maximumLevels))
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
        // A cover next to a folder of pages makes no chapters.
        return items.count > 1 ? items : []
    }
}
