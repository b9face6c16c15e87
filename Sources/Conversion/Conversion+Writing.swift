internal import AdapterKit
internal import Files
internal import Metadata
internal import OrderedWork
internal import PageModel
internal import Planning

/// The writing of a book to its outputs.
extension Conversion {
    /// Writes the book to all sinks of the run.
    ///
    /// - Returns: whether the output is one of several in a collection.
    func write(_ book: TransformedBook, to adapters: RunAdapters, _ log: RunLog) async throws -> Bool {
        if let split = job.volumes, !job.isDryRun {
            try await writeVolumes(book, split, to: adapters, log)
            return false
        }
        if let limit = job.targetSize, !job.isDryRun {
            try await write(book, toFit: limit, adapters, log)
            return false
        }
        let sink = adapters.sink
        var done = 0
        onEvent(.opened(pageCount: book.sequence.pages.count * adapters.sinks.count))
        let collection =
            job.isDryRun || job.collection != nil
            ? nil : try (sink as? any CollectingSink)?.collection(at: job.destination, adapters.settings)
        let destination = log.observer.observed(job.destination)
        let session = try await write(
            book, to: sink, book.request(destination, adapters.settings), adapters.outputs?.first,
            book.previewWarnings, &done, log
        ) { request throws(AdapterError) in
            if let collection = job.collection ?? collection { return try collection.begin(request) }
            return try sink.begin(request)
        }.session
        try warn(ofLosses: book, adapters, log)
        for (place, other) in adapters.others.enumerated() {
            try await write(
                book, alongside: session, as: other.sink, other.settings, adapters.outputs?[place + 1], &done, log)
        }
        try await session?.finish()
        if job.isDryRun { try await noteSizes(of: book, log) }
        try await log.observer.finished(sink, at: destination, log.warn)
        try destination.held?.publish()
        try collection?.finish()
        return job.collection != nil || collection != nil
    }

    /// Warns about text, links and other parts of pages that the outputs lack.
    func warn(ofLosses book: TransformedBook, _ adapters: RunAdapters, _ log: RunLog) throws(AdapterError) {
        for loss in log.observer.losses(adapters, book.request(job.destination, Settings())) { try log.warn(loss) }
    }

    /// Returns the capabilities of the main output, or throws the error of asking for them.
    func capabilities(_ book: TransformedBook, _ adapters: RunAdapters) throws(AdapterError) -> SinkCapabilities {
        if let known = adapters.outputs?.first { return known }
        return try adapters.sink.capabilities(book.request(job.destination, adapters.settings))
    }

    /// Returns the converter of a book's pages for an output.
    ///
    /// - Parameter observer: the observer of the run; nil to observe no page.
    func converter(
        _ book: TransformedBook, _ sink: any SinkAdapter, _ request: SinkRequest, _ capabilities: SinkCapabilities,
        _ observer: (any RunObserver)?
    ) -> PageConverter {
        let attaching = sink as? any AttachingSink
        return PageConverter(
            planner: planner(capabilities), limits: job.limits, isDryRun: job.isDryRun, targets: book.targets,
            attachmentMemory: { attaching?.attachmentMemory($0, request) ?? 0 },
            otherPages: BookPages(book.sequence.pages, job.limits), sharedImages: SharedImages(book.sequence.pages),
            observe: observer?.pageObserver)
    }

    /// Writes all readable pages to a sink.
    ///
    /// - Parameters:
    ///   - known: the capabilities of the output from the start of the run; nil to throw the error of asking for them.
    ///   - previewWarnings: warnings about pages that could not be analyzed.
    ///   - done: the number of pages that are done in the run, over all its outputs.
    ///   - stored: the pages that were converted before; nil for none.
    ///   - begin: begins the session. A dry run does not call it.
    /// - Returns: the session, with all pages but not finished. It is nil in a dry run, and for a volume without a readable
    ///   page.
    func write(
        _ book: TransformedBook, to sink: any SinkAdapter, _ request: SinkRequest, _ known: SinkCapabilities?,
        _ previewWarnings: [Warning], _ done: inout Int, _ log: RunLog,
        _ stored: StoredPages? = nil, begin: (SinkRequest) throws(AdapterError) -> any SinkSession
    ) async throws -> (session: (any SinkSession)?, tally: WriteTally) {
        let sequence = book.sequence
        let capabilities = if let known { known } else { try sink.capabilities(request) }
        log.observer.began(capabilities)
        // A volume states a title and a number that its book does not have.
        for loss in MetadataLoss.warnings(of: book.whole ?? sequence, in: capabilities) { try log.note(loss) }
        if let loss = DitheringLoss.warning(of: sequence.pages.flatMap(\.edits), job.encoding, in: capabilities) {
            try log.note(loss)
        }
        let session = job.isDryRun ? nil : try begin(request)
        let attaching = sink as? any AttachingSink
        let converter = converter(book, sink, request, capabilities, log.observer)
        var tally = WriteTally()
        try await forEachInOrder(sequence.pages, width: job.width, within: job.memoryBudget) {
            page -> ((page: Page, pages: [PlannedPage]), bytes: Int) in
            if let bytes = stored?.memory(of: page.id) { return ((page, []), bytes) }
            let (pages, bytes) = try await converter.plan(page)
            return ((page, pages), bytes)
        } work: { page, pages in
            if pages.isEmpty, let made = try stored?.pages(of: page.id) { return made }
            onEvent(.began(page: page.name))
            defer { onEvent(.ended(page: page.name)) }
            return try await converter.convert(pages).attached(by: attaching, request)
        } body: { converted in
            for page in converted {
                log.observer.converted(page, converter.planner)
                try add(page, converter.planner, to: session, &tally, log)
            }
            done += 1
            onEvent(.finished(pages: done))
            if tally.pageCount > 0 { log.showAdded() }
        }
        try warn(ofPreviews: previewWarnings, log)
        for warning in tally.lostLinks.warnings { try log.warn(warning) }
        if tally.pageCount == 0 {
            if book.whole != nil { return (nil, tally) }
            throw nothingLeft(log, tally.failures)
        }
        try Task.checkCancellation()
        guard let session else {
            let warnings = (sink as? any CopyingSink)?.warnings(forCopying: tally.planned, request) ?? []
            for warning in warnings { try log.warn(warning) }
            return (nil, tally)
        }
        onEvent(.completing)
        let findings = try await session.compose()
        for warning in log.observer.composed(findings.compositions) + findings.warnings { try log.warn(warning) }
        return (session, tally)
    }

    /// Warns about pages that could not be analyzed and are not named yet.
    func warn(ofPreviews warnings: [Warning], _ log: RunLog) throws(AdapterError) {
        let named = Set(log.warnings.compactMap(\.page))
        for warning in warnings where warning.page.map(named.contains) != true { try log.warn(warning) }
    }

    /// Writes the book in another format into the folder that a session fills.
    ///
    /// - Parameter known: the capabilities of the output from the start of the run.
    /// - Throws: the error, with the option that asked for the format.
    private func write(
        _ book: TransformedBook, alongside session: (any SinkSession)?, as sink: any SinkAdapter,
        _ settings: Result<Settings, AdapterError>, _ known: SinkCapabilities?, _ done: inout Int, _ log: RunLog
    ) async throws {
        let destination = (session as? any AccompaniedSession)?.destination(alongside: sink.descriptor)
        // Warnings about pages have already been shown.
        let own = RunLog(job, log.observer.observer(of: sink, at: destination?.path), after: log) { _ in }
        let reported = Set(log.warnings + log.notes)
        do {
            let request = book.request(destination ?? job.destination, try settings.get())
            let session = try await write(book, to: sink, request, known, [], &done, own) {
                request throws(AdapterError) in try sink.begin(request)
            }.session
            try await session?.finish()
            if session != nil { try await own.observer.finished(sink, at: request.destination, own.warn) }
        } catch let error as AdapterError {
            throw AdapterError(
                error.code, "--with \(sink.descriptor.id): \(error.message)",
                hint: error.code == .usage ? "create the \(sink.descriptor.id) in a separate run" : error.hint,
                file: error.code == .usage ? nil : error.file,
                page: error.page)
        }
        // Lost metadata is a note that only this format may have.
        let losses = own.notes.filter { $0.code == "metadata-dropped" }
        for var warning in own.warnings + losses where !reported.contains(warning) {
            warning.message = "in the additional \(sink.descriptor.id) output: \(warning.message)"
            try log.warn(warning)
        }
    }

    /// Returns the planner of an output. A sink that composes images encodes them itself.
    private func planner(_ capabilities: SinkCapabilities) -> Planner {
        Planner(
            capabilities, capabilities.composition == nil ? job.encoding : EncodingRequest(),
            isLossless: job.isLossless, needsPixels: job.findsDigests)
    }

    /// Returns the error for a book without any readable page.
    ///
    /// If all pages fail for one reason, the message states it once; otherwise a warning names each page.
    private func nothingLeft(_ log: RunLog, _ failures: [AdapterError]) -> AdapterError {
        let warnings = log.warnings
        var error = AdapterError(.damaged, "no page of it can be read", file: job.inputs.first?.name)
        let reasons = Set(failures.map { [$0.message, $0.hint] })
        if warnings.count == 1 {
            error.message = "\(error.message): \(warnings[0].explanation)"
            error.hint = warnings[0].hint
        } else if warnings.count == failures.count, reasons.count == 1, let reason = failures.first {
            error.message = "\(error.message): all \(failures.count) were skipped: \(reason.explanation)"
            error.hint = reason.hint
        } else {
            for warning in warnings { log.show(warning) }
        }
        return error
    }
}

extension [ConvertedPage] {
    /// Returns the pages with the data that the sink stores with them.
    func attached(by sink: (any AttachingSink)?, _ request: SinkRequest) -> [ConvertedPage] {
        guard let sink else { return self }
        return map { page in
            var page = page
            if let result = page.result { page.attachment = sink.attachment(for: result.content, request) }
            return page
        }
    }
}
