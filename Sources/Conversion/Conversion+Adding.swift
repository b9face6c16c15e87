internal import AdapterKit
internal import PageModel
internal import Planning

/// The facts that are gathered while the pages of one output are written.
struct WriteTally {
    var failures: [AdapterError] = []
    var lostLinks = LostLinks()
    /// The document pages that a dry run would copy.
    var planned = PlannedCopies()
    /// The numbers of warnings and notes that have been shown.
    fileprivate var reported = (warnings: 0, notes: 0)
}

extension Conversion {
    /// Adds the pages that were made of one page to the output and the report, and shows the warnings about them.
    ///
    /// - Parameter planner: the planner of the output.
    func add(
        _ converted: [ConvertedPage], _ planner: Planner, to session: (any SinkSession)?, _ written: inout WriteTally,
        _ progress: inout Progress, in report: inout Report
    ) throws {
        for page in converted {
            for warning in page.warnings { try note(warning, in: &report) }
            if let failure = page.failure { written.failures.append(failure) }
            guard let plan = page.plan else { continue }
            if job.isDryRun {
                written.planned.add(plan)
                written.planned.books.insert(page.page.book)
            }
            let isAdded = try add(page, planner, to: session, in: &report)
            if isAdded, let text = page.text { written.lostLinks.add(page.page, text) }
        }
        progress.done += 1
        onEvent(.finished(pages: progress.done))
        // If the output gets no page at all, the error contains the warnings as its reason.
        if report.pages.isEmpty { return }
        let reported = written.reported
        for warning in report.warnings.dropFirst(reported.warnings) + report.notes.dropFirst(reported.notes) {
            onEvent(.warned(warning))
        }
        written.reported = (report.warnings.count, report.notes.count)
    }

    /// Passes a page to the sink and records the result in the report.
    ///
    /// - Returns: Whether the page is in the output.
    private func add(
        _ converted: ConvertedPage, _ planner: Planner, to session: (any SinkSession)?, in report: inout Report
    ) throws(AdapterError) -> Bool {
        let number = report.pages.count + 1
        guard var line = PageReport(converted, number: number, planner) else { return false }
        if let session, let page = FinishedPage(converted, number: number) {
            do {
                line.output = try session.add(page)
            } catch {
                // jisui skips a page that the sink cannot accept, as it skips an unreadable one.
                guard [.damaged, .unsupported, .tooLarge].contains(error.code) else { throw error }
                let warning = Warning(code: "page-skipped", converted.page, "skipped", because: error)
                // The page's other warnings no longer apply.
                report.warnings.removeLast(converted.warnings.count)
                try note(warning, in: &report)
                return false
            }
            line.size = page.size ?? line.size
            line.bytes = page.content.byteCount
            let digests = converted.evidence as? PageDigests
            if job.verifies { line.expectation = PageExpectation(line, converted, digests) }
            if job.findsDigests { line.digests = digests }
        }
        report.pages.append(line)
        return true
    }
}

extension FinishedPage {
    /// Creates the page that the sink receives; nil if the page was skipped.
    fileprivate init?(_ converted: ConvertedPage, number: Int) {
        guard let content = converted.result?.content else { return nil }
        let resolution = converted.picture?.resolution(of: converted.page)
        self.init(number: number, page: converted.page, content: content, resolution: resolution)
        text = converted.text?.lines ?? []
        replacesInvisibleText = converted.text?.replacesInvisible ?? false
        links = converted.text?.links ?? []
        regions = converted.text?.regions ?? []
        attachment = converted.attachment
    }
}
