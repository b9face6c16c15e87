internal import AdapterKit
internal import PageModel
internal import Planning

/// The facts that are gathered while the pages of one output are written.
struct WriteTally {
    /// The number of pages in the output.
    var pageCount = 0
    /// Whether a page in it is an image file. Others are copied, or the sink encodes them.
    var hasImageFiles = false
    var failures: [AdapterError] = []
    var lostLinks = LostLinks()
    /// The document pages that a dry run would copy.
    var planned = PlannedCopies()
}

extension Conversion {
    /// Adds a page to the output. The log gets the warnings about it.
    ///
    /// - Parameter planner: the planner of the output.
    func add(
        _ page: ConvertedPage, _ planner: Planner, to session: (any SinkSession)?, _ tally: inout WriteTally,
        _ log: RunLog
    ) throws(AdapterError) {
        for warning in page.warnings { try log.check(warning) }
        if let failure = page.failure { tally.failures.append(failure) }
        let finished = FinishedPage(page, number: tally.pageCount + 1, planner)
        var name: String?
        if let session, let finished {
            do {
                name = try session.add(finished)
            } catch {
                // jisui skips a page that the sink cannot accept, as it skips an unreadable one. The page's other
                // warnings do not apply then.
                guard [.damaged, .unsupported, .tooLarge].contains(error.code) else { throw error }
                return try log.note(Warning(code: "page-skipped", page.page, "skipped", because: error))
            }
        }
        for warning in page.warnings { try log.note(warning) }
        guard let plan = page.plan else { return }
        if job.isDryRun {
            let copied = tally.planned.pages.count
            tally.planned.add(plan)
            tally.planned.books.insert(page.page.book)
            if tally.planned.pages.count == copied { tally.planned.images += [page.original].compactMap { $0 } }
        }
        tally.pageCount += 1
        if finished?.content.byteCount != nil { tally.hasImageFiles = true }
        log.observer.added(page, planner, as: finished, named: name)
        if let text = page.text { tally.lostLinks.add(page.page, text) }
    }
}

extension ConvertedPage {
    /// The page of a document from which the page was made.
    fileprivate var original: DocumentPage? {
        var document = picture?.document
        document?.book = page.book
        return document
    }
}

extension FinishedPage {
    /// Creates the page that the sink receives; nil if the page was skipped.
    fileprivate init?(_ converted: ConvertedPage, number: Int, _ planner: Planner) {
        guard let content = converted.result?.content else { return nil }
        let resolution = converted.picture?.resolution(of: converted.page)
        self.init(number: number, page: converted.page, content: content, resolution: resolution)
        text = converted.text?.lines ?? []
        replacesInvisibleText = converted.text?.replacesInvisible ?? false
        links = converted.text?.links ?? []
        regions = converted.text?.regions ?? []
        attachment = converted.attachment
        original = converted.original
        if let picture = converted.picture, let plan = converted.plan {
            shownPart = planner.shownPart(of: converted.page, picture, plan)
        }
    }
}
