import AdapterKit
import Conversion
import Files
import PageModel
import Scratch
import Synchronization
@testable import Audit

/// What a run needs: an input on disk, a registry of fakes, a job.
struct Stage {
    let scratch: ScratchFolder
    let source: FakeSource
    let sink: FakeSink
    var job: Job
    /// The edits that options request of every page.
    var edits: [PageEdit] = []

    var registry: Registry { Registry(sources: [source], transforms: [CommonEdits(edits)], sinks: [sink]) }

    init(_ source: FakeSource, sink: FakeSink = FakeSink()) throws {
        scratch = try ScratchFolder()
        (self.source, self.sink) = (source, sink)
        job = Job(
            inputs: [Input(path: try scratch.write("book.fake", Array("FAKE".utf8)))], sink: "memory",
            destination: Destination(path: scratch("out.mem")))
    }

    func run(onEvent: @escaping @Sendable (ConversionEvent) -> Void = { _ in }) async throws -> Report {
        try await Conversion(registry, job, onEvent: onEvent).run()
    }

    /// Runs a job that has to fail.
    func error() async -> AdapterError? {
        do {
            _ = try await run()
            return nil
        } catch {
            return error as? AdapterError
        }
    }
}
