internal import AdapterKit
internal import Files
internal import Imaging
internal import PageModel

/// One image file, or one page of a TIFF file. It is reopened for each read, so that a long book keeps no descriptors open.
struct PictureFile: Sendable {
    /// The number of bytes that are read first.
    private static let headCount = 4096
    /// The maximum number of bytes that are read to find the size.
    private static let wholeCount = 64 << 20

    let path: String
    /// The page's name: the path within the folder, and the number of the page if the file has several.
    var name: String
    /// The input to which the page belongs, for messages.
    let input: String
    /// The maximum number of bytes of the file.
    let byteLimit: Int
    /// The page of a TIFF; nil for a file that is one page.
    var page: TIFFPage?

    /// Whether it may contain several pages: it has a TIFF's extension, or an unknown one.
    var mayHavePages: Bool {
        let promised = ImageEncoding(fileExtension: FileName.extension(of: name))
        return promised == nil || promised == .tiff
    }

    /// Returns the pages of the file: several of a TIFF that has several, otherwise the file itself.
    ///
    /// A file that cannot be read is one page: its fault shows when it is examined. Only the directories of a TIFF are read. A
    /// warning is added if not all pages may be found.
    ///
    /// - Parameters:
    ///   - maximumPages: the maximum number of pages. If there are more, one more is listed.
    ///   - title: the names of several pages, by their numbers.
    func pages(maximumPages: Int, _ warnings: inout [Warning], title: (Int) -> String) -> [PictureFile] {
        guard let file = try? ReadableFile(path: path),
            let listed = try? TIFFPages(
                byteCount: file.size, maximumPages: maximumPages,
                read: { offset, count throws(AdapterError) in try file.read(at: offset, upTo: count) })
        else { return [self] }
        if let defect = listed.defect {
            let place = path == input ? "" : "\(name): "
            warnings.append(Warning(code: "damaged-tiff", message: "\(place)\(defect): pages of it may be missing"))
        }
        if listed.pages.isEmpty || listed.areFile { return [self] }
        return listed.pages.map { page in
            var copy = self
            copy.page = page
            if listed.pages.count > 1 { copy.name = title(page.number) }
            return copy
        }
    }

    /// Examines the image.
    ///
    /// - Throws: `.unreadable`, `.damaged` if it is empty or not an image, `.tooLarge`.
    func examine() throws(AdapterError) -> Picture {
        try naming { () throws(AdapterError) in
            let file = try opened()
            if let page { return try examine(page, of: file) }
            var header: PictureHeader?
            // Most images state their size in their first few bytes, some only after a long profile or a thumbnail.
            for count in [PictureFile.headCount, PictureHeader.headCount, PictureFile.wholeCount] {
                let head = try file.read(at: 0, upTo: count)
                header = PictureHeader(head) ?? header
                // The directory of a TIFF may be at its end.
                if header?.encoding == .tiff, header?.size == nil { header = try directoryHeader(of: file) ?? header }
                if header == nil && count > PictureFile.headCount { break }
                if header?.isComplete == true || head.count == file.size { break }
            }
            guard let header else { throw AdapterError(.damaged, "unrecognized image format") }
            var picture = header.picture(byteCount: file.size) { try read() }
            picture.open = { () throws(AdapterError) in try portions() }
            var representations: [Picture.Representation] = [.encoded(picture)]
            if header.encoding == .tiff, let jpeg = try firstPage(of: file).flatMap({ jpeg(of: $0) }) {
                representations.append(.encoded(jpeg))
            }
            return Picture(size: header.uprightSize, representations: representations)
        }
    }

    /// Returns the page of a TIFF that every program shows; nil if its directory is invalid, or shows a smaller version of the
    /// page.
    private func firstPage(of file: ReadableFile) throws(AdapterError) -> TIFFPage? {
        let listed = try TIFFPages(byteCount: file.size, maximumPages: 1) { offset, count throws(AdapterError) in
            try file.read(at: offset, upTo: count)
        }
        return listed?.pages.first { $0.isFirst }
    }

    /// Returns the first directory of a TIFF, at any offset.
    private func directoryHeader(of file: ReadableFile) throws(AdapterError) -> PictureHeader? {
        let head = try firstPage(of: file)?.head { offset, count throws(AdapterError) in
            try file.read(at: offset, upTo: count)
        }
        return head.flatMap { PictureHeader($0) }
    }

    private func examine(_ page: TIFFPage, of file: ReadableFile) throws(AdapterError) -> Picture {
        let head = try page.head { offset, count throws(AdapterError) in try file.read(at: offset, upTo: count) }
        guard let header = head.flatMap({ PictureHeader($0) }) else { throw TIFFPage.tooLong }
        var picture = header.picture(byteCount: nil) { try read() }
        picture.repair = TIFFPage.origin
        return Picture(
            size: header.uprightSize,
            representations: [.encoded(picture)] + [jpeg(of: page)].compactMap { $0.map { .encoded($0) } })
    }

    /// Returns the JPEG of a TIFF page that is one. A read error shows later, with the TIFF.
    private func jpeg(of page: TIFFPage) -> EncodedPicture? {
        try? page.jpegPicture(maximumBytes: byteLimit) { offset, count throws(AdapterError) in
            try naming { () throws(AdapterError) in try opened().read(at: offset, upTo: count) }
        }
    }

    private func read() throws(AdapterError) -> [UInt8] {
        try naming { () throws(AdapterError) in
            let file = try opened()
            guard let page else { return try file.read(at: 0, exactly: file.size) }
            let bytes = try page.file(maximumBytes: byteLimit) { offset, count throws(AdapterError) in
                try file.read(at: offset, upTo: count)
            }
            guard let bytes else { throw TIFFPage.tooLong }
            return bytes
        }
    }

    /// Returns the file to be read in portions.
    private func portions() throws(AdapterError) -> FilePortions {
        let file = try naming { () throws(AdapterError) in try opened() }
        return FilePortions(count: file.size) { offset, count throws(AdapterError) in
            try naming { () throws(AdapterError) in try file.read(at: offset, exactly: count) }
        } findDefect: { () throws(AdapterError) in
            try naming { () throws(AdapterError) in try file.checkIsUnchanged() }
            return nil
        }
    }

    private func opened() throws(AdapterError) -> ReadableFile {
        let file = try ReadableFile(path: path)
        guard file.size > 0 else { throw AdapterError(.damaged, "the file is empty") }
        guard page != nil || file.size <= byteLimit else {
            throw AdapterError(.tooLarge, "the file has \(file.size) bytes, and \(byteLimit) is the limit")
        }
        return file
    }

    /// Calls `body` with errors that name the input and the page, not the path that the two make together.
    private func naming<Result>(_ body: () throws(AdapterError) -> Result) throws(AdapterError) -> Result {
        do {
            return try body()
        } catch {
            throw error.at(file: input, page: name)
        }
    }
}
