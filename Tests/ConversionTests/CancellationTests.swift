import AdapterKit
import Conversion
import PageModel
import Testing

/// A run that is interrupted says so, and finishes nothing.
@Suite struct CancellationTests {
    @Test func betweenPages() async throws {
        let pages = (1...1000).map { id in
            Page(id: id, name: "page \(id)") {
                try await Task.sleep(for: .milliseconds(2))
                return Sample.picture(Sample.encoded())
            }
        }
        let stage = try Stage(FakeSource(pages))
        let run = Task { try await stage.run() }
        while stage.sink.memory.now.pages.isEmpty { await Task.yield() }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(stage.sink.memory.now.finished == 0)
    }

    /// Sources may say that they were cancelled in their own kind of error.
    @Test func whileTheBookIsOpened() async throws {
        let stage = try Stage(FakeSource(error: AdapterError(.unreadable, "cancelled")))
        let run = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await stage.run()
        }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    @Test func whileTheOnlyPageIsRead() async throws {
        let picture = Picture(
            size: nil,
            representations: [
                .encoded(
                    EncodedPicture(encoding: .gif, size: nil) {
                        while !Task.isCancelled { await Task.yield() }
                        throw AdapterError(.unreadable, "cancelled")
                    })
            ])
        let stage = try Stage(FakeSource([Sample.page(1, picture)]))
        let run = Task { try await stage.run() }
        while stage.sink.memory.now.begun == 0 { await Task.yield() }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(stage.sink.memory.now.finished == 0)
    }
}
