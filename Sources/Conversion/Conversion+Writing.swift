internal import AdapterKit
internal import Files
internal import Metadata
internal import OrderedWork
internal import PageModel
internal import Planning

/// The writing of a book to its outputs.
extension Conversion {
    /// Writes the book to all sinks of the run, and reads the main output back if that was requested.
    ///
    /// - Returns: whether the output is one of several in a collection.
    func write(_ whole: TransformedBook, to adapters: RunAdapters, in report: inout Report) async throws -> Bool {
        if let split = job.volumes, !job.isDryRun {
            try await writeVolumes(whole, split, to: adapters, in: &report)
            return false
        }
        if let limit = job.targetSize, !job.isDryRun {
            try await write(whole, toFit: limit, adapters, in: &report)
            return false
        }
        let sink = adapters.sink
        var progress = Progress(pageCount: whole.sequence.pages.count * adapters.sinks.count)
        onEvent(.opened(pageCount: progress.pageCount))
        let collection =
            job.isDryRun || job.collection != nil
            ? nil : try (sink as? any CollectingSink)?.collection(at: job.destination, adapters.settings)
        let book = prepared(whole)
        var destination = job.destination
        destination.held = Conversion.held(job)
        let stream = job.destination.isStandardOutput && job.findsDigests ? StreamDigest() : nil
        if let stream { destination.observer = { stream.add($0) } }
        let session = try await write(
            book, to: sink, book.request(destination, adapters.settings), adapters.outputs?.first,
            whole.previewWarnings, &progress, in: &report
        ) { request throws(AdapterError) in
            if let collection = job.collection ?? collection { return try collection.begin(request) }
            return try sink.begin(request)
        }
        try warn(ofLosses: whole, adapters, in: &report)
        for (place, other) in adapters.others.enumerated() {
            try await write(
                book, alongside: session, as: other.sink, other.settings, adapters.outputs?[place + 1], &progress,
                in: &report)
        }
        try await session?.finish()
        if job.isDryRun { try await noteSizes(of: whole, in: &report) }
        if let held = destination.held {
            try await readBack(sink, held, at: job.destination.path, in: &report)
            try held.publish()
        }
        if let digest = stream?.digest { report.outputFiles = [digest] }
        try collection?.finish()
        return job.collection != nil || collection != nil
    }

    /// Warns about text, links and other parts of pages that the outputs lack.
    func warn(ofLosses whole: TransformedBook, _ adapters: RunAdapters, in report: inout Report) throws(AdapterError) {
        // Content that another format of the same output holds is not lost.
        let request = prepared(whole).request(job.destination, Settings())
        if let loss = LostText.warning(
            of: report.pages, in: adapters.sink.descriptor.id, registry.features(of: request))
        {
            try warn(loss, in: &report)
        }
        let others = Array(adapters.outputs?.dropFirst() ?? [])
        for loss in LostParts.warnings(
            of: report.pages, in: adapters.outputs?.first, and: others, { registry.copiers(of: $0, request) })
        {
            try warn(loss, in: &report)
        }
    }

    /// Returns the book with the request that is common to all sinks.
    func prepared(_ whole: TransformedBook) -> PreparedBook {
        PreparedBook(
            whole.sequence, whole.targets, job, overridesSource: overridesSource(whole), whole.effects)
    }

    /// Returns whether the user gave metadata that the sources do not have.
    func overridesSource(_ whole: TransformedBook) -> Bool {
        !job.metadataOptions.isEmpty || job.writesGuess && whole.guess != nil
    }

    /// Returns the converter of a book's pages for an output.
    func converter(
        _ book: PreparedBook, _ sink: any SinkAdapter, _ request: SinkRequest, _ capabilities: SinkCapabilities
    ) -> PageConverter {
        let attaching = sink as? any AttachingSink
        return PageConverter(
            planner: planner(capabilities), limits: job.limits, isDryRun: job.isDryRun, targets: book.targets,
            attachmentMemory: { attaching?.attachmentMemory($0, request) ?? 0 },
            otherPages: BookPages(book.sequence.pages, job.limits), observe: DigestRecorder.observers(of: job))
    }

    /// Writes all readable pages to a sink.
    ///
    /// - Parameters:
    ///   - known: the capabilities of the output from the start of the run; nil to throw the error of asking for them.
    ///   - previewWarnings: warnings about pages that could not be analyzed.
    ///   - stored: the pages that were converted before; nil for none.
    ///   - begin: begins the session. A dry run does not call it.
    /// - Returns: the session, with all pages but not finished; nil in a dry run, and for a volume without a readable page.
    func write(
        _ book: PreparedBook, to sink: any SinkAdapter, _ request: SinkRequest, _ known: SinkCapabilities?,
        _ previewWarnings: [Warning], _ progress: inout Progress, in report: inout Report,
        _ stored: StoredPages? = nil, begin: (SinkRequest) throws(AdapterError) -> any SinkSession
    ) async throws -> (any SinkSession)? {
        let sequence = book.sequence
        report.pages.reserveCapacity(sequence.pages.count)
        let capabilities = if let known { known } else { try sink.capabilities(request) }
        report.isComposed = capabilities.composition != nil
        // A volume states a title and a number that its book does not have.
        for loss in MetadataLoss.warnings(of: book.whole ?? sequence, in: capabilities) { try note(loss, in: &report) }
        if let loss = DitheringLoss.warning(of: sequence.pages.flatMap(\.edits), job.encoding, in: capabilities) {
            try note(loss, in: &report)
        }
        let session = job.isDryRun ? nil : try begin(request)
        let attaching = sink as? any AttachingSink
        let converter = converter(book, sink, request, capabilities)
        var written = WriteTally()
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
            for page in converted { book.effects.note(page.effects(converter.planner, after: book.effects.seen)) }
            try add(converted, converter.planner, to: session, &written, &progress, in: &report)
        }
        let named = Set(report.warnings.compactMap(\.page))
        for warning in previewWarnings.filter({ $0.page.map(named.contains) != true }) + written.lostLinks.warnings {
            try warn(warning, in: &report)
        }
        if report.pages.isEmpty {
            if book.whole != nil { return nil }
            throw nothingLeft(report.warnings, written.failures)
        }
        try Task.checkCancellation()
        guard let session else {
            let warnings = (sink as? any CopyingSink)?.warnings(forCopying: written.planned, request) ?? []
            for warning in warnings { try warn(warning, in: &report) }
            return nil
        }
        onEvent(.completing)
        let findings = try await session.compose()
        report.isOnGivenPaper = book.effects.seen.contains(.paperGiven)
        try enter(findings.compositions, into: &report)
        for warning in findings.warnings { try warn(warning, in: &report) }
        return session
    }

    /// Writes the book in another format into the folder that a session fills.
    ///
    /// - Parameter known: the capabilities of the output from the start of the run.
    /// - Throws: the error, with the option that asked for the format.
    private func write(
        _ book: PreparedBook, alongside session: (any SinkSession)?, as sink: any SinkAdapter,
        _ settings: Result<Settings, AdapterError>, _ known: SinkCapabilities?, _ progress: inout Progress,
        in report: inout Report
    ) async throws {
        let destination = (session as? any AccompaniedSession)?.destination(alongside: sink.descriptor)
        var other = report
        (other.to, other.output, other.pages) = (sink.descriptor.id, destination?.path ?? report.output, [])
        let reported = Set(report.warnings + report.notes)
        do {
            let request = book.request(destination ?? job.destination, try settings.get())
            // Warnings about pages have already been reported.
            let silent = Conversion(registry, job) { [onEvent] event in
                if case .warned = event {} else { onEvent(event) }
            }
            let own = try await silent.write(book, to: sink, request, known, [], &progress, in: &other) {
                request throws(AdapterError) in try sink.begin(request)
            }
            try await own?.finish()
            if own != nil, let path = destination?.path {
                let place = "\(FileName.withoutSlashAtEnd(job.destination.path))/\(FileName.last(of: path))"
                let output = CompleteOutput(path: path, place: place, isWaiting: job.collection == nil)
                try await silent.readBack(sink, output, in: &other)
            }
        } catch let error as AdapterError {
            throw AdapterError(
                error.code, "--with \(sink.descriptor.id): \(error.message)",
                hint: error.code == .usage ? "create the \(sink.descriptor.id) in a separate run" : error.hint,
                file: error.code == .usage ? nil : error.file,
                page: error.page)
        }
        // Lost metadata is a note that only this format may have.
        let losses = other.notes.filter { $0.code == "metadata-dropped" }
        for var warning in other.warnings + losses where !reported.contains(warning) {
            warning.message = "in the additional \(sink.descriptor.id) output: \(warning.message)"
            try warn(warning, in: &report)
        }
        report.alongside.append(other)
    }

    /// Records the pages that the sink composed, and the damage that it found in them.
    private func enter(_ compositions: [Int: Composition], into report: inout Report) throws(AdapterError) {
        let warned = Set(report.warnings.compactMap(\.page))
        for index in report.pages.indices {
            let page = report.pages[index]
            guard let composition = compositions[page.number] else { continue }
            report.pages[index].composition = composition
            // One warning a page is enough, as before.
            guard let defect = composition.defect, page.sourceID.map(warned.contains) != true else { continue }
            let warning = Warning(code: "damaged-page", page: page.sourceID, subject: page.source, message: defect)
            try warn(warning, in: &report)
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
    private func nothingLeft(_ warnings: [Warning], _ failures: [AdapterError]) -> AdapterError {
        var error = AdapterError(.damaged, "no page of it can be read", file: job.inputs.first?.name)
        let reasons = Set(failures.map { [$0.message, $0.hint] })
        if warnings.count == 1 {
            error.message = "\(error.message): \(warnings[0].explanation)"
            error.hint = warnings[0].hint
        } else if warnings.count == failures.count, reasons.count == 1, let reason = failures.first {
            error.message = "\(error.message): all \(failures.count) were skipped: \(reason.explanation)"
            error.hint = reason.hint
        } else {
            for warning in warnings { onEvent(.warned(warning)) }
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
