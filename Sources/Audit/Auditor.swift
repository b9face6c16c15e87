internal import AdapterKit
public import Conversion
internal import Files
internal import PageModel
internal import Planning

extension Conversion {
    /// Runs the job, and reports on it. The output exists when this returns, and does not exist when it throws.
    ///
    /// - Throws: `AdapterError`, or `CancellationError` when the task was cancelled.
    public func run() async throws -> Report {
        try rejectUnusedVerification()
        let auditor = Auditor(registry, job, onEvent)
        let outcome = try await convert(auditor)
        return auditor.report(on: outcome, unusedOptions(outcome.adapters, after: outcome.effects))
    }
}

/// Watches a run, and makes its report. It computes digests, and compares the output that it reads back.
final class Auditor: RunObserver {
    /// A complete output that is to be read back.
    struct CompleteOutput {
        /// The current path.
        let path: String
        /// The final path, for messages.
        let place: String
        /// Whether the output moves to its final path only after the check.
        let isWaiting: Bool
    }

    let registry: Registry
    let job: Job
    let onEvent: @Sendable (ConversionEvent) -> Void
    var report: Report
    /// The output of an additional format; nil for the main one, and in a dry run.
    private var output: CompleteOutput?
    /// The auditors of the additional formats.
    private var others: [Auditor] = []
    /// The auditor of the book; nil unless this one watches a volume.
    private var main: Auditor?
    private var stream: StreamDigest?
    /// The effects of options in the run.
    private var effects = OptionEvidence()

    init(_ registry: Registry, _ job: Job, _ onEvent: @escaping @Sendable (ConversionEvent) -> Void) {
        (self.registry, self.job, self.onEvent) = (registry, job, onEvent)
        report = Report(
            inputs: job.inputs.map(\.name), output: job.destination.path, from: "", to: job.sink,
            isDryRun: job.isDryRun)
    }

    /// Creates the auditor of another output of the same book, without warnings or pages.
    private init(besides main: Auditor) {
        (registry, job, onEvent, effects) = (main.registry, main.job, main.onEvent, main.effects)
        report = main.report
        (report.warnings, report.notes, report.pages) = ([], [], [])
    }

    var pageObserver: (@Sendable () -> any PageObserver)? { DigestRecorder.observers(of: job) }

    func prepared(_ book: TransformedBook, _ opened: OpenedBook, _ adapters: RunAdapters) {
        let outputs = adapters.outputs
        effects = book.request.effects
        (report.from, report.to, report.skipped) = (adapters.source, adapters.sink.descriptor.id, opened.skipped)
        report.kinds = registry.transforms.flatMap(\.counts)
        (report.direction, report.reading) = (book.sequence.book.direction, book.reading)
        report.storesSamples = outputs?.first?.storesSamples ?? false
        report.copiesPages = outputs?.first?.documents.isEmpty == false
        report.isOfSomePages = job.selection != nil
        report.book = book.sequence.book
        report.guess = book.guess.map { Report.Guess($0, isWritten: job.writesGuess) }
        let storesMetadata = outputs?.contains { !$0.metadata.isEmpty } ?? false
        report.titleIsName = storesMetadata && !book.isTitled && job.inputs.count == 1
    }

    func note(_ warning: Warning) { report.add(warning) }

    func note(_ option: UnusedOption) { report.unusedOptions.append(option) }

    func foresaw(volumes: Int) { report.plannedVolumes = volumes }

    func observed(_ destination: Destination) -> Destination {
        var destination = destination
        if DigestRequest(job) != nil, !destination.isStandardOutput {
            destination.held = HeldOutput(waits: job.verifies)
        }
        if destination.isStandardOutput, job.findsDigests {
            let stream = StreamDigest()
            destination.observer = { stream.add($0) }
            self.stream = stream
        }
        return destination
    }

    func began(_ capabilities: SinkCapabilities) { report.isComposed = capabilities.composition != nil }

    func converted(_ page: ConvertedPage, _ planner: Planner) {
        effects.note(page.effects(planner, after: effects.seen))
    }

    func added(_ page: ConvertedPage, _ planner: Planner, as finished: FinishedPage?, named name: String?) {
        guard var line = PageReport(page, number: report.pages.count + 1, planner) else { return }
        line.output = name
        if let finished, name != nil {
            line.size = finished.size ?? line.size
            line.bytes = finished.content.byteCount
            let digests = page.evidence as? PageDigests
            if job.verifies { line.expectation = PageExpectation(line, page, digests) }
            if job.findsDigests { line.digests = digests }
        }
        report.pages.append(line)
    }

    func composed(_ compositions: [Int: Composition]) -> [Warning] {
        report.isOnGivenPaper = effects.seen.contains(.option("page-size"))
        let warned = Set(report.warnings.compactMap(\.page))
        return report.pages.indices.compactMap { index in
            let page = report.pages[index]
            guard let composition = compositions[page.number] else { return nil }
            report.pages[index].composition = composition
            // One warning a page is enough.
            guard let defect = composition.defect, page.sourceID.map(warned.contains) != true else { return nil }
            return Warning(code: "damaged-page", page: page.sourceID, subject: page.source, message: defect)
        }
    }

    func losses(_ adapters: RunAdapters, _ request: SinkRequest) -> [Warning] {
        let text = LostText.warning(
            of: report.pages, in: adapters.sink.descriptor.id, registry.features(of: request))
        let parts = LostParts.warnings(
            of: report.pages, in: adapters.outputs?.first, and: Array(adapters.outputs?.dropFirst() ?? [])
        ) { registry.copiers(of: $0, request) }
        return [text].compactMap(\.self) + parts
    }

    func finished(
        _ sink: any SinkAdapter, at destination: Destination, _ warn: (Warning) throws -> Void
    ) async throws {
        if let output {
            try await readBack(sink, output, warn)
        } else if let held = destination.held {
            try await readBack(sink, held, at: destination.path, warn)
        }
        if let digest = stream?.digest { report.outputFiles = [digest] }
    }

    func observer(of sink: any SinkAdapter, at path: String?) -> any RunObserver {
        let other = Auditor(besides: self)
        (other.report.to, other.report.output) = (sink.descriptor.id, path ?? report.output)
        other.output = path.map { path in
            let place = "\(FileName.withoutSlashAtEnd(job.destination.path))/\(FileName.last(of: path))"
            return CompleteOutput(path: path, place: place, isWaiting: job.collection == nil)
        }
        others.append(other)
        return other
    }

    func observerOfVolume() -> any RunObserver {
        let volume = Auditor(besides: self)
        volume.main = self
        return volume
    }

    func kept(_ volume: WrittenVolume, isOneOfSeveral: Bool) {
        main?.report.add(report, as: isOneOfSeveral ? volume : nil)
    }

    /// Returns the report, with the notes on the book as a whole.
    fileprivate func report(on outcome: Conversion.Outcome, _ unusedOptions: [UnusedOption]) -> Report {
        report.alongside = others.map(\.report)
        report.unusedOptions += unusedOptions
        report.weigh(job, registry, isOneOfMany: outcome.isOneOfMany)
        let pages = report.pages
        let growth = job.encoding == EncodingRequest() && job.selection == nil ? ScanNotes.growth(report) : nil
        let ofScans = [ScanNotes.leftOut(pages), ScanNotes.kept(pages), ScanNotes.patched(pages), growth]
        let isGiven = job.settings.keys.contains("seam")
        let choices = ChoiceNotes.notes(on: pages, copiesPages: report.copiesPages)
            .filter { !isGiven || $0.code != "seam" }
        for note in ofScans.compactMap(\.self) + choices {
            report.add(note)
            onEvent(.warned(note))
        }
        for note in job.notes { report.add(note) }
        report.addChoices()
        let judged = pages.map { JudgedPage(number: $0.number, findings: $0.imageFindings, isCut: !$0.isTooLittleCut) }
        report.findingNotes = registry.transforms.compactMap { $0.note(on: judged) }
        for note in report.findingNotes { report.add(note) }
        return report
    }
}
