internal import AdapterKit
internal import Files
internal import Imaging
internal import Metadata
internal import PageModel
internal import ZipFile

/// The image that represents a page.
struct FoundImage: Sendable {
    /// The path of the image, or without one that of the page.
    var path: String
    var result: Result<(content: any ImageContent, part: PageContent.VisibleArea?), AdapterError>
    /// All images of a page that shows several, one below the other.
    var stack: StackedPictures?
    /// Whether it has one image, and next to no text.
    var isPage = false
    var hasPicture = false
    var isBlank = false
    var letterCount = 0
    /// Whether styles paint a background as well.
    var hidesBackground = false
    /// The links of the document, if it shows one image.
    var anchors: [PageContent.Anchor] = []

    var byteCount: Int { stack?.byteCount ?? (try? result.get().content.byteCount) ?? 0 }

    /// The maximum number of letters on a page that is an image: its number, or a text alternative.
    static let maximumLetters = 200
    /// The maximum number of characters of a page number, which is not reported: images show their numbers themselves.
    static let maximumNumberLength = 8
}

/// The images of a document.
extension FoundImage {
    /// Returns the images of a document as pages; a warning for one without readable images.
    ///
    /// - Parameter isFixed: whether the book is marked as fixed-layout.
    static func all(
        of item: EPUBPackage.Item, in container: EPUBContainer, isFixed: Bool, _ limits: Limits
    ) -> [FoundImage] {
        if item.mediaType.hasPrefix("image/"), item.mediaType != "image/svg+xml" {
            return [found(item.path, part: nil, in: container, isPage: true)]
        }
        do throws(AdapterError) {
            let content = PageContent(try container.read(item.path), base: item.path, in: container)
            let isPage = content.letterCount <= maximumLetters
            // Among text they are its illustrations.
            if content.pictures.count == 1 || content.pictures.count > 1 && isPage && !content.hasOthers {
                var pages: [FoundImage] = []
                for reference in content.pictures {
                    var page = try found(reference, of: item, in: container, isPage: isPage, limits)
                    page.hasPicture = true
                    page.letterCount = content.letterCount
                    page.anchors = content.anchors
                    page.hidesBackground = content.hidesBackground
                    if page.path == item.path, content.pictures.count > 1 {
                        page.path = PageName.page(pages.count + 1, of: item.path)
                    }
                    pages.append(page)
                }
                if isFixed, let stack = StackedPictures(content, in: container, limits) {
                    pages[0].stack = stack
                    return [pages[0]]
                }
                return pages
            }
            var page = FoundImage(path: item.path, result: .failure(AdapterError(.empty, "shows nothing")))
            page.letterCount = content.letterCount
            if !content.pictures.isEmpty || content.letterCount > 0 || content.hasOthers {
                let what = content.hasOthers ? "of something other than a plain image" : "of text or several images"
                page.result = .failure(
                    AdapterError(
                        .unsupported, "consists \(what), which jisui does not render",
                        hint: renderingHint))
            } else {
                page.isBlank = true
            }
            return [page]
        } catch {
            return [FoundImage(path: item.path, result: .failure(error))]
        }
    }

    /// Returns the image of a reference. It is the image of a drawing that contains nothing else.
    ///
    /// - Parameter depth: the number of drawings around it.
    /// - Throws: `.damaged`, `.unsupported`, `.tooLarge`.
    private static func found(
        _ reference: PageContent.Reference, of item: EPUBPackage.Item, in container: EPUBContainer, isPage: Bool,
        _ limits: Limits, depth: Int = 0
    ) throws(AdapterError) -> FoundImage {
        let drawing: XMLElement
        var base = item.path
        if let data = DataAddress(reference.link) {
            guard data.isDrawing else {
                let content = try container.stored(try data.bytes())
                return FoundImage(path: item.path, result: .success((content, reference.part)), isPage: isPage)
            }
            drawing = try container.read(try data.bytes())
        } else {
            guard let path = container.path(of: reference.link, in: reference.base) else {
                throw AdapterError(.damaged, "its image is not in the book")
            }
            guard FileName.extension(of: path) == "svg", container.entry(path) != nil else {
                return found(path, part: reference.part, in: container, isPage: isPage)
            }
            drawing = try container.read(path)
            base = path
        }
        let content = PageContent(drawing, base: base, in: container)
        guard depth < maximumDepth, content.pictures.count == 1, reference.part == nil else {
            throw AdapterError(.unsupported, "its image is a drawing, which jisui does not render", hint: renderingHint)
        }
        return try found(content.pictures[0], of: item, in: container, isPage: isPage, limits, depth: depth + 1)
    }

    /// The maximum number of drawings within each other.
    private static let maximumDepth = 3

    private static let renderingHint: Message = "Calibre makes a PDF of the book, and jisui images of its pages"

    private static func found(
        _ path: String, part: PageContent.VisibleArea?, in container: EPUBContainer, isPage: Bool
    ) -> FoundImage {
        guard let entry = container.entry(path) else {
            return FoundImage(
                path: path, result: .failure(AdapterError(.damaged, "is missing from the book")), isPage: isPage)
        }
        return FoundImage(path: path, result: .success((ZipContent(entry, in: container.zip), part)), isPage: isPage)
    }

    /// Returns the image as a page.
    func page(id: Int, side: Side, maximumBytes: Int) -> Page {
        Page(id: id, name: path, side: side) {
            do throws(AdapterError) {
                if let stack { return try stack.picture() }
                let (content, part) = try result.get()
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
                        throw error.at(page: path)
                    }
                }
                picture.reportDefect { content.defect }
                let rect = header.uprightSize.flatMap { part?.rect(of: $0) }
                if let rect { picture.pending = [.crop(rect)] }
                return Picture(size: rect?.size ?? header.uprightSize, representations: [.encoded(picture)])
            } catch {
                throw error.at(page: path)
            }
        }
    }
}
