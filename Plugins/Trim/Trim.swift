public import AdapterKit
internal import DecisionFiles
internal import Files
internal import LayoutAnalysis
public import PageModel

/// A transform that crops the empty margins of pages, and deskews them, after it has analyzed the whole book.
///
/// The pipeline: `PageReading` finds the printed area of each page. `PageFurniture` finds page numbers and running heads by
/// comparing pages. `BookBoxes`, `UniformBoxes` and `TrimDecision` decide the crop box of each page. The pages then get the corresponding edits.
public struct Trim: PageTransform {
    public let descriptor = AdapterDescriptor(
        id: "trim", summary: "crops empty margins and deskews pages", extensions: [],
        settings: TrimOptions.settings)

    public let counts: [FindingCount] = [.deskewed] + PageLayout.Trimming.allCases.map(\.count)

    public init() {}

    public func passes(_ settings: Settings) throws(AdapterError) -> [Pass] {
        guard let options = try TrimOptions(settings) else { return [] }
        return [Pass(.trim) { sequence, request in try await Trim.trimmed(sequence, options, request) }]
    }

    private static func trimmed(
        _ sequence: PageSequence, _ options: TrimOptions, _ request: TransformRequest
    ) async throws -> PageSequence {
        let decisionFile = try options.file.map { path throws(AdapterError) in
            try DecisionFile(path: path, of: "boxes", request)
        }
        let sheetFile = try options.sheet.map { path throws(AdapterError) in
            try OutputFile(at: request.destination(path))
        }
        if case .follow(let file)? = decisionFile {
            // It contains the decisions made with these options.
            request.effects.note(Set(options.settings.given.keys.map(Effect.option)))
            var boxes = try TrimFile(file)
            try DecisionFile.compare(made: boxes.options, given: options.given, path: file.path)
            try await boxes.removeChanges(among: sequence.pages, path: file.path, request)
            let trimmed = try await Trim.apply(boxes, path: file.path, to: sequence)
            if let sheetFile {
                try await Trim.write(sheetFile, of: sequence, trimmed: trimmed.pages, by: boxes, options, request)
            }
            return trimmed
        }
        let analysis = BookAnalysis(request, thumbnails: sheetFile != nil, options: options) { _ in
            options.deskews ? .measured : .none
        }
        let inspections = try await analysis.inspections(of: sequence.pages)
        let seen = inspections.map(\.page)
        let furniture = PageFurniture(seen)
        let (findings, decisions, chosen) = try Trim.decisions(on: seen, furniture, sequence.pages, options)
        for line in TrimChoices(options, chosen: chosen, findings, decisions, sequence.pages).lines {
            request.report(line)
        }
        try Trim.noteUse(of: options, request, findings, decisions) { other in
            try Trim.decisions(on: seen, furniture, sequence.pages, other).1
        }
        var pages = Trim.trimmed(sequence.pages, decisions, findings)
        for (index, inspection) in inspections.enumerated() {
            pages[index].layout = inspection.layout ?? pages[index].layout
        }
        var boxes = TrimFile(options: options.given, pages, decisions, findings)
        if decisionFile != nil || sheetFile != nil { boxes.book = try await DecisionBook(sequence.pages, request) }
        if case .write(let file)? = decisionFile { try boxes.write(to: file) }
        if let sheetFile {
            try await Trim.write(
                sheetFile, of: sequence, trimmed: pages, findings, decisions, boxes, options, request)
        }
        return PageSequence(book: sequence.book, pages: pages)
    }

    /// Returns the findings for pages, the decisions for them, and the mode that suits them, if the user chose none.
    private static func decisions(
        on seen: [PageReading?], _ furniture: PageFurniture, _ pages: [Page], _ options: TrimOptions
    ) throws(AdapterError) -> ([Int: PrintFinding], [Int: TrimDecision], chosen: TrimOptions.Mode?) {
        let findings = try findings(seen, furniture, pages, options)
        let uniform =
            options.mode == .uniform ? UniformBoxes(findings, isLeft: isLeft(pages), options.margins) : nil
        let (decided, chosen) = decide(findings, pages, options, uniform)
        var decisions = decided.mapValues { $0.applyingThreshold(minimum: options.minimumConfidence) }
        match(&decisions, findings, pages, onlyJoined: uniform != nil)
        matchScrolls(&decisions, findings, pages)
        removeFullPageBoxes(&decisions, findings)
        uniform?.markOutliers(in: &decisions)
        return (findings, decisions, chosen)
    }

    /// Removes boxes that would keep the whole page, and extends the remarks if a scan shows more than the page.
    private static func removeFullPageBoxes(_ decisions: inout [Int: TrimDecision], _ findings: [Int: PrintFinding]) {
        for (index, finding) in findings {
            guard let decision = decisions[index], let box = decision.box else { continue }
            if box.size == finding.page.size {
                decisions[index]?.box = nil
                decisions[index]?.why = .narrow
                decisions[index]?.remark = "kept whole: its margins are not wider than those to keep"
            } else if finding.page.hasBackdrop {
                decisions[index]?.remark = "\(decision.remark); the scan shows more than the page"
            }
        }
    }

    /// Returns the findings for the readable pages by index.
    ///
    /// - Throws: `.usage` if margins are in millimeters and a page does not state its resolution.
    static func findings(
        _ seen: [PageReading?], _ furniture: PageFurniture, _ pages: [Page], _ options: TrimOptions
    ) throws(AdapterError) -> [Int: PrintFinding] {
        var findings: [Int: PrintFinding] = [:]
        for (index, page) in seen.enumerated() {
            guard let page else { continue }
            guard options.margins.each.pixels(around: page.size, page.resolution) != nil else {
                throw AdapterError(
                    .usage, "does not state its resolution, so millimeters cannot be used",
                    hint: "use % or px for --trim-margin", page: pages[index].name)
            }
            findings[index] = PrintFinding(
                page, numbers: furniture.numbers[index], heads: furniture.heads[index],
                strays: furniture.strays[index], options)
        }
        return findings
    }

    /// Returns the pages with the edits of their decisions, and with their findings.
    private static func trimmed(
        _ pages: [Page], _ decisions: [Int: TrimDecision], _ findings: [Int: PrintFinding]
    ) -> [Page] {
        var pages = pages
        for (index, decision) in decisions {
            guard let finding = findings[index] else { continue }
            let page = finding.page
            func placed(_ rect: PixelRect?) -> PixelRect? {
                rect.map { PixelRect(x: $0.x + page.origin.x, y: $0.y + page.origin.y, $0.size) }
            }
            pages[index].layout = PageLayout(
                content: placed(finding.content), pageNumber: placed(finding.pageNumber), head: placed(finding.head),
                skew: page.skew, isDeskewed: page.isDeskewed, confidence: decision.confidence, doubt: decision.doubt,
                remark: decision.remark, isOutlier: decision.isOutlier, trimming: decision.trimming)
            pages[index].appendEdits(box: decision.box, of: page.size)
        }
        return pages
    }

    private static func decide(
        _ findings: [Int: PrintFinding], _ pages: [Page], _ options: TrimOptions, _ uniform: UniformBoxes?
    ) -> ([Int: TrimDecision], chosen: TrimOptions.Mode?) {
        let (margins, isLeft) = (options.margins, isLeft(pages))
        switch options.mode {
        case nil: return (findings.mapValues(TrimDecision.untrimmed), nil)
        case .page: return (findings.mapValues { .own($0, margins) }, nil)
        case .uniform:
            let own = findings.mapValues {
                TrimDecision.own($0, margins, because: "no page shows the size of the print")
            }
            return (uniform?.decisions ?? own, nil)
        case .book: return (BookBoxes(findings, isLeft: nil, margins).decisions, nil)
        case .sides: return (BookBoxes(findings, isLeft: isLeft, margins).decisions, nil)
        case .auto:
            let auto = AutoTrim(findings, isLeft: isLeft, margins)
            return (auto.decisions, auto.mode)
        }
    }

    /// Returns for each page whether it is a left one. Pages of unknown sides alternate; which of the two sides is the left one
    /// makes no difference here.
    private static func isLeft(_ pages: [Page]) -> [Bool] {
        pages.map { $0.side == .single ? $0.id.isMultiple(of: 2) : $0.side == .left }
    }
}

extension Page {
    /// Appends the edits of `Trim`: deskewing, as its layout states, and the crop. Adds the regions of its print.
    ///
    /// - Parameters:
    ///   - box: the box to keep; nil for the whole page.
    ///   - size: the size to which boxes refer, in pixels.
    mutating func appendEdits(box: PixelRect?, of size: PixelSize) {
        guard let layout else { return }
        if layout.isDeskewed, let skew = layout.skew { edits.append(.change(Deskew(degrees: skew))) }
        if let content = layout.content {
            regions += [content, layout.pageNumber, layout.head].compactMap(\.self).map { rect in
                PageRegion(RegionKind(RegionKind.print, afterEdits: edits.count), PageArea(rect, of: size))
            }
        }
        if let box { edits.append(.move(.keep(box, of: size))) }
    }
}

extension Trim {
    /// Makes the boxes of facing pages match: both begin and end at the same rows, and nothing is cut at the fold.
    ///
    /// - Parameter onlyJoined: whether to leave the pages of one size as they are, if no print joins them.
    static func match(
        _ decisions: inout [Int: TrimDecision], _ findings: [Int: PrintFinding], _ pages: [Page], onlyJoined: Bool
    ) {
        for first in pages.indices.dropLast() where pages[first].facesNextPage {
            let both = [first, first + 1]
            if onlyJoined, !both.contains(where: { findings[$0]?.reachesFold(pages[$0].side) ?? false }) { continue }
            let sizes = both.compactMap { findings[$0]?.page.size }
            let boxes = both.map { decisions[$0]?.box.map { Bounds($0) } }
            guard sizes.count == 2, boxes.contains(where: { $0 != nil }) else { continue }
            let whole = sizes.map { Bounds(left: 0, top: 0, right: $0.width, bottom: $0.height) }
            let top = min((boxes[0] ?? whole[0]).top, (boxes[1] ?? whole[1]).top)
            let bottom = max((boxes[0] ?? whole[0]).bottom, (boxes[1] ?? whole[1]).bottom)
            for (place, page) in both.enumerated() {
                var box = boxes[place] ?? whole[place]
                box.top = top
                box.bottom = min(bottom, whole[place].bottom)
                if pages[page].side == .left { box.right = whole[place].right } else { box.left = 0 }
                if box.rect.size != sizes[place] {
                    decisions[page]?.box = box.rect
                    if let remark = decisions[page]?.remark {
                        decisions[page]?.remark = "\(remark); to the same rows as the page it faces"
                    }
                } else if boxes[place] != nil {
                    decisions[page]?.box = nil
                    decisions[page]?.why = .facing
                    decisions[page]?.remark = "kept whole: to match the page it faces"
                }
            }
        }
    }
}

extension Trim {
    /// Returns a note that lists the pages which were not trimmed to the shared box, for a person to check first. It is nil if
    /// every page was, or if no page was: then the pages share no box.
    public func note(on pages: [JudgedPage]) -> Warning? {
        func layouts(_ page: JudgedPage) -> [PageLayout] { page.findings.compactMap { $0 as? PageLayout } }
        func isTrimmed(_ page: JudgedPage) -> Bool { page.isCut && layouts(page).contains { $0.crops } }
        func isException(_ page: JudgedPage) -> Bool { layouts(page).contains { $0.isException } }
        let exceptions = pages.filter(isException)
        guard !exceptions.isEmpty, pages.contains(where: { isTrimmed($0) && !isException($0) }) else { return nil }
        let trimmed = PageRanges(exceptions.filter(isTrimmed).map(\.number))
        let whole = PageRanges(exceptions.filter { !isTrimmed($0) }.map(\.number))
        var parts: [Message] = []
        if trimmed.count > 0 {
            parts.append(
                trimmed.count == 1
                    ? "trimmed \(trimmed.text) to its own content" : "trimmed \(trimmed.text) to their own content")
        }
        if whole.count > 0 { parts.append("kept \(whole.text) whole") }
        return Warning(
            code: "outliers", message: "not all pages got the book's box: \(parts.listed())", isNote: true
        ).shared("not all pages got the book's box; --verbose names them")
    }
}
