internal import AdapterKit
internal import Files
internal import PageModel
internal import PageNames
internal import Thumbnails
internal import ZipFile

/// The folder of one book during writing: its pages in sequence, then the files about all of them.
final class BookFolder {
    let output: OutputFolder
    private(set) var pages: [WebPage] = []
    private var texts = TextFiles()
    private let request: SinkRequest
    private let options: WebOptions
    private var hasCover = false
    /// The book in other formats, by the names of the files.
    private var files: [(name: String, place: Destination)] = []

    init(_ output: OutputFolder, _ request: SinkRequest, _ options: WebOptions) {
        self.output = output
        self.request = request
        self.options = options
    }

    /// Returns the place for a sink that writes the book in another format.
    func destination(alongside sink: AdapterDescriptor) -> Destination {
        let name = WebLayout.file(sink.extensions.first ?? sink.id)
        let place = output.destination(for: name)
        files.append((name, place))
        return place
    }

    /// Adds a page with its thumbnail. The first adds the cover as well.
    ///
    /// - Returns: the name of its file.
    /// - Throws: `.unsupported` for an image of unknown size, `.unwritable`.
    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let picture = try page.encoded()
        guard let framing = picture.framing else {
            throw AdapterError(.unsupported, "the image does not state its size", page: page.page.name)
        }
        if page.page.side != .single { request.effects.note(.sidesShown) }
        if options.bakes, !page.page.parts.isEmpty { request.effects.note(option: Setting.bake.name) }
        let file = PageFileName.name(of: page.number, picture.encoding, of: request.pageCount)
        var entry = WebPage(page, framing, file: file)
        entry.checksum = CRC32.of(picture.bytes)
        entry.byteCount = picture.bytes.count
        try output.add(WebLayout.page(file), picture.bytes)
        if options.hasThumbnails {
            let small = page.attachment ?? Thumbnail.jpeg(of: picture, within: Thumbnail.pageSide, request)
            if let small { try output.add(WebLayout.thumbnail(of: file), small) }
            entry.hasThumbnail = small != nil
        }
        if page.number == 1, let cover = Thumbnail.jpeg(of: picture, within: Thumbnail.coverSide, request) {
            try output.add(WebLayout.cover, cover)
            hasCover = true
        }
        try texts.add(page.text, to: output)
        pages.append(entry)
        return WebLayout.page(file)
    }

    /// Writes the description of the book for the web reader and for programs.
    func describe() throws(AdapterError) -> WebBook {
        try texts.finish(output)
        var sizes: [(name: String, byteCount: Int)] = []
        for (name, place) in files { sizes.append((name, try ReadableFile(path: place.path).size)) }
        let book = WebBook(
            request.book, pages, texts: texts.numbers, hasCover: hasCover, hasThumbnails: options.hasThumbnails,
            files: sizes)
        try output.add(WebLayout.book, book.file)
        try output.add(WebLayout.bookScript, book.script)
        return book
    }
}
