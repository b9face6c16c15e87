public import AdapterKit
internal import Imaging

/// Processes of jisui itself, which do the work of libraries that a broken or hostile file may crash or keep busy for ever.
public struct OwnWorkers: Workers {
    /// What is done in processes of their own.
    public enum Scope: String, CaseIterable, Sendable {
        /// Drawing PDFs, unpacking RAR, 7z and tar, and decoding AVIF, HEIF, JPEG XL, JPEG 2000, TIFF, WebP and GIF.
        case auto
        /// That, and decoding pictures of every other format.
        case all
        /// What `auto` has; but a system that lacks a layer of the bounds is refused.
        case strict
        case none
    }

    /// The folders and files in which libraries of workers look for fonts, besides those of the system.
    public static var foldersOfLibraries: [String] { WorkerSurroundings.folders }
    /// Whether libraries may look for fonts elsewhere as well.
    public static var mayReadOtherFonts: Bool { WorkerSurroundings.hasOwnFonts }

    public let seconds: Int
    public let secondsForBook: Int
    private let launcher: PluginLauncher

    /// - Parameters:
    ///   - seconds: the time that work on one page may take; nil for the usual.
    ///   - launcher: starts jisui.
    public init(_ launcher: PluginLauncher, seconds: Int?) {
        self.launcher = launcher
        self.seconds = seconds ?? Plugin.secondsForPage
        // Who says nothing of time does not mean a large archive on a slow disk.
        secondsForBook = seconds ?? Plugin.secondsForList
    }

    /// Does something that finds its workers as `scope` has it.
    ///
    /// - Parameter pixels: the most that a picture may have.
    public static func run<Value, Failure: Error>(
        _ scope: Scope, _ launcher: PluginLauncher, seconds: Int?, pixels: Int,
        _ body: () async throws(Failure) -> Value
    ) async throws -> Value {
        if scope == .none { return try await body() }
        let workers = OwnWorkers(launcher, seconds: seconds)
        let decoder = WorkerDecoder(workers, takesAll: scope == .all, pixels: pixels)
        return try await Isolation.$workers.withValue(workers) {
            try await PictureDecoder.$host.withValue(decoder) { try await body() }
        }
    }

    public func lane(_ job: WorkerJob) -> any WorkerLane {
        let launcher = launcher
        let seconds = seconds
        // Each page counts for itself: there is nothing that a process dies of again and again but the page.
        let lane = PluginLane(job.name, advice: "report it to jisui's makers", DeathCount(most: .max)) { isCancelled in
            let process = try PluginProcess(
                .worker(job.service), launcher, environment: WorkerSurroundings.environment, files: job.files,
                bounds: OwnWorkers.bounds(job), isCancelled: isCancelled)
            if let opening = job.opening {
                if let error = AdapterError(answer: try process.ask(opening, seconds: seconds)) { throw error }
                process.answeredAtStart = process.answered
            }
            return process
        }
        return OwnLane(lane: lane)
    }

    private static func bounds(_ job: WorkerJob) -> PluginLauncher.Bounds {
        PluginLauncher.Bounds(
            fileBytes: job.fileBytes, memoryBytes: PluginLauncher.Bounds.memory(pixels: job.pixels),
            readsOwnFonts: job.drawsText && WorkerSurroundings.hasOwnFonts,
            readable: job.readable + WorkerSurroundings.folders)
    }
}

/// A lane whose answers may be errors.
private struct OwnLane: WorkerLane {
    let lane: PluginLane

    func ask(
        _ request: JSON, bytes: [UInt8]?, about page: Int?, seconds: Int, hasLines: Bool,
        line: (JSON) throws(AdapterError) -> Void
    ) throws(AdapterError) -> WorkerAnswer {
        do {
            return try withoutActuallyEscaping(line) { line in
                let heard = { (json: JSON) throws -> JSON? in
                    try line(json)
                    return nil
                }
                return try lane.performNow(on: page) { process in
                    let end = try process.ask(
                        request, picture: bytes, seconds: seconds, line: hasLines ? heard : nil)
                    if let error = AdapterError(answer: end) { throw error }
                    return WorkerAnswer(end, try process.parts(end))
                }
            }
        } catch let error as AdapterError {
            throw error
        } catch {
            throw .cancelled
        }
    }

    func cancel() { lane.cancel() }
}

extension PluginProcess {
    /// The parts that an answer says lie in the slot, one behind the other.
    fileprivate func parts(_ answer: JSON) throws(Fault) -> [[UInt8]] {
        var start = 0
        var parts: [[UInt8]] = []
        for count in answer["parts"]?.elements ?? [] {
            guard let count = count.asInteger, count >= 0, count <= Int.max - start else {
                throw .broke("says that there are parts of no length")
            }
            parts.append(try slot(count, from: start))
            start += count
        }
        // What is small is filled again for the next page.
        if start > 1 << 26 { try fill([]) }
        return parts
    }
}
