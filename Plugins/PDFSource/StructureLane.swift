internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel
internal import Synchronization

/// Something that serves one task at a time.
protocol Lane: Sendable {
    /// Whether it is still at work on a task that was given up.
    var isStuck: Bool { get }
}

/// Readers of one file, of which each serves one task at a time: as many as there are tasks at work.
///
/// Neither qpdf nor poppler may be used by two threads at once on one document, and waiting in turn for one
/// document would keep all processors but one idle.
final class LanePool<Member: Lane>: Sendable {
    private let idle: Mutex<[Member]>
    private let open: @Sendable () async throws -> Member

    /// - Parameter open: opens the file once more.
    init(open: @escaping @Sendable () async throws -> Member) {
        idle = Mutex([])
        self.open = open
    }

    /// Lends a lane to `body`. One that is stuck afterwards is not lent again: who had it next would wait in vain.
    func withLane<Result: Sendable>(_ body: (Member) async throws -> Result) async throws -> Result {
        var lane = idle.withLock { $0.popLast() }
        if lane == nil { lane = try await open() }
        guard let lane else { preconditionFailure("open gives a lane or throws") }
        defer { if !lane.isStuck { idle.withLock { $0.append(lane) } } }
        return try await body(lane)
    }
}

/// One lane's access to the file's structure, through qpdf.
actor StructureLane: Lane {
    private let source: any ByteSource
    private let password: String?
    private let limits: Limits
    private let seconds: Int
    private let layers: OptionalContent
    /// Nil between one opening and the next: two at once would take twice the memory.
    private var opened: PDFFile?
    private var usesLeft: Int

    /// Where the pages stand, and their numbers: what links lead to. Known once `facts` was asked for.
    private var paths: [PageTree.Path] = []
    private var pageNumbers: [PDFReference: Int] = [:]
    /// The destinations that have names, once one was needed.
    private var destinationNames: [[UInt8]: PDFDestination]?

    nonisolated var isStuck: Bool { false }

    /// The password that opened the file: none when the one given was not needed.
    let neededPassword: String?

    /// - Parameter seconds: of a processor, which looking at a page may take.
    /// - Throws: `.encrypted`, `.damaged`.
    init(_ source: any ByteSource, password: String?, limits: Limits, seconds: Int) throws(AdapterError) {
        let file = try PDFFile(source, password: password)
        layers = OptionalContent(file.catalog)
        if let fault = file.fault { throw fault }
        opened = file
        usesLeft = file.usesBeforeReopening
        neededPassword = file.password
        self.source = source
        self.password = password
        self.limits = limits
        self.seconds = seconds
    }

    /// What the document says about the book and its pages.
    func facts(showing box: PageBox) throws(AdapterError) -> DocumentFacts {
        try withFile { file throws(AdapterError) in
            let facts = try DocumentFacts(file, mostPages: limits.pages, showing: box)
            (paths, pageNumbers) = (facts.pages.map(\.path), facts.pageNumbers)
            if facts.pages.count > usesLeft { usesLeft = 0 }
            return facts
        }
    }

    /// Decides whether a page is one picture.
    func verdict(
        onPageAt path: PageTree.Path, showing box: PageBox, _ pagesAs: PagesAs = .auto
    ) throws(AdapterError) -> PageVerdict {
        try withFile { file throws(AdapterError) in
            let page = try file.page(at: path)
            return PageJudge(file: file, layers: layers, limits: limits, seconds: seconds, pagesAs: pagesAs)
                .verdict(on: page, showing: box)
        }
    }

    /// Where the parts of a page lead to; pages are meant by their numbers, from 1.
    func links(onPageAt path: PageTree.Path, number: Int, showing box: PageBox) throws(AdapterError) -> [PageLink] {
        try withFile { file throws(AdapterError) in
            let page = try file.page(at: path)
            var reader = LinkReader(
                file, Destinations(file.catalog, pageNumbers: pageNumbers, names: destinationNames), layers: layers)
            let links = try reader.links(on: page, number: number, of: paths, showing: box)
            destinationNames = reader.destinations.names
            return links
        }
    }

    /// What the document can do besides showing pages.
    func activeContent(on paths: [PageTree.Path]) throws(AdapterError) -> ActiveContent {
        let found = try withFile { file throws(AdapterError) in
            try file.activeContent(on: paths.compactMap { path in try? file.page(at: path).page })
        }
        // All pages are in memory now.
        usesLeft = 0
        return found
    }

    /// Reads all data that a page is made of, as a check before it is drawn.
    ///
    /// Poppler draws nothing in the place of what it cannot read, and does not tell.
    ///
    /// - Throws: `.unreadable` when the disk gives an error.
    func checkReadable(pageAt path: PageTree.Path) throws(AdapterError) {
        try withFile { file throws(AdapterError) in file.readThrough(try file.page(at: path)) }
    }

    /// A PDF of one page that paints what lies over its scan, and nothing else.
    func file(
        without overlay: Extraction.Overlay, onPageAt path: PageTree.Path, showing box: PageBox
    ) throws(AdapterError) -> [UInt8] {
        try withFile { file throws(AdapterError) in
            let page = try file.page(at: path)
            return try file.withoutPictures(
                overlay.below, keeping: overlay.pictures, on: page, showing: PageGeometry(page, showing: box).shown)
        }
    }

    /// The bytes of a stream with all filters undone but the last `kept`.
    func data(of stream: PDFReference, kept: Int, limit: Int) throws(AdapterError) -> [UInt8] {
        try withFile { file throws(AdapterError) in
            try file.data(of: file.object(stream), keepingFilters: kept, limit: limit)
        }
    }

    /// Writes a copy in which the crop box of each page is the box that was asked for.
    func writeCopy(to path: String, showing box: PageBox) throws(AdapterError) {
        try withFile { file throws(AdapterError) in
            for path in try PageTree(file, most: limits.pages).paths {
                let page = try file.page(at: path)
                file.setCropBox(of: page.page, PageGeometry(page, showing: box).shown)
            }
            try file.write(to: path)
        }
        opened = nil
    }

    /// Calls `body` with the file; once more, with the file opened afresh, when reading failed: it may have been only
    /// for a moment.
    private func withFile<Result>(_ body: (PDFFile) throws(AdapterError) -> Result) throws(AdapterError) -> Result {
        var fault: AdapterError?
        for _ in 0..<2 {
            do throws(AdapterError) {
                let file = try file()
                let result = Swift.Result { () throws(AdapterError) in try body(file) }
                fault = file.fault
                if fault == nil { return try result.get() }
                opened = nil
            } catch  where error.code == .unreadable {
                fault = error
                opened = nil
            }
        }
        throw fault ?? PDFFile.outOfMemory
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
        usesLeft = file.usesBeforeReopening
        return file
    }
}

extension PDFFile {
    /// How many pages may be looked at before the file is opened afresh.
    ///
    /// qpdf keeps every object it has seen, and opening costs as much as there are objects. A share of the objects that
    /// is the same for books of any length keeps the openings few, so that time grows only with the book, and keeps
    /// what is remembered small beside the table of objects, which is in memory in any case.
    fileprivate var usesBeforeReopening: Int {
        // What the file states is bounded by what has room in it.
        let objects = min(max(0, trailer["Size"].integer ?? 0), size / 16)
        return max(120, objects / 32)
    }
}
