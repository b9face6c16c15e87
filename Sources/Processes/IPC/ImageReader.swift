internal import Dispatch
internal import Files
internal import Synchronization

/// A program of the system that reads one image and prints a short text about it.
///
/// Each image gets a process of its own, in the sandbox of a plug-in. The program reads the image from the file `image`.
package struct ImageReader: Sendable {
    /// The result of a process.
    package struct Output: Sendable {
        /// Whether its exit status was 0.
        package var hasSucceeded: Bool
        /// Its printed text, errors included; only the end of a long one.
        package var text: String
    }

    /// The name of the image in the program's arguments: the descriptor of the shared-memory buffer.
    package static let image = "/dev/fd/4"
    /// The folders with programs of the system, which only the administrator can change.
    package static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    private let program: String
    private let launcher: PluginLauncher

    /// Returns nil if the program is not installed.
    package init?(_ name: String, _ launcher: PluginLauncher, folders: [String] = ImageReader.folders) {
        guard let folder = folders.first(where: { FileStatus(of: "\($0)/\(name)") != nil }) else { return nil }
        program = "\(folder)/\(name)"
        self.launcher = launcher
    }

    /// Runs the program on an image.
    ///
    /// - Parameters:
    ///   - bytes: the image file.
    ///   - pixels: the number of its pixels, which determines the memory limit.
    ///   - seconds: the time limit; nil for the usual one.
    /// - Returns: nil if the program cannot be started, or does not end in time.
    /// - Throws: `CancellationError`.
    package func run(
        _ arguments: [String], on bytes: [UInt8], pixels: Int, seconds: Int?
    ) async throws -> Output? {
        let cancelled = CancellationFlag()
        let output = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: self.runNow(arguments, bytes, pixels, seconds, cancelled))
                }
            }
        } onCancel: {
            cancelled.set()
        }
        try Task.checkCancellation()
        return output
    }

    private func runNow(
        _ arguments: [String], _ bytes: [UInt8], _ pixels: Int, _ seconds: Int?, _ cancelled: CancellationFlag
    ) -> Output? {
        var policy = PluginLauncher.SandboxPolicy()
        policy.memoryBytes = PluginLauncher.SandboxPolicy.memory(pixels: pixels)
        // As many processes as cores run at once, so each uses one.
        let environment = [
            "PATH=\(ImageReader.folders.joined(separator: ":"))", "LANG=C.UTF-8", "HOME=/nonexistent",
            "OMP_THREAD_LIMIT=1",
        ]
        let process = try? PluginProcess(
            .plugin(program), launcher, arguments: arguments, environment: environment, buffer: bytes, files: [],
            policy: policy, isCancelled: { cancelled.isSet })
        guard let process, let status = process.waitForEnd(seconds: seconds ?? AnswerTime.page) else { return nil }
        return Output(hasSucceeded: status == 0, text: process.printedText)
    }
}

/// A flag that a canceled task sets.
private final class CancellationFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}
