internal import AdapterKit
internal import Imaging
internal import PageModel

/// One lane's view of the file's structure, through qpdf.
actor StructureLane {
    private let file: PDFFile
    private let source: ReadableFile
    private let layers: OptionalContent
    private let limits: Limits

    /// The password that opened the file.
    var password: String? { file.password }

    /// Whether the file's table of objects was missing or wrong.
    var isRepaired: Bool { file.isRepaired }

    init(_ source: ReadableFile, password: String?, limits: Limits) throws(AdapterError) {
        let file = try PDFFile(source, password: password)
        self.file = file
        self.source = source
        self.limits = limits
        layers = OptionalContent(file.trailer["Root"])
    }

    /// What the document says of itself, and the label of each page.
    func facts() throws(AdapterError) -> (book: BookFacts, labels: [String?]) {
        let count = try file.pageCount()
        guard count <= limits.pages else {
            throw AdapterError(.tooLarge, "has \(count) pages, more than \(limits.pages)")
        }
        let catalog = file.trailer["Root"]
        let labels = PageLabels(catalog)
        var outline = OutlineReader(file, catalog: catalog, pageCount: count)
        return (DocumentFacts.read(file, catalog: catalog, outline: outline.items()), (0..<count).map { labels[$0] })
    }

    /// Looks at a page, from 0.
    func verdict(onPage index: Int, showing box: PageBox) -> PageVerdict {
        PageJudge(file: file, source: source, layers: layers, limits: limits)
            .verdict(on: file.page(index), showing: box)
    }

    /// The bytes of a stream with all filters undone but the last `kept`.
    func data(of stream: PDFReference, kept: Int, limit: Int) throws(AdapterError) -> [UInt8] {
        try file.data(of: file.object(stream), keepingFilters: kept, limit: limit)
    }

    /// Writes a copy in which every page's crop box is the box that was asked for.
    func writeCopy(to path: String, showing box: PageBox) throws(AdapterError) {
        for index in 0..<(try file.pageCount()) {
            let page = file.page(index)
            file.setCropBox(of: page, PageGeometry(page, showing: box).shown)
        }
        try file.write(to: path)
    }
}
