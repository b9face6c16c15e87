public import AdapterKit
internal import Files
internal import OrderedWork
internal import PageModel
internal import Planning

/// The writing of a book as several volumes.
extension Conversion {
    /// The most volumes of a book.
    private static let maximumVolumes = 999

    /// - Throws: `.usage` for an output that cannot be several volumes.
    func refuseVolumes(_ adapters: RunAdapters) throws(AdapterError) {
        guard job.volumes != nil else { return }
        func refuse(_ reason: Message, hint: Message) -> AdapterError {
            AdapterError(.usage, "--split-volumes cannot be used: \(reason)", hint: hint)
        }
        if job.destination.isStandardOutput {
            throw refuse("standard output is one file", hint: "use -o with the name of a file")
        }
        if job.collection != nil || adapters.sink.form(adapters.settings) == .collection {
            throw refuse("a shelf holds whole books", hint: "use --to epub, and add the volumes to the shelf")
        }
        if !adapters.others.isEmpty {
            throw refuse("--with writes the same book in several formats", hint: "remove --with")
        }
    }

    /// Writes the book as volumes, which all appear at the end, or none.
    ///
    /// - Throws: `.exists` if there are volumes that must not be replaced.
    func writeVolumes(
        _ whole: TransformedBook, _ split: VolumeSplit, to adapters: RunAdapters, _ log: RunLog
    ) async throws {
        let paths = job.volumePaths(adapters.sink, adapters.settings)
        if !job.destination.mayReplace, let path = paths.existing.first {
            throw AdapterError(.exists, "already exists", hint: "use --force to replace it", file: path)
        }
        let units = try await VolumeUnits(whole.sequence, width: job.width)
        var done = 0
        onEvent(.opened(pageCount: whole.sequence.pages.count))
        var divider = VolumeDivider(units: units, split: split)
        var stored: StoredPages?
        if case .bytes = split {
            let measured = try await convertedBefore(whole, adapters, log)
            divider.sizes = whole.sequence.pages.map { measured.byteCount(of: $0.id) }
            stored = measured
        }
        let warnings = ShownWarnings()
        while true {
            let ranges = try divider.ranges(of: whole.sequence)
            if ranges.count > Conversion.maximumVolumes {
                throw AdapterError(
                    .usage, "--split-volumes would make \(ranges.count) volumes, and the most are 999",
                    hint: "use a larger size")
            }
            let volumes = Volume.all(of: whole.sequence, ranges)
            var written: [WrittenVolume] = []
            for (volume, range) in zip(volumes, ranges) {
                done = range.lowerBound
                let one = try await warnings.filtering(self, showsProgress: stored == nil).write(
                    volume, of: whole, at: volume.count > 1 ? paths : nil, to: adapters, stored,
                    unitCount: units.count(in: range), &done, log)
                if let one { written.append(one) } else { divider.unreadable.formUnion(range) }
            }
            if written.count < volumes.count || divider.correct(by: written) { continue }
            if try divider.dependsOnSides(of: whole.sequence) { whole.request.effects.note(.sidesShown) }
            try await finish(written, whole, adapters, log)
            try warn(ofOldVolumes: paths.others(than: written.count), log)
            if written.count == 1 {
                log.observer.note(UnusedOption("split-volumes", "the whole book is one volume"))
            }
            try warn(ofLargeVolumes: written, split, log)
            return
        }
    }

    /// Notes the number of volumes that a real run would write, or that a dry run does not know the sizes.
    func noteSizes(of whole: TransformedBook, _ log: RunLog) async throws {
        func note(_ code: String, _ message: Message) throws(AdapterError) {
            try log.warn(Warning(code: code, message: message, isNote: true))
        }
        if job.targetSize != nil { try note("target-size", "a dry run does not choose the quality for --target-size") }
        guard let split = job.volumes else { return }
        switch split {
        case .bytes: try note("volumes", "a dry run does not know the sizes for --split-volumes")
        case .pages, .chapters:
            let divider = VolumeDivider(units: try await VolumeUnits(whole.sequence, width: job.width), split: split)
            let count = try divider.ranges(of: whole.sequence).count
            log.observer.foresaw(volumes: count)
            try note("volumes", count == 1 ? "would make 1 volume" : "would make \(count) volumes")
        }
    }

    /// Notes volumes that an earlier run may have made.
    private func warn(ofOldVolumes paths: [String], _ log: RunLog) throws(AdapterError) {
        guard let first = paths.first.map(FileName.last) else { return }
        let isOne = paths.count == 1
        try log.warn(
            Warning(
                code: "old-volume",
                message: isOne
                    ? "\(first) is not a volume of this run"
                    : "\(paths.count) outputs, such as \(first), are not volumes of this run",
                hint: isOne ? "remove it if an earlier run made it" : "remove them if an earlier run made them",
                isNote: true))
    }

    /// Warns about volumes above the limit, which cannot be divided.
    private func warn(
        ofLargeVolumes written: [WrittenVolume], _ split: VolumeSplit, _ log: RunLog
    ) throws(AdapterError) {
        for volume in written {
            let (message, hint): (Message, Message)
            switch split {
            case .bytes(let limit) where volume.bytes.map({ $0 > limit }) ?? false:
                message = "is larger than \(ByteSize(bytes: limit).text), because its pages stay together"
                hint = "use --fit or --quality to make pages smaller"
            case .pages(let limit) where volume.unitCount == 1 && volume.tally.pageCount > limit:
                message = "has \(volume.tally.pageCount) pages, because they stay together"
                hint = "use --split-volumes \(volume.tally.pageCount)pages"
            case .bytes, .pages, .chapters: continue
            }
            try log.warn(
                Warning(code: "large-volume", subject: FileName.last(of: volume.path), message: message, hint: hint))
        }
    }

    /// Converts all pages, so that their sizes are known.
    private func convertedBefore(
        _ whole: TransformedBook, _ adapters: RunAdapters, _ log: RunLog
    ) async throws -> StoredPages {
        let request = whole.request(job.destination, adapters.settings)
        let attaching = adapters.sink as? any AttachingSink
        let converter = converter(whole, adapters.sink, request, try capabilities(whole, adapters), log.observer)
        let stored = try StoredPages(
            beside: job.destination, replacesImages: attaching?.attachmentReplacesImage ?? false)
        var done = 0
        try await forEachInOrder(whole.sequence.pages, width: job.width, within: job.memoryBudget) { page in
            let (pages, bytes) = try await converter.plan(page)
            return ((page, pages), bytes)
        } work: { page, pages in
            onEvent(.began(page: page.name))
            defer { onEvent(.ended(page: page.name)) }
            return (page.id, try await converter.convert(pages).attached(by: attaching, request))
        } body: { id, converted in
            try stored.add(converted, of: id)
            done += 1
            onEvent(.finished(pages: done))
        }
        return stored
    }
}

extension Job {
    /// Returns the paths of the volumes of the output.
    public func volumePaths(_ sink: any SinkAdapter, _ settings: Settings) -> VolumePaths {
        let isFolder = sink.form(settings) == .folder
        return VolumePaths(destination.path, fileExtension: isFolder ? nil : sink.fileExtension(settings))
    }
}
