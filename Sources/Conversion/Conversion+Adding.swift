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
            tally.planned.add(plan)
            tally.planned.books.insert(page.page.book)
            tally.planned.images += page.replaced.map(\.document)
        }
        tally.pageCount += 1
        if finished?.content.byteCount != nil { tally.hasImageFiles = true }
        log.observer.added(page, planner, as: finished, named: name)
        if let text = page.text { tally.lostLinks.add(page.page, text) }
    }
}

extension ConvertedPage {
    /// The pages of documents that it shows as images.
    fileprivate var replaced: [ReplacedPage] {
        guard let picture, let plan else { return [] }
        let sources = picture.sources(of: page)
        return plan.method.shown(of: page, picture).filter { !$0.isCopied }.compactMap { shown in
            guard let source = sources.first(where: { $0.page.id == shown.page.id })?.picture,
                var document = source.document
            else { return nil }
            document.book = shown.page.book
            return ReplacedPage(
                document, showing: plan.method.isRendering ? .page : source.shownPart, map: shown.map)
        }
    }
}

extension Picture {
    /// Returns the images that it is made of, each with its page.
    fileprivate func sources(of page: Page) -> [(page: Page, picture: Picture)] {
        joinedParts.isEmpty ? [(page, self)] : joinedParts.flatMap { $0.picture.sources(of: $0.page) }
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
        replaced = converted.replaced
        if let picture = converted.picture, let plan = converted.plan {
            shownPart = planner.shownPart(of: converted.page, picture, plan)
        }
    }
}
