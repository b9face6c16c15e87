internal import AdapterKit
internal import Files
internal import PageModel
internal import Synchronization

/// A volume that is complete and waits for the others.
struct WrittenVolume {
    let path: String
    let held: HeldOutput
    /// The report of the volume alone.
    var report: Report
    /// The bytes on the disk; nil if they cannot be measured.
    let bytes: Int?
    /// The number of its groups of pages that must stay together.
    let unitCount: Int
}

extension Conversion {
    /// Writes one volume, which waits for the others.
    ///
    /// - Parameter paths: the paths of volumes; nil for a book of one volume.
    /// - Returns: nil for one of several volumes if no page of it can be read.
    func write(
        _ volume: Volume, of whole: TransformedBook, at paths: VolumePaths?, to adapters: RunAdapters,
        _ stored: StoredPages?, unitCount: Int, _ progress: inout Progress, _ base: Report
    ) async throws -> WrittenVolume? {
        var destination = job.destination
        if let paths { destination.path = paths.path(volume.number, of: volume.count) }
        let form = adapters.sink.form(adapters.settings)
        for inputs in [ProtectedInputs(job.inputs.map(\.path)), job.protected] { try inputs.refuse(destination, form) }
        var report = base
        (report.pages, report.warnings, report.notes) = ([], [], [])
        // The warnings from before the first page belong to the first volume.
        if volume.number == 1 { (report.warnings, report.notes) = (base.warnings, base.notes) }
        let held = HeldOutput(waits: true)
        destination.held = held
        let book = PreparedBook(
            volume.sequence, of: volume.count > 1 ? whole.sequence : nil, whole.targets, job,
            overridesSource: volume.count > 1 || overridesSource(whole), whole.effects)
        let session = try await write(
            book, to: adapters.sink, book.request(destination, adapters.settings), adapters.outputs?.first, [],
            &progress, in: &report, stored
        ) { request throws(AdapterError) in try adapters.sink.begin(request) }
        guard let session else { return nil }
        try await session.finish()
        let bytes = held.path.flatMap { BookSize.bytes(at: $0) }
        return WrittenVolume(path: destination.path, held: held, report: report, bytes: bytes, unitCount: unitCount)
    }

    /// Reads complete volumes back, if that was requested.
    func readBack(_ volumes: inout [WrittenVolume], _ sink: any SinkAdapter) async throws {
        for index in volumes.indices {
            try await readBack(sink, volumes[index].held, at: volumes[index].path, in: &volumes[index].report)
        }
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
