internal import AdapterKit
package import PageModel

/// Plans for pages of documents, which an output of the same kind contains as they are.
extension Planner {
    /// The changes of a document's page, as if a copy of it showed them.
    struct DocumentChanges: Sendable {
        let operations: PixelOperations
        /// The requested encoding. A limit of the quality does not concern a copy.
        let request: EncodingRequest
    }

    /// - Throws: `.usage` if the edits leave nothing of the page.
    func changes(of document: DocumentPage, _ page: Page, _ picture: Picture) throws(AdapterError) -> DocumentChanges {
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
        return DocumentChanges(
            operations: try Planner.operations(whole, .upright, edits, page, isGray: picture.isStoredInGray),
            request: request.isLimit ? EncodingRequest(format: request.format) : request)
    }
}

extension Planner {
    /// Returns the part of the page that its image shows, where the output keeps the blank paper around it. The result is the
    /// whole page if the paper is left out. A page that is cropped, rotated or scaled becomes one of its image alone.
    package func shownPart(of page: Page, _ picture: Picture, _ plan: PagePlan) -> PageArea {
        guard capabilities.keepsPaper, !plan.method.isRendering, let size = picture.size else { return .page }
        let keepsPlaces = page.edits.withoutOmissions.allSatisfy { edit in
            if case .change(let operation) = edit { operation.size(after: size) == size } else { false }
        }
        return keepsPlaces ? picture.shownPart : .page
    }
}

extension DocumentCandidate {
    /// Whether the output can show all changes of a copy. A change of its pixels does not show on a blank page.
    var canBeCopied: Bool {
        let keepsPixels = changes.request == EncodingRequest() && changes.operations.keepsPixels
        return (keepsPixels || picture.isBlank)
            && planner.capabilities.shows(changes.operations.framing, own: .upright)
    }

    /// Returns the plan that copies the page, without the objects that were to be removed.
    ///
    /// - Throws: `.usage` if a copy cannot show the changes. An image of text and vector graphics would be a great loss, so
    ///   jisui makes one only on request.
    func copy() throws(AdapterError) -> PagePlan {
        guard canBeCopied else { throw refusal }
        let framing = changes.operations.framing
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

    private var refusal: AdapterError {
        let (operations, request) = (changes.operations, changes.request)
        let what: Message =
            request == EncodingRequest()
            ? operations.isNoOp ? "shown in this way" : operations.message : "re-encoded"
        let options = (operations.options + request.options).map { "--\($0)" }
        let change: Message = options.isEmpty ? what : "\(what) (\(options.joined(separator: ", ")))"
        let cause: Message = picture.reason ?? "it has text and links"
        return AdapterError(
            .usage, "cannot be \(change): the page is copied whole, because \(cause)",
            hint: planner.capabilities.hintForDocuments, page: page.name)
    }
}

extension Picture {
    /// Whether the page is an image, or layers of images, that its document stores. Then new pixels replace no letters and
    /// lines that can be drawn at any size.
    var isStoredImage: Bool {
        slant != nil
            || representations.contains { representation in
                switch representation {
                case .encoded, .sampled: true
                case .drawn(let drawn): drawn.layers != nil
                case .joined: false
                }
            }
    }

    /// Whether the page shows only a stored image without colors.
    fileprivate var isStoredInGray: Bool {
        switch representations.first {
        case .encoded(let encoded): encoded.overlay == nil && encoded.isGray
        case .sampled(let sampled): sampled.overlay == nil && sampled.format?.isGray == true
        default: false
        }
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
