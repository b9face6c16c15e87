internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel
internal import Synchronization

/// The objects that a book's pages lose over their scans, each page judged once.
final class StampJudge: Sendable {
    /// The decision about a page.
    struct Verdict: Sendable {
        /// The objects that are removed; nil if none are.
        let removal: Stamps.Removal?
        /// The decision in words; nil if the page has no such objects.
        let removed: RemovedObjects?
    }

    private let structure: StructureWorker
    private let drawing: PDFWorkerPool<RenderingWorker>
    private let box: PageBox
    private let scans: ScanTreatment
    private let effects: OptionEvidence
    private let verdicts = Mutex<[Int: Verdict]>([:])

    init(
        _ structure: StructureWorker, _ drawing: PDFWorkerPool<RenderingWorker>, box: PageBox, _ scans: ScanTreatment,
        _ effects: OptionEvidence
    ) {
        (self.structure, self.drawing, self.box, self.scans, self.effects) = (structure, drawing, box, scans, effects)
    }

    /// Returns the analysis of a page without the objects that are removed, and the decision about these.
    func analysis(of index: Int, at path: PageTree.Path) async throws -> (PageAnalysis, Verdict) {
        let none = Verdict(removal: nil, removed: nil)
        guard scans.showsScansAlone else {
            return (try await structure.analysis(onPageAt: path, showing: box, scans.pagesAs), none)
        }
        if let known = verdicts.withLock({ $0[index] }) {
            let analysis = try await structure.analysis(
                onPageAt: path, showing: box, scans.pagesAs, without: known.removal)
            return (analysis, known)
        }
        let whole = try await structure.analysis(onPageAt: path, showing: box, scans.pagesAs, findsStamps: true)
        guard let stamps = whole.stamps, whole.drawingRefusal == nil else {
            verdicts.withLock { $0[index] = none }
            return (whole, none)
        }
        try await structure.checkReadable(pageAt: path)
        let verdict = try await verdict(on: stamps, at: path)
        verdicts.withLock { $0[index] = verdict }
        guard let removal = verdict.removal else { return (whole, verdict) }
        return (
            try await structure.analysis(onPageAt: path, showing: box, scans.pagesAs, without: removal), verdict
        )
    }

    private func verdict(on stamps: Stamps, at path: PageTree.Path) async throws -> Verdict {
        let (lines, wordCount) = try await text(of: stamps, at: path)
        if scans.pagesAs != .scan, wordCount > StampLimits.maximumWords {
            return Verdict(removal: nil, removed: nil)
        }
        var (removal, kept) = (stamps.transparent, Message?.none)
        if let all = stamps.all {
            let isHidden = try await hidesScan(stamps, at: path)
            if isHidden { effects.note(option: "uncover") }
            if isHidden && !scans.uncovers { kept = stamps.doubtful } else { removal = all }
        }
        if !removal.omission.isEmpty || kept != nil {
            effects.note(option: scans.removesStamps ? "no-stamps" : "pages-as")
        }
        let text = lines.map { $0.words.map(\.text).joined(separator: " ") }
        return Verdict(
            removal: removal.omission.isEmpty ? nil : removal,
            removed: RemovedObjects(removal.omission.isEmpty ? nil : removal.description, text: text, kept: kept))
    }

    /// Returns the lines of text among the objects that may be quoted, and the number of all words. Unreadable text is not a
    /// reason to keep objects.
    private func text(
        of stamps: Stamps, at path: PageTree.Path
    ) async throws -> (quotable: [TextLine], wordCount: Int) {
        var (quotable, wordCount): ([TextLine], Int) = ([], 0)
        do {
            for text in stamps.texts {
                let file = try await structure.file(
                    ofPageAt: path, omitting: text.others, showing: .none, in: box, turnedBy: -text.slant)
                let lines = try await drawing.withWorker { try await $0.text(onPage: 0, of: file) }
                if text.isQuotable { quotable += lines }
                wordCount += lines.reduce(0) { $0 + $1.words.count }
            }
        } catch {
            try error.throwIfCancelled()
        }
        return (quotable, wordCount)
    }

    /// Whether the content that is not known to be transparent hides a part of the scan in which something could be read.
    /// Content that cannot be measured, or only in a long time, may.
    private func hidesScan(_ stamps: Stamps, at path: PageTree.Path) async throws -> Bool {
        guard let overlay = stamps.overlay else { return false }
        do {
            let file = try await structure.file(
                ofPageAt: path, omitting: stamps.transparent.omission,
                showing: .except(overlay.below, others: overlay.pictures), in: box)
            let request = OverlayRequest(file: file, size: stamps.size, matrix: overlay.matrix)
            let found = try await drawing.withWorker { try await $0.overlay(request) }
            return found.hidesSquare(of: OverlayDrawingLimits.hiddenSquare(on: stamps.size))
        } catch let error as AdapterError where error.code != .unreadable {
            try Task.checkCancellation()
            return true
        }
    }
}
