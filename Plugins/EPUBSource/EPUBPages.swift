internal import AdapterKit
internal import PageModel
internal import Processes
internal import ZipFile

/// The limits for reading an EPUB's documents.
private enum EPUBLimits {
    /// The processor time in seconds for the documents of all pages. Books of 5,000 pages need about 3.
    static let seconds = 60
}

/// The pages of an EPUB, in reading order.
struct EPUBPages {
    private(set) var pages: [Page] = []
    private(set) var skipped: [String] = []
    /// The numbers of the pages by the paths of their documents.
    private(set) var ids: [String: Int] = [:]
    /// The bytes of all images.
    private(set) var byteCount = 0
    private let container: EPUBContainer
    private let package: EPUBPackage
    private let limits: Limits
    private var losses: [Warning] = []
    /// The documents with text next to their image, with the numbers of their pages.
    private var texts: [(path: String, number: Int)] = []
    /// The documents whose styles paint a background, with the numbers of their pages.
    private var backgrounds: [(path: String, number: Int)] = []
    private var parted = PartedPictures()
    private var joined = JoinedPages()
    /// The documents of the pages, with their links; nil for a page without a document of its own.
    private var documents: [(path: String, anchors: [PageContent.Anchor])?] = []
    /// The images of each document: a spine may list a document more than once.
    private var known: [String: [FoundImage]] = [:]
    private var documentBytes = 0
    /// The numbers of pages that are images, and of those that are not.
    private var (pictured, flowing) = (0, 0)
    private var hasCover = false

    /// Reads the documents of all pages.
    ///
    /// - Throws: `.unsupported` for a book of flowing text; `.empty`, `.tooLarge`.
    init(_ package: EPUBPackage, in container: EPUBContainer, _ limits: Limits) throws(AdapterError) {
        (self.package, self.container, self.limits) = (package, container, limits)
        let time = CPUTimeLimit(seconds: EPUBLimits.seconds)
        for (place, item) in package.spine.enumerated() {
            guard !time.isOver else {
                throw AdapterError(
                    .tooLarge, "its documents take more than \(EPUBLimits.seconds) seconds to read",
                    hint: "check that it comes from a trusted source: such files can be made to keep programs busy"
                )
            }
            // Blank documents and those outside the reading order count, too.
            guard place - pages.count <= limits.pages else { throw EPUBPages.tooManyPages(limits) }
            try add(item)
        }
        // A title page or a colophon in letters may be among the images of a book that is not marked as fixed-layout.
        guard package.isFixed ? !pages.isEmpty : pictured > 0 && flowing <= pictured / 10 + 1 else {
            if package.isFixed || flowing == 0 { throw AdapterError(.empty, "has no page with an image") }
            throw AdapterError(
                .unsupported, "is a reflowable book, which has no pages",
                hint: "use Calibre to convert it to PDF, which has pages")
        }
    }

    var warnings: [Warning] {
        package.losses + losses + [lostTexts, lostBackgrounds, parted.warning, joined.warning].compactMap { $0 }
    }

    /// One warning for all texts next to images: every page of a book may have one.
    private var lostTexts: Warning? {
        guard let (path, number) = texts.first else { return nil }
        let others: Message = texts.count == 1 ? "" : " and \(texts.count - 1) more"
        return Warning(
            code: "text-dropped", page: texts.count == 1 ? number : nil,
            message: "\(path)\(others): left out the text next to the page's image")
    }

    /// One warning for all backgrounds of pages with images.
    private var lostBackgrounds: Warning? {
        guard let (path, number) = backgrounds.first else { return nil }
        let others: Message = backgrounds.count == 1 ? "" : " and \(backgrounds.count - 1) more"
        return Warning(
            code: "background-dropped", page: backgrounds.count == 1 ? number : nil,
            message: "\(path)\(others): left out the background of the page")
    }

    /// Adds the pages of a document.
    private mutating func add(_ spineItem: EPUBPackage.SpineItem) throws(AdapterError) {
        let item = spineItem.item
        let all = try images(of: item)
        guard let found = all.first else { return }
        // Reading apps do not turn to non-linear pages. A cover often is one, and is read all the same.
        if spineItem.isAside, !found.isPage || !pages.isEmpty && found.path != package.coverPath {
            if found.isPage {
                losses.append(
                    Warning(
                        code: "page-skipped",
                        message: "skipped \(item.path): it is not part of the book's reading order"))
            }
            skipped.append(item.path)
            return
        }
        if found.isPage { pictured += all.count } else { flowing += 1 }
        guard !found.isBlank else {
            skipped.append(item.path)
            return
        }
        if found.hasPicture && found.letterCount > FoundImage.maximumNumberLength {
            texts.append((item.path, pages.count + 1))
        }
        if all.count > 1 {
            parted.add(item.path, pages.count + 1...pages.count + all.count, hasLinks: !found.anchors.isEmpty)
        }
        if found.hidesBackground { backgrounds.append((item.path, pages.count + 1)) }
        if found.stack != nil { joined.add(pages.count + 1, item.path, hasLinks: !found.anchors.isEmpty) }
        ids[item.path] = pages.count + 1
        for found in all { try add(found, of: spineItem, isOnly: all.count == 1) }
    }

    /// Returns the images of a document, which is read once.
    private mutating func images(of item: EPUBPackage.Item) throws(AdapterError) -> [FoundImage] {
        if let before = known[item.path] { return before }
        let size = container.entry(item.path)?.size ?? 0
        documentBytes = documentBytes.addingReportingOverflow(size).overflow ? .max : documentBytes + size
        guard documentBytes <= limits.totalBytes else { throw EPUBPages.tooManyBytes(limits) }
        let all = FoundImage.all(of: item, in: container, isFixed: package.isFixed, limits)
        known[item.path] = all
        return all
    }

    /// Adds an image as a page.
    ///
    /// - Parameter isOnly: whether its document has no other.
    private mutating func add(
        _ found: FoundImage, of spineItem: EPUBPackage.SpineItem, isOnly: Bool
    ) throws(AdapterError) {
        guard pages.count < limits.pages else { throw EPUBPages.tooManyPages(limits) }
        byteCount = byteCount.addingReportingOverflow(found.byteCount).overflow ? .max : byteCount + found.byteCount
        guard byteCount <= limits.totalBytes else { throw EPUBPages.tooManyBytes(limits) }
        // Links are over a page's only image.
        let hasPlaces = found.hasPicture && isOnly && found.stack == nil
        documents.append(hasPlaces ? (spineItem.item.path, found.anchors) : nil)
        var page = found.page(
            id: pages.count + 1, side: isOnly ? spineItem.side : .single, maximumBytes: limits.entryBytes)
        page.roles = spineItem.roles
        if page.roles.isEmpty, !hasCover, found.path == package.coverPath { page.roles = [.frontCover] }
        hasCover = hasCover || page.roles.contains(.frontCover)
        pages.append(page)
    }

    /// Gives the pages the links of their documents.
    mutating func addLinks() {
        for index in pages.indices {
            guard let (path, anchors) = documents[index], !anchors.isEmpty else { continue }
            let links = { @Sendable [ids, container] (picture: Picture) in
                LinkReader(anchors, path: path, in: container, pages: ids).links(on: picture)
            }
            pages[index].links = { [examine = pages[index].examine] in links(try await examine()) }
            pages[index].examine = { [examine = pages[index].examine] in
                var picture = try await examine()
                picture.hasLinks = !links(picture).isEmpty
                return picture
            }
        }
    }

    private static func tooManyPages(_ limits: Limits) -> AdapterError {
        AdapterError(.tooLarge, "has more than the \(limits.pages) pages allowed")
    }

    private static func tooManyBytes(_ limits: Limits) -> AdapterError {
        AdapterError(.tooLarge, "unpacks to more than the \(limits.totalBytes) bytes allowed")
    }
}
