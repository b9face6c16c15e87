internal import AdapterKit
internal import Files
internal import Metadata
internal import PageModel

/// A conversion of one or several inputs to one book.
public struct Conversion: Sendable {
    let registry: Registry
    let job: Job
    let onEvent: @Sendable (ConversionEvent) -> Void

    /// - Parameter onEvent: receives events from any task.
    public init(_ registry: Registry, _ job: Job, onEvent: @escaping @Sendable (ConversionEvent) -> Void = { _ in }) {
        self.registry = registry
        self.job = job
        self.onEvent = onEvent
    }

    /// Runs the job. The output exists when this returns, and does not exist when it throws.
    ///
    /// - Throws: `AdapterError`, or `CancellationError` when the task was cancelled.
    public func run() async throws -> Report {
        do {
            return try await convert()
        } catch {
            // If the task was cancelled, any other error is a consequence.
            if Task.isCancelled { throw CancellationError() }
            guard let error = error as? AdapterError, error.code != .usage || error.page != nil else { throw error }
            // The page names of a book that is made from several inputs contain the file.
            let only = job.inputs.count == 1 ? job.inputs.first : nil
            guard let input = job.inputs.first(where: { $0.path == error.file }) ?? only else { throw error }
            throw error.about(input)
        }
    }

    private func convert() async throws -> Report {
        try rejectUnusedVerification()
        let sink = try registry.sink(job.sink)
        let sinkSettings = try Settings(sink.descriptor.settings, given: job.settings)
        for inputs in [ProtectedInputs(job.inputs.map(\.path)), job.protected] {
            try inputs.refuse(job.destination, sink.form(sinkSettings))
        }
        let (opened, source) = try await Library(registry).open(
            job.inputs, source: job.source, settings: job.settings, limits: job.limits)
        try Task.checkCancellation()
        let others = try alongside(sink)
        let outputs = capabilities(of: [sink] + others, SinkRequest(opened.sequence, job))
        let transforms = transforms(for: outputs)
        let passes = try passes(of: transforms)
        let stated = statedDirection(opened.sequence.book)
        try rejectUnusedMetadata(
            sink.descriptor.id, outputs, arranges: stated == nil && directionUse(passes, outputs) == .arranging)
        if job.settingsMustApply { try rejectUnusedOptions(source, transforms, passes, [sink] + others) }
        if let outputs { for (sink, output) in zip([sink] + others, outputs) { try refuseFormat(of: sink, output) } }
        var sequence = opened.sequence
        job.metadataOptions.apply(to: &sequence)
        sequence.book.direction = stated?.direction
        let guess = job.inputs.count == 1 ? registry.guess(of: job.inputs[0], for: sequence.book) : nil
        if job.writesGuess { guess?.apply(to: &sequence.book) }
        let isTitled = sequence.book.title != nil
        let name = job.inputs.first.flatMap(registry.title)
        sequence.book.title = sequence.book.title ?? name
        sequence.book.isNamedByInput = sequence.book.title == name
        let examinations = Examinations()
        sequence.pages = examinations.remembering(sequence.pages)
        let whole = sequence
        if let selection = job.selection { sequence = try selection.apply(to: sequence) }
        let unselected = Set(whole.pages.map(\.book)).subtracting(sequence.pages.map(\.book))
        let reading = try await direction(of: whole, sequence.pages.count, stated, passes, outputs)
        if let reading, reading.evidence.hint != .nothing { sequence.book.direction = reading.direction }
        let effects = Effects()
        if guess != nil { effects.note(option: "guess") }
        if job.isNamedByFormat { effects.note(.inAskedFormat) }
        if outputs?.contains(where: { $0.features.contains(.direction) }) ?? true { effects.note(.directed) }
        let previewWarnings: [Warning]
        (sequence, previewWarnings) = try await transformed(sequence, of: whole, by: passes, effects)
        let targets = LinkTargets(sequence.pages)
        sequence.book.outline = try await targets.retargeted(sequence.book.outline)

        var report = Report(
            inputs: job.inputs.map(\.name), output: job.destination.path, from: source, to: sink.descriptor.id,
            direction: sequence.book.direction, isDryRun: job.isDryRun, skipped: opened.skipped)
        report.reading = reading
        report.storesSamples = outputs?.first?.storesSamples ?? false
        report.isOfSomePages = job.selection != nil
        report.book = sequence.book
        report.guess = guess.map { Report.Guess($0, isWritten: job.writesGuess) }
        let isDirected = job.direction != nil || job.metadataOptions.file?.book.direction != nil
        for warning in opened.warnings where !(isDirected && warning.code == Library.mixedDirections) {
            try note(BookDocument.completed(warning, for: sequence, in: outputs ?? []), in: &report)
        }

        for book in unselected.sorted() where job.inputs.indices.contains(book) {
            let name = FileName.last(of: job.inputs[book].name)
            report.add(
                Warning(
                    code: "book-not-selected", message: "--pages selected no page of \(name)",
                    hint: "the numbers go on from book to book", isNote: true))
        }

        if outputs?.contains(where: { !$0.metadata.isEmpty }) ?? false {
            if let note = titleNote(sequence.book) { report.add(note) }
            report.titleIsName = !isTitled && job.inputs.count == 1
        }

        var progress = Progress(pageCount: sequence.pages.count * (others.count + 1))
        onEvent(.opened(pageCount: progress.pageCount))
        let collection =
            job.isDryRun || job.collection != nil
            ? nil : try (sink as? any CollectingSink)?.collection(at: job.destination, sinkSettings)
        let overridesSource = !job.metadataOptions.isEmpty || job.writesGuess && guess != nil
        var book = PreparedBook(sequence, targets, job, overridesSource: overridesSource, effects)
        // An output that shares an image does not read it. Only the cache has the facts that reading it revealed.
        let sharesImages = !others.isEmpty && !job.isDryRun && whole.pages.count <= examinations.capacity
        if sharesImages, let outputs {
            book.sharing = ImageSharing(SharedImages(), later: outputs.dropFirst().map(planner))
        }
        var destination = job.destination
        destination.held = Conversion.held(job)
        let session = try await write(
            book, to: sink, book.request(destination, sinkSettings), outputs?.first, previewWarnings, &progress,
            in: &report
        ) { request throws(AdapterError) in
            if let collection = job.collection ?? collection { return try collection.begin(request) }
            return try sink.begin(request)
        }
        // Content that another format of the same output holds is not lost.
        let request = book.request(job.destination, Settings())
        if let loss = LostText.warning(of: report.pages, registry.features(of: request)) {
            try note(loss, in: &report)
            onEvent(.warned(loss))
        }
        for other in others {
            book.sharing?.later.removeFirst()
            try await write(book, alongside: session, as: other, &progress, in: &report)
        }
        try await session?.finish()
        if let held = destination.held { try await readBack(sink, held, in: &report) }
        try collection?.finish()
        let seen = opened.effects.reduce(effects.seen) { $0.union($1.seen) }
        report.idle = unusedOptions(source, transforms, passes, [sink] + others, after: seen)
        report.weigh(job, isOneOfMany: job.collection != nil || collection != nil)
        let growth = job.encoding == EncodingRequest() && job.selection == nil ? ScanNotes.growth(report) : nil
        let isGiven = job.settings.keys.contains("seam")
        let choices = ChoiceNotes.notes(on: report.pages).filter { !isGiven || $0.code != "seam" }
        for note in [ScanNotes.leftOut(report.pages), ScanNotes.patched(report.pages), growth].compactMap({ $0 })
            + choices
        {
            report.add(note)
            onEvent(.warned(note))
        }
        for note in job.notes { report.add(note) }
        report.addChoices()
        return report
    }

    /// Returns a note that the title of a book made from several inputs is the title of the first; nil if the user gave one.
    private func titleNote(_ book: BookMetadata) -> Warning? {
        guard job.inputs.count > 1, job.metadataOptions.book.title == nil, job.metadataOptions.file?.book.title == nil,
            let title = book.title
        else { return nil }
        return Warning(
            code: "title-of-first", message: "took '\(title)' as the title, from the first input",
            hint: "use --title to change it", isNote: true)
    }

    /// Writes all readable pages to a sink.
    ///
    /// - Parameters:
    ///   - known: the capabilities of the output from the start of the run; nil to ask for them now.
    ///   - previewWarnings: warnings about pages that could not be analyzed.
    ///   - begin: begins the session. A dry run does not call it.
    /// - Returns: the session, with all pages but not finished; nil in a dry run.
    private func write(
        _ book: PreparedBook, to sink: any SinkAdapter, _ request: SinkRequest, _ known: SinkCapabilities?,
        _ previewWarnings: [Warning], _ progress: inout Progress, in report: inout Report,
        begin: (SinkRequest) throws(AdapterError) -> any SinkSession
    ) async throws -> (any SinkSession)? {
        let sequence = book.sequence
        report.pages.reserveCapacity(sequence.pages.count)
        let capabilities = if let known { known } else { try sink.capabilities(request) }
        report.isComposed = capabilities.composition != nil
        for loss in MetadataLoss.warnings(of: sequence, in: capabilities) { try note(loss, in: &report) }
        if let loss = DitheringLoss.warning(of: sequence.pages.flatMap(\.edits), job.encoding, in: capabilities) {
            try note(loss, in: &report)
        }
        let session = job.isDryRun ? nil : try begin(request)
        let attaching = sink as? any AttachingSink
        let worker = PageWorker(
            planner: planner(capabilities),
            limits: job.limits, isDryRun: job.isDryRun,
            targets: book.targets, attachmentMemory: { attaching?.attachmentMemory($0, request) ?? 0 },
            digestRequest: DigestRequest(job), sharing: book.sharing)
        var reported = (warnings: 0, notes: 0)
        var failures: [AdapterError] = []
        var lostLinks = LostLinks()
        // The document pages that a dry run would copy.
        var planned = PlannedCopies()
        try await forEachInOrder(sequence.pages, width: job.width, within: job.memoryBudget) { page in
            try await worker.prepared(page)
        } work: { prepared in
            onEvent(.began(page: prepared.page.name))
            defer { onEvent(.ended(page: prepared.page.name)) }
            var outcomes = try await worker.work(on: prepared)
            for index in outcomes.indices {
                guard let result = outcomes[index].finished?.result else { continue }
                outcomes[index].finished?.attachment = attaching?.attachment(for: result.content, request)
            }
            return outcomes
        } body: { outcomes in
            for outcome in outcomes {
                for warning in outcome.warnings { try note(warning, in: &report) }
                if let failure = outcome.failure { failures.append(failure) }
                if let finished = outcome.finished {
                    book.effects.note(finished.effects)
                    if job.isDryRun { planned.add(finished.plan) }
                    let isAdded = try add(finished, outcome, capabilities.composition, to: session, in: &report)
                    if isAdded, let text = finished.text { lostLinks.add(outcome.page, text) }
                }
            }
            progress.done += 1
            onEvent(.finished(pages: progress.done))
            // If the output gets no page at all, the error contains the warnings as its reason.
            if report.pages.isEmpty { return }
            for warning in report.warnings.dropFirst(reported.warnings) + report.notes.dropFirst(reported.notes) {
                onEvent(.warned(warning))
            }
            reported = (report.warnings.count, report.notes.count)
        }
        let named = Set(report.warnings.compactMap(\.page))
        for warning in previewWarnings.filter({ $0.page.map(named.contains) != true }) + lostLinks.warnings {
            try note(warning, in: &report)
            onEvent(.warned(warning))
        }
        guard !report.pages.isEmpty else { throw nothingLeft(report.warnings, failures) }
        try Task.checkCancellation()
        guard let session else {
            for warning in (sink as? any CopyingSink)?.warnings(forCopying: planned, request) ?? [] {
                try note(warning, in: &report)
                onEvent(.warned(warning))
            }
            return nil
        }
        onEvent(.completing)
        let findings = try await session.compose()
        try enter(findings.compositions, into: &report)
        for warning in findings.warnings {
            try note(warning, in: &report)
            onEvent(.warned(warning))
        }
        return session
    }

    /// Writes the book in another format into the folder that a session fills.
    ///
    /// - Throws: the error, with the option that asked for the format.
    private func write(
        _ book: PreparedBook, alongside session: (any SinkSession)?, as sink: any SinkAdapter,
        _ progress: inout Progress, in report: inout Report
    ) async throws {
        let destination = (session as? any AccompaniedSession)?.destination(alongside: sink.descriptor)
        var other = report
        (other.to, other.output, other.pages) = (sink.descriptor.id, destination?.path ?? report.output, [])
        let known = Set(report.warnings)
        do {
            let settings = try Settings(sink.descriptor.settings, given: job.settings)
            let request = book.request(destination ?? job.destination, settings)
            // Warnings about pages have already been reported.
            let silent = Conversion(registry, job) { [onEvent] event in
                if case .warned = event {} else { onEvent(event) }
            }
            let own = try await silent.write(book, to: sink, request, nil, [], &progress, in: &other) {
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
        for var warning in other.warnings where !known.contains(warning) {
            warning.message = "in the additional \(sink.descriptor.id) output: \(warning.message)"
            try note(warning, in: &report)
            onEvent(.warned(warning))
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
            try note(warning, in: &report)
            onEvent(.warned(warning))
        }
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
            error.message = "\(error.message): all \(failures.count) were left out: \(reason.explanation)"
            error.hint = reason.hint
        } else {
            for warning in warnings { onEvent(.warned(warning)) }
        }
        return error
    }

    func note(_ warning: Warning, in report: inout Report) throws(AdapterError) {
        if job.isStrict, !warning.isNote {
            // A warning about a book made from several inputs names its file.
            let file = job.inputs.count == 1 ? job.inputs[0].name : nil
            let name = warning.page == nil ? nil : warning.subject
            let text: Message =
                switch (warning.cause, warning.code) {
                // Nothing is left out: the run ends.
                case (let cause?, "page-skipped"): cause
                case (let cause?, _): "\(warning.message): \(cause)"
                case (nil, _): name == nil ? warning.explanation : warning.message
                }
            throw AdapterError(
                .damaged, text, hint: "remove --strict to continue with a warning", file: file,
                // A page that is the input itself has the name of the input.
                page: file.map(FileName.last) == name ? nil : name)
        }
        report.add(warning)
    }

    /// Returns the sinks of the additional formats in the same output.
    private func alongside(_ sink: any SinkAdapter) throws(AdapterError) -> [any SinkAdapter] {
        guard let sink = sink as? any AccompaniedSink else { return [] }
        var sinks: [any SinkAdapter] = []
        for id in try sink.formatsAlongside(try Settings(sink.descriptor.settings, given: job.settings)) {
            sinks.append(try registry.sink(id))
        }
        return sinks
    }

    /// Returns the capabilities of the sinks; nil if one of their options is invalid. That error is reported when the book is
    /// written.
    private func capabilities(
        of sinks: [any SinkAdapter], _ request: SinkRequest
    ) -> [SinkCapabilities]? {
        try? sinks.map { sink in
            var request = request
            request.settings = try Settings(sink.descriptor.settings, given: job.settings)
            return try sink.capabilities(request)
        }
    }

    /// Returns the planner of an output. A sink that composes images encodes them itself.
    private func planner(_ capabilities: SinkCapabilities) -> Planner {
        Planner(
            capabilities, capabilities.composition == nil ? job.encoding : EncodingRequest(),
            isLossless: job.isLossless)
    }

    /// Returns the transforms that can affect one of the outputs. Some transforms add features that an output cannot hold.
    private func transforms(for outputs: [SinkCapabilities]?) -> [any PageTransform] {
        guard let outputs else { return registry.transforms }
        let held = outputs.reduce(into: Set()) { $0.formUnion($1.features) }
        return registry.transforms.filter { $0.addedFeatures.isEmpty || !$0.addedFeatures.isDisjoint(with: held) }
    }
}
