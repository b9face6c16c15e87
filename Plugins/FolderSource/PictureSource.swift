public import AdapterKit
internal import Files
internal import Imaging
public import PageModel

/// The source for one image file, as a book of one page.
public struct PictureSource: SourceAdapter {
    public let descriptor = AdapterDescriptor(
        id: "picture", summary: "a single picture",
        extensions: PictureFormat.all.filter { $0.encoding != .tiff }.flatMap(\.extensions))

    public init() {}

    public func recognize(_ probe: Probe) -> Recognition {
        PictureHeader(probe.head) == nil ? .no : .plausible
    }

    public func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        if limits.pages < 1 { throw .tooManyPages(limits, input) }
        // It exists, and is a file.
        _ = try ReadableFile(path: input.path)
        return OpenedBook(
            sequence: PageSequence(book: BookMetadata(), pages: [Page(id: 1, PictureFile(input, limits))]))
    }
}

/// The source for a TIFF file, as a book of its pages.
public struct TIFFSource: SourceAdapter {
    public let descriptor = AdapterDescriptor(
        id: "tiff", summary: "a TIFF of one or many pages", extensions: ImageEncoding.tiff.extensions)

    public init() {}

    public func recognize(_ probe: Probe) -> Recognition {
        PictureHeader(probe.head)?.encoding == .tiff ? .certain : .no
    }

    /// - Throws: `.unreadable`, `.tooLarge` for more than `limits.pages` pages.
    public func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        // It exists, and is a file.
        _ = try ReadableFile(path: input.path)
        var warnings: [Warning] = []
        let files = PictureFile(input, limits).pages(maximumPages: limits.pages, &warnings) { PageName.page($0) }
        guard files.count <= limits.pages else { throw .tooManyPages(limits, input) }
        let pages = files.enumerated().map { Page(id: $0.offset + 1, $0.element) }
        return OpenedBook(sequence: PageSequence(book: BookMetadata(), pages: pages), warnings: warnings)
    }
}

extension PictureFile {
    /// Creates the source of a file that is a book by itself.
    fileprivate init(_ input: Input, _ limits: Limits) {
        self.init(
            path: input.path, name: FileName.last(of: input.name), input: input.name, byteLimit: limits.entryBytes)
    }
}
