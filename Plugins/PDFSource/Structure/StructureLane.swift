internal import AdapterKit
internal import Imaging
internal import PageModel

/// One lane's view of the file's structure, through qpdf.
actor StructureLane: Lane {
    private let source: ReadableFile
    private let password: String?
    private let limits: Limits
    private let layers: OptionalContent
    /// nil between one opening and the next: two at once would take twice the memory.
    private var opened: PDFFile?
    private var usesLeft = StructureLane.usesOfOneFile

    /// qpdf keeps every object it has seen. So that memory does not grow with the book, the file is opened afresh
    /// after this many pages, which costs no more than looking at a few of them.
    private static let usesOfOneFile = 120

    nonisolated var isStuck: Bool { false }

    /// The password that opened the file: none when the one given was not needed.
    let neededPassword: String?

    /// - Throws: `.encrypted`, `.damaged`.
    init(_ source: ReadableFile, password: String?, limits: Limits) throws(AdapterError) {
        let file = try PDFFile(source, password: password)
        opened = file
        neededPassword = file.password
        self.source = source
        self.password = password
        self.limits = limits
        layers = OptionalContent(file.catalog)
    }

    /// What the document says of itself and of its pages.
    func facts() throws(AdapterError) -> DocumentFacts {
        let facts = try DocumentFacts(file(), mostPages: limits.pages)
        if facts.pages.count > StructureLane.usesOfOneFile { opened = nil }
        return facts
    }

    /// Looks at a page.
    func verdict(onPageAt path: PageTree.Path, showing box: PageBox) throws(AdapterError) -> PageVerdict {
        let file = try file()
        let page = try file.page(at: path)
        return PageJudge(file: file, source: source, layers: layers, limits: limits).verdict(on: page, showing: box)
    }

    /// The bytes of a stream with all filters undone but the last `kept`.
    func data(of stream: PDFReference, kept: Int, limit: Int) throws(AdapterError) -> [UInt8] {
        let file = try file()
        return try file.data(of: file.object(stream), keepingFilters: kept, limit: limit)
    }

    /// Writes a copy in which the crop box of each page is the box that was asked for.
    func writeCopy(to path: String, showing box: PageBox) throws(AdapterError) {
        let file = try file()
        for path in try PageTree(file, most: limits.pages).paths {
            let page = try file.page(at: path)
            file.setCropBox(of: page.page, PageGeometry(page, showing: box).shown)
        }
        try file.write(to: path)
        opened = nil
    }

    /// The file, opened afresh when the one that was open has been used for long.
    private func file() throws(AdapterError) -> PDFFile {
        if usesLeft == 0 { opened = nil }
        if let opened {
            usesLeft -= 1
            return opened
        }
        let file = try PDFFile(source, password: password)
        opened = file
        usesLeft = StructureLane.usesOfOneFile
        return file
    }
}
