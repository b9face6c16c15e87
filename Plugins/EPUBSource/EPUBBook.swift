internal import AdapterKit
internal import Imaging
internal import Metadata
internal import PageModel
internal import Processes
internal import ZipFile

/// The limits for reading an EPUB's documents.
private enum EPUBLimits {
    /// The processor time in seconds for the documents of all pages. Books of 5,000 pages need about 3.
    static let seconds = 60
}

/// The book in an image-only EPUB.
struct EPUBBook {
    let opened: OpenedBook

    /// The maximum number of letters on a page that is an image: its number, or a text alternative.
    private static let maximumLetters = 200

    /// - Throws: `.unsupported` for a book of flowing text; `.empty`, `.damaged`, `.tooLarge`, `.encrypted`.
    init(_ container: EPUBContainer, limits: Limits) throws(AdapterError) {
        let path = try container.packagePath()
        let package = try EPUBPackage(try container.document(path), path: path)
        var pages: [Page] = []
        var warnings: [Warning] = []
        var parted = PartedPictures()
        var joined = JoinedPages()
        var skipped: [String] = []
        var ids: [String: Int] = [:]
        // The documents of the pages, with their links; nil for a page without a document of its own.
        var documents: [(path: String, anchors: [PageContent.Anchor])?] = []
        // The images of each document: a spine may list a document more than once.
        var known: [String: [Found]] = [:]
        var (total, documentBytes) = (0, 0)
        // The numbers of pages that are images, and of those that are not.
        var (pictured, flowing) = (0, 0)
        var hasCover = false
        let time = ThreadTime(seconds: EPUBLimits.seconds)
        for (place, spineItem) in package.spine.enumerated() {
            guard !time.isOver else {
                throw AdapterError(
                    .tooLarge, "its documents take more than \(EPUBLimits.seconds) seconds to read",
                    hint: "check that it comes from a trusted source: such files can be made to keep programs busy"
                )
            }
            // Blank documents and those outside the reading order count, too.
            guard place - pages.count <= limits.pages else {
                throw AdapterError(.tooLarge, "has more than the \(limits.pages) pages allowed")
            }
            let item = spineItem.item
            let all: [Found]
            if let before = known[item.path] {
                all = before
            } else {
                let size = container.entry(item.path)?.size ?? 0
                documentBytes = documentBytes.addingReportingOverflow(size).overflow ? .max : documentBytes + size
                guard documentBytes <= limits.totalBytes else {
                    throw AdapterError(.tooLarge, "unpacks to more than the \(limits.totalBytes) bytes allowed")
                }
                all = EPUBBook.pictures(of: item, in: container, isFixed: package.isFixed, limits)
                known[item.path] = all
            }
            guard let found = all.first else { continue }
            // Reading apps do not turn to non-linear pages. A cover often is one, and is read all the same.
            if spineItem.isAside, !found.isPage || !pages.isEmpty && found.path != package.coverPath {
                if found.isPage {
                    warnings.append(
                        Warning(
                            code: "page-skipped",
                            message: "\(item.path) was left out: it is not part of the book's reading order"))
                }
                skipped.append(item.path)
                continue
            }
            if found.isPage { pictured += all.count } else { flowing += 1 }
            guard !found.isBlank else {
                skipped.append(item.path)
                continue
            }
            if found.hasPicture && found.letterCount > EPUBBook.maximumLetters {
                warnings.append(
                    Warning(
                        code: "text-dropped", page: pages.count + 1,
                        message: "\(item.path): left out the text next to the page's image"))
            }
            if all.count > 1 {
                parted.add(item.path, pages.count + 1...pages.count + all.count, hasLinks: !found.anchors.isEmpty)
            }
            if found.stack != nil { joined.add(pages.count + 1, item.path, hasLinks: !found.anchors.isEmpty) }
            ids[item.path] = pages.count + 1
            for found in all {
                guard pages.count < limits.pages else {
                    throw AdapterError(.tooLarge, "has more than the \(limits.pages) pages allowed")
                }
                total = total.addingReportingOverflow(found.byteCount).overflow ? .max : total + found.byteCount
                guard total <= limits.totalBytes else {
                    throw AdapterError(.tooLarge, "unpacks to more than the \(limits.totalBytes) bytes allowed")
                }
                // Links are over a page's only image.
                let hasPlaces = found.path != item.path && all.count == 1 && found.stack == nil
                documents.append(hasPlaces ? (item.path, found.anchors) : nil)
                var page = EPUBBook.page(
                    id: pages.count + 1, found, side: all.count > 1 ? .single : spineItem.side,
                    maximumBytes: limits.entryBytes)
                page.roles = spineItem.roles
                if page.roles.isEmpty, !hasCover, found.path == package.coverPath { page.roles = [.frontCover] }
                hasCover = hasCover || page.roles.contains(.frontCover)
                pages.append(page)
            }
        }
        // A title page or a colophon in letters may be among the images of a book that is not marked as fixed-layout.
        guard package.isFixed ? !pages.isEmpty : pictured > 0 && flowing <= pictured / 10 + 1 else {
            if package.isFixed || flowing == 0 { throw AdapterError(.empty, "has no page with an image") }
            throw AdapterError(
                .unsupported, "is a reflowable book, which has no pages",
                hint: "use Calibre to convert it to PDF, which has pages")
        }
        for index in pages.indices {
            guard let (path, anchors) = documents[index], !anchors.isEmpty else { continue }
            let links = { @Sendable [ids] (picture: Picture) in
                LinkReader(anchors, path: path, pages: ids).links(on: picture)
            }
            pages[index].links = { [examine = pages[index].examine] in links(try await examine()) }
            pages[index].examine = { [examine = pages[index].examine] in
                var picture = try await examine()
                picture.hasLinks = !links(picture).isEmpty
                return picture
            }
        }
        warnings += [parted.warning, joined.warning].compactMap { $0 }
        try ExpansionLimit.check(total, archiveBytes: container.zip.byteCount)
        var book = package.book
        if let navigation = package.navigation {
            do throws(AdapterError) {
                let reader = NavigationReader(
                    try container.document(navigation), path: navigation, pages: ids, title: book.title)
                book.outline = reader.outline
                reader.label(&pages)
            } catch {
                warnings.append(
                    Warning(
                        code: "bad-metadata", message: "\(error.message): the table of contents is lost",
                        hint: "correct that file to keep it"))
            }
        }
        book = CarriedDocuments.merged(
            book, statement: container.statement, files: container.documents, for: &pages, warnings: &warnings)
        opened = OpenedBook(
            sequence: PageSequence(book: book, pages: pages), warnings: container.warnings + warnings, skipped: skipped)
    }

    // MARK: Pages

    /// The image that represents a page.
    private struct Found: Sendable {
        /// The path of the image, or without one that of the page.
        var path: String
        var result: Result<(content: ZipContent, part: PageContent.Part?), AdapterError>
        /// All images of a page that shows several, one below the other.
        var stack: StackedPictures?
        /// Whether it has one image, and next to no text.
        var isPage = false
        var hasPicture = false
        var isBlank = false
        var letterCount = 0
        /// The links of the document, if it shows one image.
        var anchors: [PageContent.Anchor] = []

        var byteCount: Int { stack?.byteCount ?? (try? result.get().content.byteCount) ?? 0 }
    }

    /// Returns the images of a document as pages; a warning for one without readable images.
    ///
    /// - Parameter isFixed: whether the book is marked as fixed-layout.
    private static func pictures(
        of item: EPUBPackage.Item, in container: EPUBContainer, isFixed: Bool, _ limits: Limits
    ) -> [Found] {
        if item.mediaType.hasPrefix("image/"), item.mediaType != "image/svg+xml" {
            return [found(item.path, part: nil, in: container, isPage: true)]
        }
        do throws(AdapterError) {
            let content = PageContent(try container.read(item.path))
            let isPage = content.letterCount <= maximumLetters
            // Among text they are its illustrations.
            if content.pictures.count == 1 || content.pictures.count > 1 && isPage && !content.hasOthers {
                var pages: [Found] = []
                for reference in content.pictures {
                    guard let path = EPUBContainer.resolved(reference.link, in: item.path) else {
                        throw AdapterError(.damaged, "its image is not in the book")
                    }
                    var page = found(path, part: reference.part, in: container, isPage: isPage)
                    page.hasPicture = true
                    page.letterCount = content.letterCount
                    page.anchors = content.anchors
                    pages.append(page)
                }
                if isFixed, let stack = StackedPictures(content, path: item.path, in: container, limits) {
                    pages[0].stack = stack
                    return [pages[0]]
                }
                return pages
            }
            var page = Found(path: item.path, result: .failure(AdapterError(.empty, "shows nothing")))
            page.letterCount = content.letterCount
            if !content.pictures.isEmpty || content.letterCount > 0 || content.hasOthers {
                let what = content.hasOthers ? "of something other than a plain image" : "of text or several images"
                page.result = .failure(
                    AdapterError(
                        .unsupported, "consists \(what), which jisui does not render",
                        hint: "Calibre makes a PDF of the book, and jisui images of its pages"))
            } else {
                page.isBlank = true
            }
            return [page]
        } catch {
            return [Found(path: item.path, result: .failure(error))]
        }
    }

    private static func found(
        _ path: String, part: PageContent.Part?, in container: EPUBContainer, isPage: Bool
    ) -> Found {
        guard let entry = container.entry(path) else {
            return Found(
                path: path, result: .failure(AdapterError(.damaged, "is missing from the book")), isPage: isPage)
        }
        return Found(path: path, result: .success((ZipContent(entry, in: container.zip), part)), isPage: isPage)
    }

    private static func page(id: Int, _ found: Found, side: Side, maximumBytes: Int) -> Page {
        Page(id: id, name: found.path, side: side) {
            do throws(AdapterError) {
                if let stack = found.stack { return try stack.picture() }
                let (content, part) = try found.result.get()
                guard content.byteCount <= maximumBytes else {
                    throw AdapterError(
                        .tooLarge, "its \(content.byteCount) bytes exceed the limit of \(maximumBytes)")
                }
                let head = try content.head(count: PictureHeader.headCount)
                guard var header = PictureHeader(head) else {
                    throw AdapterError(.damaged, content.defect ?? "unrecognized image format")
                }
                if !header.isComplete && head.count < content.byteCount {
                    header = PictureHeader(try content.bytes()) ?? header
                }
                var picture = header.picture(byteCount: content.byteCount) {
                    do throws(AdapterError) {
                        return try content.bytes()
                    } catch {
                        throw error.on(page: found.path)
                    }
                }
                picture.defect = { content.defect }
                let rect = header.uprightSize.flatMap { part?.rect(of: $0) }
                if let rect { picture.pending = [.crop(rect)] }
                return Picture(size: rect?.size ?? header.uprightSize, representations: [.encoded(picture)])
            } catch {
                throw error.on(page: found.path)
            }
        }
    }
}

extension AdapterError {
    fileprivate func on(page: String) -> AdapterError {
        var error = self
        error.page = page
        return error
    }
}
