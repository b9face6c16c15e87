internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// The treatment of the tags of documents from which pages are copied.
struct TagPlan {
    private let documents: [SourceDocument]
    private let showsOthers: Bool
    /// The documents with pages that are copied.
    private let copied: Set<Int>
    /// Whether tags have to be merged. The tags of one document whose pages all stay pages can stay as they are.
    let mergesTags: Bool

    /// - Parameters:
    ///   - staysPages: whether each copy is a page of the output.
    ///   - showsOthers: whether the output shows other content as well.
    init(_ documents: [SourceDocument], _ copies: [CopiedPage], staysPages: Bool = true, showsOthers: Bool = false) {
        self.documents = documents
        self.showsOthers = showsOthers
        copied = Set(copies.map(\.document))
        let isOneBook = documents.count == 1 && documents[0].isWhole(documents[0].numbers(of: copies))
        mergesTags = !(isOneBook && staysPages && !showsOthers) && documents.contains { $0.file.mentionsStructure }
    }

    init(_ documents: [SourceDocument], _ pages: [PDFPage]) {
        let staysPages = pages.allSatisfy { if case .copy = $0.content { true } else { false } }
        self.init(
            documents, pages.flatMap(\.copies), staysPages: staysPages, showsOthers: !pages.allSatisfy(\.isCopied))
    }

    /// The losses of tags.
    var losses: [Warning] {
        guard mergesTags else { return [] }
        var losses: [Warning] = []
        for (place, document) in documents.enumerated() {
            let cause: Message
            switch document.structure {
            case .none: continue
            case .sound where copied.contains(place): continue
            case .sound: cause = "its pages are new"
            case .broken: cause = "they are damaged"
            case .tooDeep: cause = "they are nested too deeply"
            }
            losses.append(
                Warning(
                    code: "tags-dropped",
                    subject: document.name, message: "left out the tags for screen readers: \(cause)",
                    hint: "keep the original for readers who need them"))
        }
        let marked = documents.enumerated().filter { place, document in
            copied.contains(place) && document.structure == .sound && document.file.isMarked
        }.map(\.element)
        if let first = marked.first, marked.count < documents.count || showsOthers {
            // Screen readers ignore untagged content in a PDF that is marked as tagged.
            let other = documents.first { document in !marked.contains { $0 === document } }?.name ?? "a page"
            losses.append(
                Warning(
                    code: "tags-partial", subject: first.name,
                    message: "is tagged for screen readers, and \(other) is not: "
                        + "the tags were kept, but the output is not marked as tagged"))
        }
        return losses
    }
}
