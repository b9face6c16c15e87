internal import AZW3Source
internal import Audit
internal import Files
internal import PageModel
internal import Synchronization
internal import Work

/// The copies of outputs on an e-reader, and the covers that it shows in its library.
final class DeviceCopies: Sendable {
    private let device: MountedDevice?
    private let mayReplace: Bool
    /// Whether the covers of books for Kindles were requested.
    private let hasCovers: Bool
    private let failed = Mutex(false)

    init(_ device: MountedDevice?, mayReplace: Bool, hasCovers: Bool) {
        (self.device, self.mayReplace, self.hasCovers) = (device, mayReplace, hasCovers)
    }

    /// Whether a copy is missing.
    var hasFailed: Bool { failed.withLock { $0 } }

    /// Copies a finished book and its cover.
    @Sendable func note(_ event: BatchEvent) {
        guard case .finished(_, let report) = event else { return }
        for output in report.outputs { copy(output, to: report.to, isDryRun: report.isDryRun) }
    }

    private func copy(_ output: String, to format: String, isDryRun: Bool) {
        if isDryRun {
            guard let device else { return }
            return Messages.note("\(output) would be copied to \(device.name) at \(device.folder)")
        }
        do {
            if let device {
                let copy = try device.copy(output, mayReplace: mayReplace, Run.temporaryFiles)
                Messages.note("copied to \(device.name): \(copy)")
            }
            if hasCovers, format == "azw3" { try writeCover(of: output) }
        } catch {
            failed.withLock { $0 = true }
            Messages.error(error)
        }
    }

    /// Writes the cover to a Kindle, or else next to the book.
    private func writeCover(of path: String) throws(AdapterError) {
        guard !StandardStreams.names.contains(path), let cover = try KindleCover(of: ReadableFile(path: path)) else {
            return
        }
        let folder = device?.coverFolder
        let parent = FileName.parent(of: path)
        let place = folder.map { "\($0)/\(cover.name)" } ?? (parent == "." ? cover.name : "\(parent)/\(cover.name)")
        // The name belongs to this book. A Kindle may have put a placeholder there.
        let file = try OutputFile(
            at: Destination(
                path: place, mayReplace: folder != nil || mayReplace, temporaryFiles: Run.temporaryFiles))
        try file.write(cover.bytes)
        try file.publish()
        Messages.note(
            folder == nil
                ? "wrote the cover: \(place); copy it to \(KindleCover.folder) on the Kindle"
                : "wrote the cover: \(place)")
    }
}
