internal import AdapterKit
internal import Files
internal import PageModel
internal import Synchronization

/// A volume that is complete and waits for the others.
package struct WrittenVolume {
    /// The destination, which holds it.
    let destination: Destination
    /// The log of the volume alone, with the observer of it.
    let log: RunLog
    let tally: WriteTally
    /// The bytes on the disk; nil if they cannot be measured.
    package let bytes: Int?
    /// The number of its groups of pages that must stay together.
    let unitCount: Int

    package var path: String { destination.path }
}

extension Conversion {
    /// Writes one volume, which waits for the others.
    ///
    /// - Parameter paths: the paths of volumes; nil for a book of one volume.
    /// - Returns: nil for one of several volumes if no page of it can be read.
    func write(
        _ volume: Volume, of whole: TransformedBook, at paths: VolumePaths?, to adapters: RunAdapters,
        _ stored: StoredPages?, unitCount: Int, _ done: inout Int, _ main: RunLog
    ) async throws -> WrittenVolume? {
        var destination = job.destination
        if let paths { destination.path = paths.path(volume.number, of: volume.count) }
        try refuseInputs(destination, adapters.sink.form(adapters.settings))
        // The warnings from before the first page belong to the first volume.
        let log = RunLog(job, main.observer.observerOfVolume(), after: volume.number == 1 ? main : nil) {
            onEvent(.warned($0))
        }
        let held = HeldOutput(waits: true)
        destination.held = held
        let book = whole.volume(volume, for: job)
        let (session, tally) = try await write(
            book, to: adapters.sink, book.request(destination, adapters.settings), adapters.outputs?.first, [],
            &done, log, stored
        ) { request throws(AdapterError) in try adapters.sink.begin(request) }
        guard let session else { return nil }
        try await session.finish()
        let bytes = held.path.flatMap { BookSize.bytes(at: [$0]) }
        return WrittenVolume(
            destination: destination, log: log, tally: tally, bytes: bytes, unitCount: unitCount)
    }

    /// Completes the output of all its volumes, with the warnings about the whole book, and publishes it.
    ///
    /// - Parameter judge: adds the last warnings before the output appears.
    func finish(
        _ written: [WrittenVolume], _ whole: TransformedBook, _ adapters: RunAdapters, _ log: RunLog,
        judge: () async throws -> Void = {}
    ) async throws {
        for volume in written {
            try await volume.log.observer.finished(adapters.sink, at: volume.destination, volume.log.warn)
        }
        for volume in written { log.add(volume, isOneOfSeveral: written.count > 1) }
        try warn(ofPreviews: whole.previewWarnings, log)
        try warn(ofLosses: whole, adapters, log)
        try await judge()
        try Task.checkCancellation()
        try HeldOutput.publishAll(
            written.compactMap { volume in volume.destination.held.map { ($0, volume.path) } })
    }
}

/// The warnings of a run that were shown. Each volume and each try repeats those about the whole book.
final class ShownWarnings: Sendable {
    private let shown = Mutex<Set<Warning>>([])

    /// Returns a conversion that shows each warning once.
    ///
    /// - Parameter showsProgress: whether it shows finished pages. Pages that were converted before have been shown.
    func filtering(_ conversion: Conversion, showsProgress: Bool) -> Conversion {
        Conversion(conversion.registry, conversion.job) { event in
            switch event {
            case .warned(let warning):
                if self.shown.withLock({ $0.insert(warning).inserted }) { conversion.onEvent(event) }
            case .began, .ended, .finished: if showsProgress { conversion.onEvent(event) }
            default: conversion.onEvent(event)
            }
        }
    }
}
