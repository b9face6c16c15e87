public import AdapterKit
internal import Files
internal import Imaging
internal import Metadata
internal import OrderedJSON
internal import PDFStructure
public import PageModel

/// The sink for PDF, which writes each page's unchanged image on a page of its size.
public struct PDFSink: CopyingSink {
    public let descriptor = AdapterDescriptor(
        id: "pdf", summary: "PDF: JPEGs unchanged, other images losslessly", extensions: ["pdf"],
        settings: PDFOptions.settings)

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { .stream }

    /// Returns the capabilities. A PDF shows parts of images by its crop boxes, and all orientations by matrices.
    public func capabilities(_ request: SinkRequest) throws(AdapterError) -> SinkCapabilities {
        let options = try PDFOptions(request)
        var capabilities = SinkCapabilities(
            formats: [.jpeg, .png, .jpeg2000], holdsOnlyFormats: true, showsParts: true, rotationSupport: .all,
            laysPagesTogether: true,
            features: [.direction, .labels, .outline, .pageRoles, .text, .links], metadata: [XMPMetadata.format],
            documents: options.copiesPages ? ["pdf"] : [],
            hintForDocuments: "use --rebuild to make a PDF of page images")
        if !options.copiesPages { capabilities.hintForImages = "omit --rebuild to keep them" }
        capabilities.directionUse = .stating
        // Fax data of a TIFF can be stored in a PDF directly.
        capabilities.bilevelFormats = [.tiff]
        capabilities.cmykFormats = [.tiff]
        capabilities.storesSamples = true
        capabilities.keepsPaper = options.pageSize == nil
        capabilities.storesLayers = true
        capabilities.carriedDocuments = CarriedDocuments.formats
        return capabilities
    }

    public func warnings(forCopying planned: PlannedCopies, _ request: SinkRequest) -> [Warning] {
        guard let options = try? PDFOptions(request) else { return [] }
        var shelf = DocumentShelf(limits: request.limits)
        if options.copiesPages {
            for page in (planned.pages.map(\.page) + planned.images).sorted(by: { $0.book < $1.book }) {
                shelf.open(page)
            }
        }
        let copies = planned.pages.compactMap { page, framing in (try? shelf.copy(of: page, framing))?.0 }
        // On paper of a requested size, each page is placed like one of a spread.
        let staysPages = planned.staysPages && options.pageSize == nil
        let tags = TagPlan(
            shelf.documents, copies, staysPages: staysPages, showsOthers: planned.showsOthers)
        let claimCheck = ClaimCheck(
            sources: shelf.documents, isCopied: !planned.showsOthers,
            isOriginal: staysPages && !planned.showsOthers && shelf.documents.areShown(by: copies),
            hasNewText: planned.hasNewText, overridesSource: request.overridesSource, book: request.book)
        var active = shelf.activeContent(of: copies)
        if options.removesActive { active = active + shelf.activeContentLeft }
        let lost = shelf.warnings(
            forCopying: copies, replacing: planned.images, tags, removesActive: options.removesActive)
        let lostWithImages = options.copiesPages ? [] : shelf.lossesOfImages(planned.images)
        return lost + lostWithImages + claimCheck.warnings
            + active.notes(
                options.removesActive,
                of: shelf.namesOfActive(copies, books: planned.books, removes: options.removesActive))
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        try PDFSession(request, PDFOptions(request))
    }
}

/// A PDF being written: images wait in a spool, because the objects that refer to them precede them in the file.
final class PDFSession: SinkSession {
    private let request: SinkRequest
    private let options: PDFOptions
    private let output: OutputFile
    private var pictures: PictureSpool
    private var shelf: DocumentShelf
    /// The text of pages, after the first page with text.
    private var layers: TextLayers?
    private var pages: [PDFPage] = []
    /// The changes to images that could not stay as they are, by the pages' numbers.
    private var changes: [Int: Composition] = [:]
    /// The warnings about images that lost a part, and about text that could not be replaced.
    private var changed: [Warning] = []
    /// The number of images that got the usual resolution.
    private var withoutResolution = 0
    /// The number of pages copied from documents and shown in part.
    private var cropped = 0
    private var carried: CarriedDocuments
    /// The document, after all pages are added.
    private var document: (file: PDFFile, findings: [Warning])?

    init(_ request: SinkRequest, _ options: PDFOptions) throws(AdapterError) {
        self.request = request
        self.options = options
        output = try OutputFile(at: request.destination)
        pictures = try PictureSpool(limits: request.limits, isLossless: request.isLossless)
        shelf = DocumentShelf(limits: request.limits)
        carried = CarriedDocuments(of: request.book)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let content: PDFPage.Content
        var text: TextLayers.Layer?
        if options.pageSize != nil { request.effects.note(option: "page-size") }
        if options.copiesPages { for replaced in page.replaced { shelf.open(replaced.document) } }
        switch page.content {
        case .document(let document, let framing):
            let (copy, geometry) = try shelf.copy(of: document, framing)
            if !framing.isWhole { cropped += 1 }
            if let paper = options.pageSize {
                try shelf.documents[copy.document].checkContents(ofPageAt: copy.index)
                let spread = PDFSpread(copy, geometry, on: paper)
                content = .spread(spread)
                text = try layer(page, of: [copy], on: spread.shown)
            } else {
                content = .copy(copy)
                text = try layer(page, of: [copy], on: geometry.seen(framing))
            }
        case .spread(let spread):
            let spread = try laid(spread, page)
            cropped += spread.parts.count { part in
                if case .copy(let copy) = part.content { !copy.framing.isWhole } else { false }
            }
            content = .spread(spread)
            let copies = spread.parts.compactMap { if case .copy(let copy) = $0.content { copy } else { nil } }
            text = try layer(page, of: copies, on: spread.shown)
        case .layered(let layers):
            noteUse(of: page.resolution, or: layers.print.resolution)
            let parts = try parts(layers, at: PixelRect(x: 0, y: 0, layers.print.size), of: page)
            let spread = PDFSpread(
                parts, size: layers.print.size, background: nil,
                resolution: page.resolution ?? options.resolution ?? layers.print.resolution
                    ?? PDFOptions.usualResolution,
                paper: options.pageSize)
            content = .spread(spread)
            text = try layer(page, on: spread.shown)
        case .encoded, .raster:
            let (picture, framing, own) = try picture(try page.encoded(), of: page)
            noteUse(of: page.resolution, or: own)
            let layout = PictureLayout(
                framing, resolution: page.resolution ?? options.resolution ?? own ?? PDFOptions.usualResolution,
                options.pageSize)
            content = .picture(picture, layout)
            text = try layer(page, on: layout.shown)
        }
        pages.append(
            PDFPage(
                page: page.page, content: content, text: text, links: page.links, replaced: page.replaced,
                shownPart: page.shownPart))
        carried.add(page)
        return "page \(page.number)"
    }

    /// Notes which option determines the size of an image's page: `--page-size`, or `--dpi` if the page has no resolution.
    ///
    /// - Parameter own: the image's own resolution.
    private func noteUse(of resolution: Resolution?, or own: Resolution?) {
        guard options.pageSize == nil, resolution == nil else { return }
        request.effects.note(option: Setting.dpi.name)
        if own == nil, options.resolution == nil { withoutResolution += 1 }
    }

    /// Returns invisible text for the visible part of a page; nil without text. It may replace that of copied pages.
    private func layer(
        _ page: FinishedPage, of copies: [CopiedPage] = [], on shown: PDFBox
    ) throws(AdapterError) -> TextLayers.Layer? {
        if page.text.isEmpty { return nil }
        do throws(AdapterError) {
            for copy in copies where page.replacesInvisibleText {
                try shelf.documents[copy.document].removeInvisibleText(fromPageAt: copy.index)
            }
        } catch  where error.code == .unsupported {
            changed.append(Warning(code: "text-kept", page.page, "kept its old text", because: error))
            return nil
        }
        if layers == nil { layers = try TextLayers() }
        return try layers?.add(page.text, on: shown)
    }

    /// Returns the layout of adjacent pages, with their images in the spool.
    private func laid(_ spread: FinishedPage.Spread, _ page: FinishedPage) throws(AdapterError) -> PDFSpread {
        var parts: [PDFSpread.Placed] = []
        var (resolution, ofCopies): (Resolution?, Resolution?)
        for part in spread.parts {
            switch part.content {
            case .document(let document, let framing):
                let (copy, geometry) = try shelf.copy(of: document, framing)
                try shelf.documents[copy.document].checkContents(ofPageAt: copy.index)
                let (seen, unit) = (geometry.seen(framing), geometry.userUnit)
                parts.append(
                    PDFSpread.Placed(
                        content: .copy(copy), place: part.place,
                        paper: PaperSize(seen.width * unit, seen.height * unit)))
                // A copied page keeps its size, unless it was scaled to its place.
                let factor = Double(part.place.width) / Double(framing.rect.width)
                let own = geometry.resolution(framing)
                ofCopies =
                    ofCopies
                    ?? Resolution(horizontal: own.horizontal * factor, vertical: own.vertical * factor)
            case .encoded(let encoded):
                let (picture, framing, own) = try picture(encoded, of: page)
                parts.append(
                    PDFSpread.Placed(content: .picture(picture, framing), place: part.place, paper: nil))
                // For a part that was scaled to its place, the place counts.
                let factor = Double(part.place.width) / Double(framing.rect.width)
                noteUse(of: part.resolution, or: own)
                let known = part.resolution ?? options.resolution ?? own
                resolution =
                    resolution
                    ?? known.map { Resolution(horizontal: $0.horizontal * factor, vertical: $0.vertical * factor) }
            case .layered(let layers):
                noteUse(of: part.resolution, or: layers.print.resolution)
                parts += try self.parts(layers, at: part.place, of: page)
                resolution = resolution ?? part.resolution ?? options.resolution ?? layers.print.resolution
            case .raster, .spread:
                throw AdapterError(.unsupported, "a part of the page is not an image file", page: page.page.name)
            }
        }
        let showsBackground = spread.showsBackground && spread.background != .white
        return PDFSpread(
            parts, size: spread.size, background: showsBackground ? spread.background : nil,
            resolution: spread.resolution ?? ofCopies ?? resolution ?? PDFOptions.usualResolution,
            paper: options.pageSize)
    }

    /// Adds both layers of a page to the spool, the lower one first.
    ///
    /// - Parameter place: the rectangle of the whole page.
    private func parts(
        _ layers: LayeredPage, at place: PixelRect, of page: FinishedPage
    ) throws(AdapterError) -> [PDFSpread.Placed] {
        let image = try picture(layers.image, of: page)
        let print = try pictures.addStencil(layers.print)
        let scale = Double(place.width) / Double(max(1, layers.print.size.width))
        func scaled(_ length: Int) -> Int { Int(clamping: Double(length) * scale, to: 0...Int(Int32.max)) }
        let own = layers.place
        let below = PixelRect(
            x: place.x + scaled(own.x), y: place.y + scaled(own.y), width: max(1, scaled(own.width)),
            height: max(1, scaled(own.height)))
        return [
            PDFSpread.Placed(content: .picture(image.index, image.1), place: below, paper: nil),
            PDFSpread.Placed(content: .picture(print.index, Framing(print.size)), place: place, paper: nil),
        ]
    }

    /// Adds an image of a page to the spool.
    ///
    /// - Returns: its place there, its visible part, and its own resolution.
    private func picture(
        _ encoded: EncodedPage, of page: FinishedPage
    ) throws(AdapterError) -> (index: Int, Framing, own: Resolution?) {
        let picture: SpooledPicture
        do throws(AdapterError) {
            picture = try pictures.add(encoded)
        } catch {
            throw error.at(page: page.page.name)
        }
        if let change = picture.change { changes[page.number] = changes[page.number]?.and(change) ?? change }
        let count = PictureCount.pictures(in: encoded.bytes)
        if let warning = Warning.firstPictureOnly(of: page.page, count) { changed.append(warning) }
        let framing = encoded.framing ?? Framing(picture.size)
        guard framing.source == picture.size else {
            throw AdapterError(.damaged, "its size differs from its header", page: page.page.name)
        }
        let own = picture.resolution?.rotated(quarters: framing.orientation.isTransposed ? 1 : 0)
        return (picture.index, framing, own)
    }

    func compose() throws(AdapterError) -> SinkFindings {
        let replaced = pages.flatMap(\.replaced).map(\.document)
        let lost = shelf.warnings(
            forCopying: pages.flatMap(\.copies), replacing: replaced, TagPlan(shelf.documents, pages),
            removesActive: options.removesActive)
        let lostWithImages = options.copiesPages ? [] : shelf.lossesOfImages(replaced)
        return SinkFindings(
            compositions: changes, warnings: lost + lostWithImages + changed + (try made().findings) + choices)
    }

    /// The automatic choices, one line each.
    private var choices: [Warning] {
        func pages(_ count: Int) -> Message { count == 1 ? "1 page" : "\(count) pages" }
        var choices: [Warning] = []
        if withoutResolution > 0 {
            let usual = Int(clamping: PDFOptions.usualResolution.horizontal, to: 1...10_000)
            choices.append(
                Warning(
                    code: "default-resolution",
                    message: "took \(usual) pixels per inch for \(pages(withoutResolution)) "
                        + "whose images state no resolution",
                    hint: "use --dpi or --page-size to change it", isNote: true
                ).shared("took \(usual) pixels per inch for pages whose images state no resolution"))
        }
        if cropped > 0 {
            choices.append(.hiddenMargins(code: "hidden-by-crop-box", onPages: cropped))
        }
        return choices
    }

    /// Returns the document to be written, and the warnings about it.
    private func made() throws(AdapterError) -> (file: PDFFile, findings: [Warning]) {
        if let document { return document }
        // The document from which all pages come is kept, with its other contents.
        let file = if let first = shelf.documents.first { first.file } else { try PDFFile() }
        let names = shelf.namesOfActive(
            pages.flatMap(\.copies), books: Set(pages.map(\.page.book)), removes: options.removesActive)
        let writer = BookWriter(file, request, shelf.documents)
        try writer.write(pages, pictures, layers)
        if BookWriter.layout(of: pages.map(\.page)) != nil { request.effects.note(.sidesShown) }
        try writer.carry(carried.files)
        var (active, findings) = (ActiveContent(), try writer.updateClaim(pages, hasNewText: layers != nil))
        if !shelf.documents.isEmpty {
            var pages: [PDFObject] = []
            do throws(AdapterError) {
                for path in try PageTree(file, maximumPages: .max).paths { pages.append(try file.page(at: path).page) }
            } catch {
                throw error.ofCopiedPage()
            }
            active = try file.activeContent(on: pages, removes: options.removesActive)
            if options.removesActive { active = active + shelf.activeContentLeft }
        }
        findings += active.notes(options.removesActive, of: names)
        // Standard output cannot be checked after it was written.
        try checkPages(of: file)
        document = (file, findings)
        return (file, findings)
    }

    func finish() throws {
        let document = try made().file
        let documents = carried.files
        let form = PDFFile.Form(
            packsObjects: shelf.documents.isEmpty, isLinearized: options.isLinearized,
            identifier: identifier(carrying: documents.map(\.bytes)))
        try document.write(form) { [output] bytes in
            try Task.checkCancellation()
            try output.write(Array(bytes))
        }
        for document in shelf.documents { if let fault = document.file.fault { throw fault } }
        if let written = try output.written() { try checkPages(of: PDFFile(written, password: nil)) }
        try output.publish()
    }

    /// Checks that other programs will find all pages in a document.
    ///
    /// - Throws: `.damaged` if it has another number of pages.
    private func checkPages(of document: PDFFile) throws(AdapterError) {
        let tree = try PageTree(document, maximumPages: .max)
        guard tree.paths.count == pages.count, tree.isSound else {
            throw AdapterError(
                .damaged, "the PDF made of it has \(tree.paths.count) of \(pages.count) pages",
                hint: "use --rebuild to make a PDF of page images")
        }
    }

    /// Returns an identifier that is equal for equal books, and for hardly any others.
    private func identifier(carrying carried: [[UInt8]]) -> String {
        let sources = shelf.documents.map { document in
            "\(document.file.size) \(document.file.trailer["ID"].item(0).string ?? [])"
        }
        let facts = JSON.object(MetadataJSON.members(of: request.book)).text
        let book = "\(facts) \(request.book.outline.map(\.title))"
        let documents = carried.map { SHA256.hexDigest(of: $0) }
        let text = [pictures.description, book] + sources + pages.map(\.description) + documents
        return String(SHA256.hexDigest(of: Array(text.joined(separator: "\n").utf8)).prefix(32))
    }
}
