internal import AdapterKit
internal import Conversion
internal import PageModel
internal import Planning

/// The contents of a document's page that its output lacks. Only a copy of the page keeps them.
struct LostParts: Hashable, Sendable {
    let parts: Set<DocumentPart>
    /// The format of documents to which the page can be copied; nil if the requested changes prevent a copy.
    let format: String?

    /// Creates the losses of a page; nil without a loss.
    ///
    /// - Parameter plan: the plan that was carried out.
    init?(of page: Page, _ picture: Picture, _ plan: PagePlan, _ request: EncodingRequest) {
        var copies = PlannedCopies()
        copies.add(plan)
        let rendered = picture.documentPages.filter { shown in
            !copies.pages.contains { $0.page.path == shown.document.path && $0.page.index == shown.document.index }
        }
        parts = rendered.reduce(into: []) { $0.formUnion($1.parts) }
        if parts.isEmpty { return nil }
        let formats = Set(rendered.map(\.document.format))
        let isCopyable = request == EncodingRequest() && picture.keepsPixels(of: page)
        format = isCopyable && formats.count == 1 ? formats.first : nil
    }

    /// Returns one warning for each kind of content that pages lost. It is a note if the requested format never stores this.
    ///
    /// - Parameters:
    ///   - output: the output of these pages.
    ///   - others: the other outputs of the run. Contents that one of them holds are not lost.
    ///   - copiers: the sinks that copy pages of a format, by its name. They are needed only if something is lost.
    static func warnings(
        of pages: [PageReport], in output: SinkCapabilities?, and others: [SinkCapabilities],
        _ copiers: (String) -> [String]
    ) -> [Warning] {
        DocumentPart.allCases.compactMap { part in
            let losing = pages.filter { page in
                guard let lost = page.lostParts, lost.parts.contains(part) else { return false }
                return !others.contains { $0.documents.contains(lost.format ?? "") }
            }
            if losing.isEmpty { return nil }
            let formats = Set(losing.map { $0.lostParts?.format })
            let format = formats.count == 1 ? formats.first ?? nil : nil
            let sinks = format.map(copiers) ?? []
            let hint: Message? =
                format == nil || sinks.isEmpty
                ? nil
                : output?.hintForImages ?? "use \(sinks.map { "--to \($0)" }.listed(.or)) to keep them"
            let ranges = pages.ranges(of: losing).text
            return Warning(
                code: part.code, message: "the output cannot store \("\(part.message) of \(ranges)" as Message)",
                hint: hint,
                isNote: output?.neverCopiesDocuments == true
            ).shared("the output cannot store \(part.message)")
        }
    }
}

extension Registry {
    /// Returns the sinks that copy pages of documents in a format, without settings. Only a hint names them.
    func copiers(of format: String, _ request: SinkRequest) -> [String] {
        sinks.filter { (try? $0.capabilities(request, given: [:]))?.documents.contains(format) == true }
            .map(\.descriptor.id)
    }
}

extension DocumentPart {
    fileprivate var message: Message {
        switch self {
        case .notes: "the notes"
        case .fields: "the form fields"
        case .files: "the attached files"
        }
    }

    /// The code of the warning.
    fileprivate var code: String {
        switch self {
        case .notes: "notes-dropped"
        case .fields: "fields-dropped"
        case .files: "attachments-dropped"
        }
    }
}

extension Picture {
    /// Returns the document pages that it shows, with their other contents.
    var documentPages: [(document: DocumentPage, parts: Set<DocumentPart>)] {
        if let document { return [(document, documentParts)] }
        return joinedParts.flatMap { $0.picture.documentPages }
    }

    /// Whether no change of the page, or of one of its parts, changes pixels.
    fileprivate func keepsPixels(of page: Page) -> Bool {
        let size = size ?? PixelSize(width: 1 << 16, height: 1 << 16)
        guard let operations = try? Planner.operations(size, .upright, page.edits, page), operations.keepsPixels else {
            return false
        }
        return joinedParts.allSatisfy { $0.picture.keepsPixels(of: $0.page) }
    }
}
