internal import AdapterKit
internal import Imaging
internal import PageModel

/// Plans for pages of documents, which an output of the same kind contains as they are.
extension Planner {
    /// Returns the plan that copies a page of a document, without the objects that were to be removed.
    ///
    /// - Throws: `.usage` if the sink cannot show the requested edits. An image of the page would lose its text and
    ///   links, so jisui makes one only on request.
    func copy(
        _ document: DocumentPage, of page: Page, _ picture: Picture
    ) throws(AdapterError) -> PagePlan {
        let framing = try framing(of: document, page, picture)
        var document = document
        document.book = page.book
        let shown = framing == Framing(framing.source) ? nil : framing
        var reason = Reason(Note(.documentPage, ["format": document.format])).showing(shown, own: .upright)
        for note in document.removed?.notes ?? [] { reason = reason.with(.detail, note) }
        return PagePlan(
            document.omission.isEmpty ? .verbatim : .lossless, reason,
            encoding: nil, size: framing.rect.size, crop: framing.isWhole ? nil : framing.rect, framing: shown,
            CopyDocumentPage(document: document, framing: framing))
    }

    /// Returns the part and orientation that the output shows of the page.
    ///
    /// - Throws: `.usage` if it cannot show them.
    private func framing(
        of document: DocumentPage, _ page: Page, _ picture: Picture
    ) throws(AdapterError) -> Framing {
        let points = DrawnPicture(width: document.width, height: document.height, resolution: 72) {
            throw CancellationError()
        }
        let size = picture.size ?? points.size
        let whole = size.filling(picture.shownPart)
        // A crop refers to the scan: it hides the paper around it, too.
        let isCropped = page.edits.contains { edit in
            switch edit {
            case .move(.crop), .move(.keep): true
            default: false
            }
        }
        let scan = PixelRect(size, at: picture.shownPart)
        let edits = isCropped && whole != size ? [.move(.crop(scan))] + page.edits : page.edits
        let operations = try Planner.operations(whole, .upright, edits, page)
        let framing = operations.framing
        // A limit of the quality does not concern a copy.
        let request = request.isLimit ? EncodingRequest(format: request.format) : request
        if request == EncodingRequest(), operations.keepsPixels, capabilities.shows(framing, own: .upright) {
            return framing
        }
        let what: Message =
            request == EncodingRequest()
            ? operations.isNoOp ? "shown in this way" : operations.message : "re-encoded"
        let options = (operations.options + request.options).map { "--\($0)" }
        let change: Message = options.isEmpty ? what : "\(what) (\(options.joined(separator: ", ")))"
        throw AdapterError(
            .usage, "cannot be \(change): the page is copied whole, with its text and links",
            hint: capabilities.hintForDocuments, page: page.name)
    }
}

// The place of an image on its page, if it shows only a part of the page.

extension PixelSize {
    /// Returns the size of a page, if an image of this size shows a part of it.
    func filling(_ part: PageArea) -> PixelSize {
        func whole(_ length: Int, _ share: Double) -> Int {
            Int(clamping: (Double(length) / max(share, 0.01)).rounded(), to: length...1 << 30)
        }
        if part == .page { return self }
        return PixelSize(width: whole(width, part.right - part.left), height: whole(height, part.bottom - part.top))
    }
}

extension PixelRect {
    /// Creates the place of an image on its page, if it shows a part of the page.
    init(_ size: PixelSize, at part: PageArea) {
        let whole = size.filling(part)
        func place(_ share: Double, _ length: Int, _ whole: Int) -> Int {
            Int(clamping: (share * Double(whole)).rounded(), to: 0...max(0, whole - length))
        }
        self.init(
            x: place(part.left, size.width, whole.width), y: place(part.top, size.height, whole.height), size)
    }
}
