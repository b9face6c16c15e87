internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// One worker's access to the file's structure, through qpdf.
actor StructureWorker: PDFWorker {
    private let source: any ByteSource
    private let password: String?
    private let memory: PDFMemory
    private let limits: Limits
    private let seconds: Int
    private let layers: OptionalContent
    /// The open file; nil between one opening and the next, because two at once would use twice the memory.
    private var opened: PDFFile?
    private var usesLeft: Int

    /// The positions of the pages, and their numbers, which are the targets of links. Known after the first call of `facts`.
    private var paths: [PageTree.Path] = []
    private var pageNumbers: [PDFReference: Int] = [:]
    /// The files attached to the document as a whole, likewise.
    private var attachedFiles: Set<PDFReference> = []
    /// The named destinations, after the first use of one.
    private var destinationNames: [[UInt8]: PDFDestination]?

    nonisolated var isStuck: Bool { false }

    /// The password that opened the file; nil if the given one was not needed.
    let neededPassword: String?
    /// Whether the file is encrypted and was opened with the given password.
    let isDecrypted: Bool

    /// - Parameters:
    ///   - memory: the memory of all workers for this file.
    ///   - seconds: the processor time in seconds for the analysis of a page.
    /// - Throws: `.encrypted`, `.damaged`, `.tooLarge`.
    init(
        _ source: any ByteSource, password: String?, memory: PDFMemory, limits: Limits, seconds: Int
    ) throws(AdapterError) {
        let file = try PDFFile(source, password: password, memory: memory)
        layers = OptionalContent(file.catalog)
        if let fault = file.fault { throw fault }
        opened = file
        usesLeft = file.usesBeforeReopening
        neededPassword = file.password
        isDecrypted = file.isEncrypted && file.password != nil
        self.source = source
        self.password = password
        self.memory = memory
        self.limits = limits
        self.seconds = seconds
    }

    /// Returns the document's data about the book and its pages.
    func facts(showing box: PageBox) throws(AdapterError) -> DocumentFacts {
        try withFile { file throws(AdapterError) in
            let facts = try DocumentFacts(file, maximumPages: limits.pages, showing: box)
            (paths, pageNumbers) = (facts.pages.map(\.path), facts.pageNumbers)
            attachedFiles = facts.attachedFiles
            if facts.pages.count > usesLeft { usesLeft = 0 }
            return facts
        }
    }

    /// Decides whether a page is one image.
    ///
    /// - Parameters:
    ///   - removed: the objects without which the page is analyzed.
    ///   - findsStamps: whether to find the objects over a scan that may be removed.
    func analysis(
        onPageAt path: PageTree.Path, showing box: PageBox, _ pagesAs: PagesAs = .auto,
        without removed: Stamps.Removal? = nil, findsStamps: Bool = false
    ) throws(AdapterError) -> PageAnalysis {
        try withFile { file throws(AdapterError) in
            let page = try file.page(at: path)
            var analyzer = PageAnalyzer(
                file: file, layers: layers, limits: limits, seconds: seconds, pagesAs: pagesAs)
            analyzer.attachedFiles = attachedFiles
            analyzer.findsStamps = findsStamps
            return analyzer.analysis(on: page, showing: box, without: removed)
        }
    }

    /// Returns the link targets on a page; pages are identified by their numbers, from 1.
    func links(
        onPageAt path: PageTree.Path, number: Int, showing box: PageBox, without removed: Set<Int>
    ) throws(AdapterError) -> [PageLink] {
        try withFile { file throws(AdapterError) in
            let page = try file.page(at: path)
            var reader = LinkReader(
                file, Destinations(file.catalog, pageNumbers: pageNumbers, names: destinationNames), layers: layers)
            let links = try reader.links(
                on: page, number: number, of: paths, showing: box, without: removed)
            destinationNames = reader.destinations.names
            return links
        }
    }

    /// Returns the document's abilities other than showing pages.
    func activeContent(on paths: [PageTree.Path]) throws(AdapterError) -> ActiveContent {
        let found = try withFile { file throws(AdapterError) in
            try file.activeContent(on: paths.compactMap { path in try? file.page(at: path).page })
        }
        // All pages are in memory now.
        usesLeft = 0
        return found
    }

    /// Reads all data of a page, as a check before it is rendered.
    ///
    /// Poppler leaves unreadable parts empty without a report.
    ///
    /// - Throws: `.unreadable` for a disk error.
    func checkReadable(pageAt path: PageTree.Path) throws(AdapterError) {
        try withFile { file throws(AdapterError) in file.readThrough(try file.page(at: path)) }
    }

    /// Returns the digest of a page's boxes, content, images and forms, or of its images alone. See `PageContentDigest`.
    func contentDigest(
        ofPageAt path: PageTree.Path, coversImagesOnly: Bool = false
    ) throws(AdapterError) -> String {
        try withFile { file throws(AdapterError) in
            try PageContentDigest.hex(
                of: file.page(at: path), in: file, limits, seconds: seconds, coversImagesOnly: coversImagesOnly)
        }
    }

    /// Returns a PDF of one page, without some of its objects and images.
    ///
    /// - Parameter isFaithful: whether to replace what poppler would show in other colors.
    func file(
        ofPageAt path: PageTree.Path, omitting omission: PageOmission = PageOmission(),
        showing pictures: PDFFile.ShownPictures, in box: PageBox, keepsInvisibleText: Bool = true,
        turnedBy degrees: Int = 0, isFaithful: Bool = false
    ) throws(AdapterError) -> [UInt8] {
        try withFile { file throws(AdapterError) in
            let page = try file.page(at: path)
            return try file.document(
                of: page, omitting: omission, showing: pictures, in: PageGeometry(page, showing: box).shown,
                keepsInvisibleText: keepsInvisibleText, turnedBy: degrees, limit: limits.entryBytes
            ) { copy, page throws(AdapterError) in
                if isFaithful { try FaithfulPage(copy).apply(to: page) }
            }
        }
    }

    /// Returns the bytes of a stream with all filters undone except the last `kept`.
    func data(of stream: PDFReference, kept: Int, limit: Int) throws(AdapterError) -> [UInt8] {
        try withFile { file throws(AdapterError) in
            try file.data(of: file.object(stream), keepingFilters: kept, limit: limit)
        }
    }

    /// Returns the zlib data that the last filter of a stream undoes, and whether the content consists of differences
    /// between samples. The result is nil if that filter is another one.
    func flateData(
        of stream: PDFReference, limit: Int
    ) throws(AdapterError) -> (bytes: [UInt8], isPredicted: Bool)? {
        try withFile { file throws(AdapterError) in
            let object = file.object(stream)
            let (filter, parameters) = (object["Filter"], object["DecodeParms"])
            guard ["FlateDecode", "Fl"].contains(filter.name ?? filter.items.last?.name) else { return nil }
            let predictor = (parameters.items.last ?? parameters)["Predictor"]
            return (
                try file.data(of: object, keepingFilters: 1, limit: limit),
                !predictor.isNull && predictor.integer != 1
            )
        }
    }

    /// Writes a copy in which the crop box of each page is the requested box.
    func writeCopy(to path: String, showing box: PageBox) throws(AdapterError) {
        try withFile { file throws(AdapterError) in
            for path in try PageTree(file, maximumPages: limits.pages).paths {
                let page = try file.page(at: path)
                file.setCropBox(of: page.page, PageGeometry(page, showing: box).shown)
            }
            try file.write(to: path)
        }
        opened = nil
    }

    /// Calls `body` with the file. If reading fails, it opens the file again and repeats the call, because the error may be
    /// temporary.
    private func withFile<Result>(_ body: (PDFFile) throws(AdapterError) -> Result) throws(AdapterError) -> Result {
        var fault: AdapterError?
        for _ in 0..<2 {
            do throws(AdapterError) {
                let file = try file()
                let result = Swift.Result { () throws(AdapterError) in try body(file) }
                fault = file.fault
                if fault == nil { return try result.get() }
                opened = nil
                // It would need as much again.
                if fault == PDFFile.exceededMemory { break }
            } catch  where error.code == .unreadable {
                fault = error
                opened = nil
            }
        }
        throw fault ?? PDFFile.outOfMemory
    }

    /// Returns the file, reopened after long use.
    private func file() throws(AdapterError) -> PDFFile {
        if usesLeft == 0 { opened = nil }
        if let opened {
            usesLeft -= 1
            return opened
        }
        let file = try PDFFile(source, password: password, memory: memory)
        opened = file
        usesLeft = file.usesBeforeReopening
        return file
    }
}

extension PDFFile {
    /// The number of pages that may be analyzed before the file is reopened.
    ///
    /// The qpdf library keeps every object it has read, and opening costs as much as the number of objects. The limit is a fixed
    /// share of the objects. It keeps the openings few, so that time grows only with the book. It also keeps the memory for read
    /// objects small compared with the table of objects, which is in memory in any case. The objects of 250 scans take
    /// about 2 MB, so most books are opened once.
    fileprivate var usesBeforeReopening: Int {
        // The stated number is limited to the number that fits into the file.
        let objects = min(max(0, trailer["Size"].integer ?? 0), size / 16)
        return max(250, objects / 32)
    }
}
