internal import AdapterKit
internal import Files
internal import Metadata
internal import PDFStructure
internal import PageModel

/// A PDF whose pages are copied unchanged.
final class SourceDocument {
    let file: PDFFile
    let path: String
    /// The number of its book, as `DocumentPage.book`.
    private let book: Int
    /// The name of the file in messages.
    let name: String
    /// Its claim to be a PDF/A, if it has one.
    let claim: ArchivalClaim?
    private let tree: PageTree
    /// The maximum number of bytes in the contents of a page.
    private let maximumBytes: Int
    /// The pages that were changed, because objects were omitted.
    private var changed: Set<PDFReference> = []
    /// The state of its tags.
    private(set) lazy var structure = file.structureState

    /// - Throws: `.encrypted`, `.damaged`, `.unreadable`, `.tooLarge`.
    init(_ page: DocumentPage, limits: Limits) throws(AdapterError) {
        (path, book) = (page.path, page.book)
        file = try PDFFile(
            ReadableFile(path: page.path), password: page.password, memory: PDFMemory(bytes: limits.memory))
        let found = try PageTree(file, maximumPages: limits.pages)
        // Viewers would loop on a copy as well, or lose pages. Pages refer to the root of their tree.
        let isSound = found.isSound && file.catalog["Pages"].reference != nil
        if !isSound { try file.rebuildPages(found) }
        tree = isSound ? found : try PageTree(file, maximumPages: limits.pages)
        let packet = try? file.data(of: file.catalog["Metadata"], limit: BookDocument.maximumBytes)
        claim = packet.flatMap { ArchivalClaim(xmp: $0) }
        name = FileName.last(of: page.name)
        maximumBytes = limits.entryBytes
    }

    var pageCount: Int { tree.paths.count }

    /// Whether some of its pages are one object, which cannot be changed for one of them alone.
    var repeatsPages: Bool { tree.numbers.count != tree.paths.count }

    /// The numbers of its pages, from 1, by their objects.
    var numbers: [PDFReference: Int] { tree.numbers }

    /// Returns the numbers of some of its pages, from 1. For pages that share an object, links use the last number, which is
    /// included.
    func numbers(of pages: [CopiedPage]) -> Set<Int> {
        let indexes = Set(pages.map(\.index))
        let known = indexes.compactMap { index in (try? page(at: index))?.page.reference.flatMap { numbers[$0] } }
        return Set(indexes.map { $0 + 1 }).union(known)
    }

    /// Returns the numbers of those of some pages that are its own, from 1.
    func numbers(of pages: [DocumentPage]) -> Set<Int> { Set(pages.filter(holds).map { $0.index + 1 }) }

    /// Whether a page is one of its own.
    func holds(_ page: DocumentPage) -> Bool { page.path == path && page.book == book }

    /// Whether the pages with these numbers are all pages.
    func isWhole(_ numbers: Set<Int>) -> Bool { numbers.isSuperset(of: self.numbers.values) }

    /// Returns the pruning of links if pages with these numbers are kept.
    func links(keeping kept: Set<Int>) -> LinkPruning { LinkPruning(file, numbers, keeping: kept) }

    /// Returns the losses if only some pages are copied: the links from them to others.
    ///
    /// - Parameter replaced: the pages that the output shows as images, to which links are redirected.
    func warnings(forCopying pages: [CopiedPage], replacing replaced: [DocumentPage]) -> [Warning] {
        let copied = numbers(of: pages)
        let kept = copied.union(numbers(of: replaced))
        if isWhole(kept) { return [] }
        var links = links(keeping: kept)
        var count = 0
        for number in copied { if let page = try? page(at: number - 1).page { count += links.lostCount(on: page) } }
        guard count > 0 else { return [] }
        let what: Message =
            count == 1
            ? "left out 1 link to a page that is not in the output"
            : "left out \(count) links to pages that are not in the output"
        return [Warning(code: "links-dropped", subject: name, message: what)]
    }

    /// Returns a page's dictionary.
    ///
    /// - Throws: `.damaged`.
    func page(at index: Int) throws(AdapterError) -> PageNode {
        do throws(AdapterError) {
            guard tree.paths.indices.contains(index) else { throw PageNode.missing }
            return try file.page(at: tree.paths[index])
        } catch {
            throw error.ofCopiedPage("page \(index + 1)")
        }
    }

    /// Checks whether the contents of a page can be drawn on another one.
    ///
    /// - Throws: `.damaged`, `.unreadable`, `.tooLarge`.
    func checkContents(ofPageAt index: Int) throws(AdapterError) {
        let page = try page(at: index).page
        // One stream is used as it is; several have to be joined.
        if page["Contents"].count > 1 { _ = try file.contents(of: page, limit: maximumBytes) }
    }

    /// Removes the text that a page does not show, for which the copy gets another.
    ///
    /// - Throws: `.unsupported`, if that is impossible; `.unreadable`.
    func removeInvisibleText(fromPageAt index: Int) throws(AdapterError) {
        try file.removeInvisibleText(from: page(at: index).page, limit: maximumBytes)
    }

    /// Removes objects from a page. Pages that are one object lose them once.
    ///
    /// - Throws: `.damaged`, `.unreadable`, `.tooLarge`.
    func omit(_ omission: PageOmission, fromPageAt index: Int) throws(AdapterError) {
        guard !omission.isEmpty else { return }
        let node = try page(at: index)
        if let reference = node.page.reference, !changed.insert(reference).inserted { return }
        try file.omit(omission, from: node, limit: maximumBytes)
    }

    /// Returns the active content that pages of it bring into a copy.
    ///
    /// - Parameter isFirst: whether the copy is made from this document.
    func activeContent(of pages: [CopiedPage], isFirst: Bool) -> ActiveContent {
        let kept = numbers(of: pages)
        let nodes = kept.sorted().compactMap { number in try? page(at: number - 1).page }
        let found = try? file.activeContent(ofCatalog: isFirst, fields: isWhole(kept), on: nodes)
        return found ?? ActiveContent()
    }

    /// The active content of the whole document, which only a copy made from it has, too.
    var activeContentOfCatalog: ActiveContent { (try? file.activeContentOfCatalog) ?? ActiveContent() }

    /// The losses in any copy of it.
    var losses: [Warning] {
        var losses: [Warning] = []
        if file.isSigned {
            losses.append(
                Warning(
                    code: "signature-broken", subject: name,
                    message: "is signed, but the signature is not valid for the copy",
                    hint: "keep the signed file"))
        }
        if file.isEncrypted {
            losses.append(
                Warning(code: "not-encrypted", subject: name, message: "the source is encrypted; the copy is not"))
        }
        return losses
    }
}

/// The PDFs from which pages come, each opened once for each book.
struct DocumentShelf {
    /// A PDF that is given twice is two documents, with fields, links and tags for each.
    private struct Key: Hashable {
        let path: String
        let book: Int
    }

    private var places: [Key: Int] = [:]
    /// The documents that cannot be opened. Each is tried once, not again for each of its pages.
    private var unopened: Set<Key> = []
    private(set) var documents: [SourceDocument] = []
    private let limits: Limits

    init(limits: Limits) {
        self.limits = limits
    }

    /// Returns the index of a page's document among all of them; it is opened for the first of its pages.
    ///
    /// - Throws: as `SourceDocument`.
    private mutating func place(of page: DocumentPage) throws(AdapterError) -> Int {
        let key = Key(path: page.path, book: page.book)
        if let place = places[key] { return place }
        documents.append(try SourceDocument(page, limits: limits))
        places[key] = documents.count - 1
        return documents.count - 1
    }

    /// Returns a page to be copied, with its geometry. A missing page shows now, while it can still be skipped.
    ///
    /// - Throws: as `SourceDocument`.
    mutating func copy(of page: DocumentPage, _ framing: Framing) throws(AdapterError) -> (CopiedPage, PageGeometry) {
        let place = try place(of: page)
        try documents[place].omit(page.omission, fromPageAt: page.index)
        let node = try documents[place].page(at: page.index)
        let box = page.box.flatMap(PageBox.init) ?? .crop
        let copy = CopiedPage(
            document: place, index: page.index, box: box, framing: framing, omission: page.omission)
        return (copy, PageGeometry(node, showing: box))
    }

    /// Returns the active content that copies of these pages have in addition to their visible content.
    func activeContent(of pages: [CopiedPage]) -> ActiveContent {
        let copies = Dictionary(grouping: pages, by: \.document)
        return documents.enumerated().reduce(ActiveContent()) { sum, document in
            sum + document.element.activeContent(of: copies[document.offset] ?? [], isFirst: document.offset == 0)
        }
    }

    /// Returns the names of the documents with active content, each once.
    ///
    /// - Parameters:
    ///   - books: the books of all pages of the output. The name of a single book is known.
    ///   - removes: whether active content of later documents as a whole counts, because it is removed on request.
    func namesOfActive(_ pages: [CopiedPage], books: Set<Int>, removes: Bool) -> [String] {
        guard books.count > 1 else { return [] }
        let copies = Dictionary(grouping: pages, by: \.document)
        return documents.enumerated().filter { place, document in
            !document.activeContent(of: copies[place] ?? [], isFirst: place == 0).isEmpty
                || removes && place > 0 && !document.activeContentOfCatalog.isEmpty
        }.map(\.element.name).unique
    }

    /// The active content of the whole documents, except of the one from which the copy is made.
    var activeContentLeft: ActiveContent {
        documents.dropFirst().reduce(ActiveContent()) { $0 + $1.activeContentOfCatalog }
    }

    /// Opens the document of a page that becomes an image: its copy keeps the other contents even if all pages are new. If it
    /// cannot be opened, only the page is kept.
    mutating func open(_ page: DocumentPage) {
        let key = Key(path: page.path, book: page.book)
        if unopened.contains(key) { return }
        if (try? place(of: page)) == nil { unopened.insert(key) }
    }

    /// Returns the losses in a new PDF of page images that other formats have as a matter of course.
    func lossesOfImages(_ pages: [DocumentPage]) -> [Warning] {
        var shelf = DocumentShelf(limits: limits)
        for page in pages { shelf.open(page) }
        return shelf.documents.flatMap(\.losses)
    }

    /// Returns the losses in copies of these pages.
    ///
    /// - Parameters:
    ///   - replaced: the pages that the output shows as images.
    ///   - removesActive: whether active content is removed on request.
    func warnings(
        forCopying pages: [CopiedPage], replacing replaced: [DocumentPage], _ tags: TagPlan, removesActive: Bool
    ) -> [Warning] {
        let copies = Dictionary(grouping: pages, by: \.document)
        return documents.enumerated().flatMap { place, document in
            var losses = document.losses
            losses += document.warnings(forCopying: copies[place] ?? [], replacing: replaced)
            // The copy is made from the first of them.
            if documents[...place].contains(where: { $0 !== document && $0.path == document.path }) || place == 0 {
                return losses
            }
            if let attached = Warning.lostAttachments(document.file.attachments.map(\.name), of: document.name) {
                losses.append(attached)
            }
            if !removesActive, let lost = document.activeContentOfCatalog.loss(of: document.name) {
                losses.append(lost)
            }
            return losses
        } + tags.losses
    }
}

extension [SourceDocument] {
    /// Whether these are the pages of one document, all of them and in its order.
    func areShown(by copies: [CopiedPage]) -> Bool {
        guard count == 1, copies.count == self[0].pageCount, !self[0].repeatsPages else { return false }
        return copies.enumerated().allSatisfy { index, copy in copy.index == index }
    }
}

/// A page of a document that is copied.
struct CopiedPage: Hashable {
    /// The index of its document among all of them.
    let document: Int
    /// The page's index in it, from 0.
    let index: Int
    /// The box of the page to which the framing refers.
    let box: PageBox
    /// Its rotation, and its visible part.
    let framing: Framing
    /// The objects that it lacks.
    let omission: PageOmission

    /// Whether the page's own crop box shows the requested part.
    var isWhole: Bool { framing.isWhole && box == .crop }
}

extension PageGeometry {
    /// Returns the rotation of the page in a framing, in clockwise quarter turns.
    func turns(_ framing: Framing) -> Int { (turns + (framing.orientation.quarterTurns ?? 0)) % 4 }

    /// Returns the visible part of the page in a framing, in the page's own coordinates.
    func box(_ framing: Framing) -> PDFBox {
        let (full, rect) = (framing.full, framing.rect)
        // Fractions of the visible part: from the left, and from the top.
        let (left, right) = (
            Double(rect.x) / Double(full.width), Double(rect.x + rect.width) / Double(full.width)
        )
        let (top, bottom) = (
            Double(rect.y) / Double(full.height), Double(rect.y + rect.height) / Double(full.height)
        )
        // Fractions of the page: from its left and from its bottom.
        let (low, high) =
            switch turns(framing) {
            case 0: ((left, 1 - bottom), (right, 1 - top))
            case 1: ((top, left), (bottom, right))
            case 2: ((1 - right, top), (1 - left, bottom))
            default: ((1 - bottom, 1 - right), (1 - top, 1 - left))
            }
        return PDFBox(
            left: shown.left + low.0 * shown.width, bottom: shown.bottom + low.1 * shown.height,
            right: shown.left + high.0 * shown.width, top: shown.bottom + high.1 * shown.height)
    }

    /// Returns the pixels per inch at which a framing's pixels have the page's size: those of a fax are not square.
    func resolution(_ framing: Framing) -> Resolution {
        Resolution(
            horizontal: 72 * Double(framing.source.width) / size.width,
            vertical: 72 * Double(framing.source.height) / size.height
        ).rotated(quarters: framing.orientation.quarterTurns ?? 0)
    }

    /// Returns the upright visible box of a framing, from 0.
    func seen(_ framing: Framing) -> PDFBox {
        let box = box(framing)
        let (width, height) = turns(framing).isMultiple(of: 2) ? (box.width, box.height) : (box.height, box.width)
        return PDFBox(left: 0, bottom: 0, right: width, top: height)
    }

    /// Returns the matrix that brings `seen` to its place on the page.
    func matrixOfSeen(_ framing: Framing) -> [Double] {
        let box = box(framing)
        return switch turns(framing) {
        case 0: [1, 0, 0, 1, box.left, box.bottom]
        case 1: [0, 1, -1, 0, box.right, box.bottom]
        case 2: [-1, 0, 0, -1, box.right, box.top]
        default: [0, -1, 1, 0, box.left, box.top]
        }
    }

    /// Returns a point's place in the page's own coordinates.
    ///
    /// - Parameter point: a point on the whole page, as its document shows it.
    func place(of point: PagePoint, _ framing: Framing) -> (x: Double, y: Double) {
        let (box, matrix) = (seen(framing), matrixOfSeen(framing))
        let shown = PageMap(from: Framing(framing.source), to: framing).place(of: point)
        let (x, y) = (shown.across * box.width, (1 - shown.down) * box.height)
        return (matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
    }

    /// Returns the matrix that brings the visible part of a framing onto a box, with its rotation.
    func matrix(_ framing: Framing, onto place: PDFBox) -> [Double] {
        let box = box(framing)
        func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            let (across, up) = ((x - box.left) / box.width, (y - box.bottom) / box.height)
            let seen =
                switch turns(framing) {
                case 0: (across, up)
                case 1: (up, 1 - across)
                case 2: (1 - across, 1 - up)
                default: (1 - up, across)
                }
            return (place.left + seen.0 * place.width, place.bottom + seen.1 * place.height)
        }
        let (origin, right, above) = (point(0, 0), point(1, 0), point(0, 1))
        return [right.x - origin.x, right.y - origin.y, above.x - origin.x, above.y - origin.y, origin.x, origin.y]
    }
}

extension AdapterError {
    /// Returns the error with the name of the page that cannot be copied, if it is known, and with a way to convert the rest.
    func ofCopiedPage(_ name: String? = nil) -> AdapterError {
        var error = self
        error.page = error.page ?? name
        error.hint = error.hint ?? "use --rebuild to make a PDF of page images"
        return error
    }
}
