package import PageModel

/// The pages of a TIFF file: the images in its chain of directories, except smaller versions and masks of others.
///
/// Those are marked by the tags NewSubfileType and SubfileType (TIFF 6.0 §2 and §8). Only the directories are read. Images in
/// directories outside the chain (SubIFDs) are not pages.
package struct TIFFPages: Sendable {
    /// The pages in the order of the chain.
    package let pages: [TIFFPage]
    /// The reason that the chain could not be followed to its end, a sentence fragment; nil if it could.
    package let defect: Message?

    /// Whether the unchanged file is its only page: every program shows the first directory.
    package var areFile: Bool { pages.count == 1 && pages[0].isFirst }

    /// - Parameters:
    ///   - byteCount: the size of the file.
    ///   - maximumPages: the maximum number of pages. If there are more, one more is listed.
    ///   - read: a function that returns that many bytes from an offset. There may be fewer at the end.
    /// - Returns: nil if the file is not a TIFF.
    /// - Throws: any error of `read`.
    package init?<Failure: Error>(
        byteCount: Int, maximumPages: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        let header = ByteReader(try read(0, 16))
        guard let layout = TIFFDirectory.order(of: header) else { return nil }
        let stored = StoredDirectories(layout: layout, byteCount: byteCount)
        var next = layout.isBig ? header.uint64(at: 8, layout.order) : header.uint32(at: 4, layout.order)
        var pages: [TIFFPage] = []
        var others: [TIFFPage] = []
        var defect: Message?
        var seen: Set<Int> = []
        var room = byteCount
        while let start = next, start > 0, pages.count <= maximumPages {
            guard seen.insert(start).inserted else {
                defect = "its list of images leads in a circle"
                break
            }
            guard let directory = try stored.directory(at: start, read: read) else {
                defect = "its list of images breaks off"
                break
            }
            // Overlapping directories would make a long list from a small file.
            room -= directory.byteCount
            guard room >= 0 else {
                defect = "its directories overlap"
                break
            }
            let page = TIFFPage(stored: stored, start: start, isFirst: seen.count == 1)
            if stored.isPage(directory) {
                pages.append(page)
            } else if stored.isPicture(directory) {
                others.append(page)
            }
            next = directory.next
        }
        // Some writers mark their only image as a smaller version.
        if pages.isEmpty { pages = Array(others.prefix(1)) }
        for index in pages.indices {
            pages[index].number = index + 1
            pages[index].siblings = pages.count
        }
        self.pages = pages
        self.defect = defect
    }
}

extension TIFFPages {
    /// Reads the pages of a file in memory.
    package init?(_ file: [UInt8], maximumPages: Int = .max - 1) {
        self.init(byteCount: file.count, maximumPages: maximumPages) { offset, count in
            Array(file[min(offset, file.count)...].prefix(count))
        }
    }
}
