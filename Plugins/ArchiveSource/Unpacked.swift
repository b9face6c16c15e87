internal import AdapterKit
internal import Files
internal import OrderedJSON
internal import PageModel
internal import Processes

/// The unpacked part of an archive: by another process if the run has any, otherwise by this one.
struct Unpacked {
    /// The entries in the archive's order, as far as they are known.
    private(set) var entries: [Spooler.Spooled] = []
    /// The reason that the archive could not be read to its end.
    private(set) var readError: AdapterError?

    /// The maximum number of processes. After a crash on an entry the next process skips it; more crashes are beyond repair.
    private static let maximumProcesses = 16

    /// - Throws: `.damaged` if not even its beginning is readable, `.tooLarge`, `.unwritable`, `.unreadable`.
    init(_ request: UnpackingRequest) throws(AdapterError) {
        let spool = try SpoolFile()
        guard let workers = Isolation.workers else {
            var spooler = try Spooler(request, into: spool)
            try spooler.run()
            (entries, readError) = (spooler.entries, spooler.readError)
            return
        }
        var request = request
        for _ in 0..<Unpacked.maximumProcesses {
            guard let lost = try unpack(request, into: spool, workers) else { return }
            entries.append(Spooler.Spooled(entry: lost, content: readError.map { FaultyMember(error: $0) }))
            request.passedOver = entries.count
            request.kept = entries.reduce(0) { $0 + ($1.content?.byteCount ?? 0) }
        }
    }

    /// Runs a process that unpacks as much as it can.
    ///
    /// - Returns: the entry on which it crashed; nil if another attempt is useless.
    private mutating func unpack(
        _ request: UnpackingRequest, into spool: SpoolFile, _ workers: any Workers
    ) throws(AdapterError) -> StreamEntry? {
        let paths = request.volumes.paths
        let places = paths.map { FileName.resolved($0) ?? $0 }
        // A single file is passed open, because it may be unnamed; several, possibly hundreds, are opened one by one when needed.
        let file = paths.count == 1 ? try ReadableFile(path: paths[0]) : nil
        defer { withExtendedLifetime(file) {} }
        let worker = workers.worker(
            WorkerJob(
                UnpackingService.id, name: "the process that unpacks it",
                files: [spool.number] + (file.map { [$0.number] } ?? []),
                readable: file == nil ? places : [UnpackingService.onlyPath],
                fileBytes: request.limits.totalBytes, pixels: request.limits.pixels))
        var begun: StreamEntry?
        var size = spool.size
        var unpacked = entries
        defer { entries = unpacked }
        let answer: WorkerAnswer
        do throws(AdapterError) {
            let asked = request.asJSON(paths: file == nil ? places : nil)
            answer = try worker.ask(asked, bytes: nil, about: nil, seconds: workers.secondsForBook, hasLines: true) {
                line throws(AdapterError) in
                if let entry = line["began"].flatMap(StreamEntry.init), begun == nil {
                    begun = entry
                } else if let entry = line["entry"].flatMap(StreamEntry.init), unpacked.count < request.limits.entries {
                    begun = nil
                    let content = SpooledMember.content(line["content"], in: spool)
                    unpacked.append(Spooler.Spooled(entry: entry, content: content))
                } else {
                    // A process that made progress has unpacked something.
                    guard spool.size > size else {
                        throw AdapterError(.damaged, "the process that unpacks it reports progress, but makes none")
                    }
                    size = spool.size
                }
            }
        } catch {
            // The process could not be started, or the run is over: an entry is not the cause.
            if error.code == .unreadable || begun == nil && unpacked.isEmpty { throw error }
            readError = error
            return begun
        }
        if let failure = answer.end["failure"].flatMap({ AdapterError(answer: $0) }) { throw failure }
        readError = answer.end["breakage"].flatMap { AdapterError(answer: $0) }
        return nil
    }
}
