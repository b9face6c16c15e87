internal import Imaging
internal import OrderedJSON
internal import PageModel

/// Worker processes of jisui itself, for libraries that a broken or malicious file may crash or block forever.
package struct OwnWorkers: Workers {
    /// The work that runs in separate processes.
    package enum Scope: String, CaseIterable, Sendable {
        /// Rendering PDFs, unpacking RAR, 7z and tar, and decoding AVIF, HEIF, JPEG XL, JPEG 2000, TIFF, WebP and GIF.
        case auto
        /// The same, and decoding images of every other format.
        case all
        /// The same as `auto`; but a system that lacks a sandbox layer is refused.
        case strict
        case none
    }

    /// The folders and files in which the workers' libraries look for fonts, in addition to those of the system.
    package static var foldersOfLibraries: [String] { WorkerEnvironment.folders }
    /// Whether libraries may also look for fonts elsewhere.
    package static var mayReadOtherFonts: Bool { WorkerEnvironment.hasOwnFonts }

    package let seconds: Int
    package let secondsForBook: Int
    private let launcher: PluginLauncher
    private let memory: Int

    /// - Parameters:
    ///   - launcher: starts jisui.
    ///   - seconds: the time limit for one page; nil for the usual one.
    ///   - memory: the maximum number of bytes of memory for the work on one page.
    package init(_ launcher: PluginLauncher, seconds: Int?, memory: Int) {
        self.launcher = launcher
        self.memory = memory
        self.seconds = seconds ?? AnswerTime.page
        // Without an option, the limit for a page does not apply to a large archive on a slow disk.
        secondsForBook = seconds ?? AnswerTime.list
    }

    /// Runs code whose workers have the given scope.
    ///
    /// - Parameters:
    ///   - pixels: the maximum number of pixels of an image.
    ///   - memory: the maximum number of bytes of memory for the work on one page.
    package static func run<Value, Failure: Error>(
        _ scope: Scope, _ launcher: PluginLauncher, seconds: Int?, pixels: Int, memory: Int,
        _ body: () async throws(Failure) -> Value
    ) async throws -> Value {
        if scope == .none { return try await body() }
        let workers = OwnWorkers(launcher, seconds: seconds, memory: memory)
        let decoder = WorkerDecoder(workers, takesAll: scope == .all, pixels: pixels)
        return try await Isolation.$workers.withValue(workers) {
            try await PictureDecoder.$host.withValue(decoder) { try await body() }
        }
    }

    package func worker(_ job: WorkerJob) -> any Worker {
        let launcher = launcher
        let seconds = seconds
        // Each page counts separately: only the page itself can cause repeated crashes.
        let worker = PluginWorker(job.name, hint: "report it to the authors of jisui", CrashCounter(maximum: .max)) {
            isCancelled in
            let process = try PluginProcess(
                .worker(job.service), launcher, environment: WorkerEnvironment.environment, files: job.files,
                policy: policy(job), isCancelled: isCancelled)
            if let opening = job.opening {
                if let error = AdapterError(answer: try process.ask(opening, seconds: seconds)) { throw error }
                process.answeredAtStart = process.answered
            }
            return process
        }
        return OwnWorker(worker: worker)
    }

    private func policy(_ job: WorkerJob) -> PluginLauncher.SandboxPolicy {
        var policy = PluginLauncher.SandboxPolicy()
        policy.fileBytes = job.fileBytes
        policy.memoryBytes = PluginLauncher.SandboxPolicy.memory(work: memory)
        policy.readsOwnFonts = job.drawsText && WorkerEnvironment.hasOwnFonts
        policy.readable = job.readable + WorkerEnvironment.folders
        return policy
    }
}

/// A worker whose answers may be errors.
private struct OwnWorker: Worker {
    let worker: PluginWorker

    func ask(
        _ request: JSON, bytes: [UInt8]?, about page: Int?, seconds: Int, hasLines: Bool,
        line: @escaping (JSON) throws(AdapterError) -> Void
    ) throws(AdapterError) -> WorkerAnswer {
        do {
            let receive = { (json: JSON) throws -> JSON? in
                try line(json)
                return nil
            }
            return try worker.performNow(on: page) { process in
                let end = try process.ask(request, picture: bytes, seconds: seconds, line: hasLines ? receive : nil)
                if let error = AdapterError(answer: end) { throw error }
                return WorkerAnswer(end, try process.parts(end))
            }
        } catch let error as AdapterError {
            throw error
        } catch {
            throw .cancelled
        }
    }

    func cancel() { worker.cancel() }
}

extension PluginProcess {
    /// Returns the parts that an answer describes. They are stored in the buffer in order.
    fileprivate func parts(_ answer: JSON) throws(Fault) -> [[UInt8]] {
        var start = 0
        var parts: [[UInt8]] = []
        for count in answer["parts"]?.elements ?? [] {
            guard let count = count.asInteger, count >= 0, count <= Int.max - start else {
                throw .protocolViolation("reported a part with an invalid length")
            }
            parts.append(try bytesInBuffer(count, from: start))
            start += count
        }
        // A small buffer is reused for the next page.
        if start > 1 << 26 { try fill([]) }
        return parts
    }
}
