internal import AdapterKit
internal import Files
internal import Imaging
internal import PageModel

/// A builder that makes pages from an archive's entries: one from each, or all of a TIFF that has several.
struct PageMaker {
    private(set) var pages: [Page] = []
    private(set) var warnings: [Warning] = []

    private let limits: Limits
    /// The file to which TIFFs of several pages are unpacked, so that each of their pages does not require unpacking all of it.
    private var spool: SpoolFile?

    init(limits: Limits) {
        self.limits = limits
    }

    /// - Throws: `.tooLarge` for more pages than are allowed, `.unwritable`.
    mutating func add(_ name: String, _ content: any MemberContent) throws(AdapterError) {
        let promised = ImageEncoding(fileExtension: FileName.extension(of: name))
        let mayBeTIFF = promised == nil || promised == .tiff
        let found = mayBeTIFF ? try tiffPages(name, content) : nil
        let room = limits.pages - pages.count
        guard (found?.pages.count ?? 1) <= room else {
            throw AdapterError(.tooLarge, "has more than the \(limits.pages) pages allowed")
        }
        guard let (tiff, content) = found else {
            pages.append(PageMaker.page(id: pages.count + 1, name: name, content: content))
            return
        }
        for page in tiff {
            let title = tiff.count > 1 ? PageName.page(page.number, of: name) : name
            pages.append(
                PageMaker.page(
                    id: pages.count + 1, name: title, page, of: content, maximumBytes: limits.entryBytes))
        }
    }

    /// Returns the pages of a TIFF, and the content from which they are read.
    ///
    /// Returns nil if the unchanged file is the only page, and if it cannot be read: its fault shows when it is examined.
    private mutating func tiffPages(
        _ name: String, _ content: any MemberContent
    ) throws(AdapterError) -> (pages: [TIFFPage], any MemberContent)? {
        let maximumPages = limits.pages - pages.count
        var whole: [UInt8]?
        let listed: TIFFPages?
        do {
            if try content.part(at: 0, upTo: 0) == nil { whole = try content.bytes() }
            if let whole {
                listed = TIFFPages(whole, maximumPages: maximumPages)
            } else {
                listed = try TIFFPages(byteCount: content.byteCount, maximumPages: maximumPages) {
                    offset, count throws(AdapterError) in
                    try content.part(at: offset, upTo: count) ?? []
                }
            }
        } catch {
            return nil
        }
        guard let listed else { return nil }
        if let defect = listed.defect {
            warnings.append(
                Warning(code: "damaged-tiff", subject: name, message: "\(defect): pages of it may be missing"))
        }
        if listed.pages.isEmpty || listed.areFile { return nil }
        if content is SpooledMember { return (listed.pages, content) }
        guard let bytes = whole ?? (try? content.bytes()) else { return nil }
        if spool == nil { spool = try SpoolFile() }
        guard let file = spool else { return nil }
        let offset = try file.append(bytes)
        return (
            listed.pages, SpooledMember(spool: file, offset: offset, byteCount: bytes.count, defect: content.defect)
        )
    }
}

extension PageMaker {
    /// Returns a page of a TIFF.
    private static func page(
        id: Int, name: String, _ page: TIFFPage, of content: any MemberContent, maximumBytes: Int
    ) -> Page {
        let read = { @Sendable (offset: Int, count: Int) throws(AdapterError) -> [UInt8] in
            try content.part(at: offset, upTo: count) ?? []
        }
        return Page(id: id, name: name) {
            try named(name) { () throws(AdapterError) in
                let head = try page.head(read: read)
                guard let header = head.flatMap({ PictureHeader($0) }) else { throw TIFFPage.tooLong }
                var picture = header.picture(byteCount: nil) {
                    try named(name) { () throws(AdapterError) in
                        guard let file = try page.file(maximumBytes: maximumBytes, read: read) else {
                            throw TIFFPage.tooLong
                        }
                        return file
                    }
                }
                picture.repair = TIFFPage.origin
                picture.reportDefect { content.defect }
                let jpeg = try? page.jpegPicture(maximumBytes: maximumBytes) { offset, count throws(AdapterError) in
                    try named(name) { () throws(AdapterError) in try read(offset, count) }
                }
                return Picture(
                    size: header.uprightSize,
                    representations: [.encoded(picture)] + [jpeg].compactMap { $0.map { .encoded($0) } })
            }
        }
    }

    /// Returns a page whose image is examined only on request.
    private static func page(id: Int, name: String, content: any MemberContent) -> Page {
        Page(id: id, name: name) {
            let header = try named(name) { () throws(AdapterError) in try examine(content) }
            var encoded = header.picture(byteCount: content.byteCount) {
                try named(name) { () throws(AdapterError) in try content.bytes() }
            }
            encoded.reportDefect { content.defect }
            if try named(name, { () throws(AdapterError) in try content.part(at: 0, upTo: 0) }) != nil {
                encoded.open = { () throws(AdapterError) in portions(of: content, named: name) }
            }
            return Picture(size: header.uprightSize, representations: [.encoded(encoded)])
        }
    }

    /// Returns a member that need not be unpacked, to be read in portions.
    private static func portions(of content: any MemberContent, named name: String) -> FilePortions {
        FilePortions(count: content.byteCount) { offset, count throws(AdapterError) in
            try named(name) { () throws(AdapterError) in try content.part(at: offset, upTo: count) ?? [] }
        } findDefect: { () throws(AdapterError) in
            try named(name) { () throws(AdapterError) in try content.findDefect() }
        }
    }

    private static func examine(_ content: any MemberContent) throws(AdapterError) -> PictureHeader {
        let head = try content.head()
        guard !head.isEmpty else { throw AdapterError(.damaged, "the file is empty") }
        guard let header = PictureHeader(head) else {
            throw AdapterError(.damaged, content.defect ?? "unrecognized image format")
        }
        if !header.isComplete && head.count < content.byteCount {
            return PictureHeader(try content.bytes()) ?? header
        }
        return header
    }

    /// Runs `body`, and adds the page's name to the error it throws.
    private static func named<Result>(
        _ page: String, _ body: () throws(AdapterError) -> Result
    ) throws(AdapterError) -> Result {
        do {
            return try body()
        } catch {
            throw error.at(page: page)
        }
    }
}
