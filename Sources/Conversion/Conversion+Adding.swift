internal import AdapterKit
internal import PageModel

/// The facts that are gathered while the pages of one output are written.
struct WrittenPages {
    var failures: [AdapterError] = []
    var lostLinks = LostLinks()
    /// The document pages that a dry run would copy.
    var planned = PlannedCopies()
    /// The numbers of warnings and notes that have been shown.
    fileprivate var reported = (warnings: 0, notes: 0)
}

extension Conversion {
    /// Adds the pages that were made of one page to the output and the report, and shows the warnings about them.
    func add(
        _ outcomes: [PageOutcome], _ composition: Composition?, to session: (any SinkSession)?,
        _ written: inout WrittenPages, _ progress: inout Progress, in report: inout Report
    ) throws {
        for outcome in outcomes {
            for warning in outcome.warnings { try note(warning, in: &report) }
            if let failure = outcome.failure { written.failures.append(failure) }
            guard let finished = outcome.finished else { continue }
            if job.isDryRun {
                written.planned.add(finished.plan)
                written.planned.books.insert(outcome.page.book)
            }
            let isAdded = try add(finished, outcome, composition, to: session, in: &report)
            if isAdded, let text = finished.text { written.lostLinks.add(outcome.page, text) }
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
        _ finished: PageOutcome.Finished, _ outcome: PageOutcome, _ composition: Composition?,
        to session: (any SinkSession)?, in report: inout Report
    ) throws(AdapterError) -> Bool {
        let (page, number, plan) = (outcome.page, report.pages.count + 1, finished.plan)
        var line = PageReport(
            number: number, source: page.name, sourceID: page.sourceID, treatment: plan.treatment, reason: plan.reason,
            composition: composition, framing: plan.framing, size: plan.size, crop: plan.crop,
            findings: page.findings, side: page.side, lost: finished.lost,
            parts: page.parts.map(PageReport.Part.init))
        line.book = page.book
        line.lostParts = finished.lostParts
        line.edits = page.edits + page.parts.flatMap(\.edits)
        line.encoding = plan.encoding
        if let session, let result = finished.result {
            var finishedPage = FinishedPage(
                number: number, page: page, content: result.content, resolution: finished.resolution)
            finishedPage.text = finished.text?.lines ?? []
            finishedPage.replacesInvisibleText = finished.text?.replacesInvisible ?? false
            finishedPage.links = finished.text?.links ?? []
            finishedPage.attachment = finished.attachment
            do {
                line.output = try session.add(finishedPage)
            } catch {
                // jisui skips a page that the sink cannot accept, as it skips an unreadable one.
                guard [.damaged, .unsupported, .tooLarge].contains(error.code) else { throw error }
                let warning = Warning(code: "page-skipped", page, "skipped", because: error)
                // The page's other warnings no longer apply.
                report.warnings.removeLast(outcome.warnings.count)
                try note(warning, in: &report)
                return false
            }
            line.size = finishedPage.size ?? plan.size
            line.bytes = result.content.byteCount
            if job.verifies, let output = line.output {
                line.expectation = PageExpectation(
                    line, output, result.content, finished, of: page,
                    isDamaged: outcome.warnings.contains(where: \.isOfDamage))
            }
            if job.findsDigests { line.digests = finished.digests }
        }
        report.pages.append(line)
        return true
    }
}
