internal import AdapterKit
internal import Files
internal import PageModel

/// The writing of a book with the highest quality at which it has a given size.
extension Conversion {
    /// The most times that a book is written.
    private static let maximumWrites = 4
    /// The estimate, in shares of the limit, up to which the quality of the sources is tried.
    private static let hopeful = 1.05
    /// The greatest difference of a page that is not reported, in levels from 0 to 255. On pages of two manga at 1072 × 1448
    /// pixels, it is 17 to 21 at quality 20 and 14 to 18 at quality 30.
    private static let maximumDifference = 18.0
    /// The gray levels of a screen that shows gray pages, if they are unknown.
    private static let usualLevels = 16

    /// - Throws: `.usage` for an output whose size cannot be chosen.
    func refuseTargetSize(_ adapters: RunAdapters) throws(AdapterError) {
        guard job.targetSize != nil else { return }
        func refuse(_ reason: Message, hint: Message) -> AdapterError {
            AdapterError(.usage, "--target-size cannot be used: \(reason)", hint: hint)
        }
        if job.volumes != nil {
            throw refuse("--split-volumes chooses the sizes of volumes", hint: "remove one of them")
        }
        if job.destination.isStandardOutput {
            throw refuse("standard output cannot be written twice", hint: "use -o with the name of a file")
        }
        if job.collection != nil || adapters.sink.form(adapters.settings) == .collection {
            throw refuse("a shelf holds several books", hint: "use --to epub, and add the book to the shelf")
        }
        if !adapters.others.isEmpty {
            throw refuse("--with writes the book in several formats", hint: "remove --with")
        }
        guard adapters.outputs?.first?.composition != nil else { return }
        let id = adapters.sink.descriptor.id
        var request = SinkRequest(PageSequence(book: BookMetadata(), pages: []), with(quality: 50).job)
        request.settings = adapters.settings
        guard (try? adapters.sink.capabilities(request)) != nil else {
            throw refuse("\(id) stores pixels without a quality", hint: "use --split-volumes")
        }
        throw refuse("\(id) joins the pages", hint: "use --quality")
    }

    /// Writes the book in at most so many bytes. No page gets a higher quality than it has.
    ///
    /// - Throws: `.tooLarge` if no quality is low enough.
    func write(
        _ whole: TransformedBook, toFit limit: Int, _ adapters: RunAdapters, _ log: RunLog
    ) async throws {
        let capabilities = try capabilities(whole, adapters)
        var samples = SampledPages(of: whole, self, adapters, capabilities)
        var search = QualitySearch(limit: limit)
        let warnings = ShownWarnings()
        onEvent(.opened(pageCount: whole.sequence.pages.count))
        var best: (quality: Int?, written: WrittenVolume)?
        var smallest = Int.max
        // No quality changes such a book.
        var areAllCopied = false
        func attempt(_ quality: Int?) async throws {
            var done = 0
            let own = warnings.filtering(with(quality: quality), showsProgress: true)
            let volume = Volume(number: 1, count: 1, sequence: whole.sequence)
            guard
                let written = try await own.write(
                    volume, of: whole, at: nil, to: adapters, nil, unitCount: 1, &done, log)
            else { return }
            let bytes = written.bytes ?? .max
            search.note(bytes, at: quality, estimate: try await samples.bytes(at: quality))
            smallest = min(smallest, bytes)
            areAllCopied = samples.haveCopies && !written.tally.hasImageFiles
            if bytes <= limit { best = (quality, written) }
        }
        let natural = try await samples.bytes(at: nil)
        if !samples.areMeasured || natural <= Double(limit) * Conversion.hopeful { try await attempt(nil) }
        for _ in 0..<Conversion.maximumWrites where !areAllCopied && (best.map({ $0.quality != nil }) ?? true) {
            guard let quality = try await search.next({ try await samples.bytes(at: $0) }) else { break }
            try await attempt(quality)
        }
        guard let best else {
            if samples.haveCopies {
                throw AdapterError(
                    .tooLarge,
                    "--target-size changes no copied pages: the book has \(smallest / 1000) kB, not \(ByteSize(bytes: limit).text)",
                    hint: capabilities.hintForDocuments)
            }
            throw AdapterError(
                .tooLarge,
                "the book cannot have \(ByteSize(bytes: limit).text): with the lowest quality it has \(smallest / 1000) kB",
                hint: job.encoding.format == nil
                    ? "use a smaller --fit, --image-format jpeg, or --split-volumes \(ByteSize(bytes: limit).text)"
                    : "use a smaller --fit, or --split-volumes \(ByteSize(bytes: limit).text)")
        }
        try await finish([best.written], whole, adapters, log) { try await judge(best.quality, limit, samples, log) }
    }

    /// Reports the quality, and warns if pages look poor with it.
    private func judge(_ quality: Int?, _ limit: Int, _ samples: SampledPages, _ log: RunLog) async throws {
        let size = ByteSize(bytes: limit).text
        guard let quality else {
            log.observer.note(UnusedOption("target-size", "the output is not larger than that without it"))
            return
        }
        let isGray = job.settings["gray"] != nil
        let levels = job.settings["shades"].flatMap { Int($0) } ?? (isGray ? Conversion.usualLevels : 256)
        let difference = try await samples.difference(at: quality, levels: levels)
        try log.warn(
            Warning(
                code: "target-size", message: "chose quality \(quality), the highest that was found for \(size)",
                isNote: true))
        guard difference > Conversion.maximumDifference else { return }
        let (found, most) = (
            Int(clamping: difference, to: 0...255), Int(clamping: Conversion.maximumDifference, to: 0...255)
        )
        try log.warn(
            Warning(
                code: "poor-quality",
                message:
                    "details differ by \(found) of 255 gray levels at quality \(quality), which \(size) needs; more than \(most) look poor",
                hint: "use a smaller --fit, or --split-volumes \(size)"))
    }
}
