internal import Conversion
internal import Files
internal import PageModel
internal import Synchronization
internal import Work

/// The copies of outputs on an e-reader.
final class DeviceCopies: Sendable {
    private let device: MountedDevice?
    private let mayReplace: Bool
    private let failed = Mutex(false)

    init(_ device: MountedDevice?, mayReplace: Bool) {
        (self.device, self.mayReplace) = (device, mayReplace)
    }

    /// Whether a copy is missing.
    var hasFailed: Bool { failed.withLock { $0 } }

    /// Copies a finished book.
    @Sendable func note(_ event: BatchEvent) {
        guard let device, case .finished(_, let report) = event else { return }
        for output in report.outputs { copy(output, device, isDryRun: report.isDryRun) }
    }

    private func copy(_ output: String, _ device: MountedDevice, isDryRun: Bool) {
        if isDryRun {
            return Messages.note("\(output) would be copied to \(device.name) at \(device.folder)")
        }
        do {
            let copy = try device.copy(output, mayReplace: mayReplace, Run.temporaryFiles)
            Messages.note("copied to \(device.name): \(copy)")
        } catch {
            failed.withLock { $0 = true }
            Messages.error(error)
        }
    }
}
