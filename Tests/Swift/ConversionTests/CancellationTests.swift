import AdapterKit
import Conversion
import PageModel
import Synchronization
import Testing
@testable import Audit

/// A run that is interrupted says so, and finishes nothing.
@Suite struct CancellationTests {
    /// A picture whose bytes are waited for until nobody wants them any more.
    private final class Endless: Sendable {
        private let begun = Mutex(false)

        var isBegun: Bool { begun.withLock { $0 } }
        var picture: Picture {
            Picture(
                size: nil,
                representations: [
                    .encoded(
                        EncodedPicture(encoding: .gif, size: nil) { [self] in
                            begun.withLock { $0 = true }
                            while !Task.isCancelled { await Task.yield() }
                            throw AdapterError(.unreadable, "cancelled")
                        })
                ])
        }
    }

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
        let endless = Endless()
        let stage = try Stage(FakeSource([Sample.page(1, endless.picture)]))
        let run = Task { try await stage.run() }
        while !endless.isBegun { await Task.yield() }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(stage.sink.memory.now.finished == 0)
    }

    /// What a page's work says then is said of the interruption: the page is not left out.
    @Test func whileAPageIsWorkedOn() async throws {
        let warnings = Mutex<[Warning]>([])
        let endless = Endless()
        let pages = [Sample.page(1, Sample.picture(Sample.encoded())), Sample.page(2, endless.picture)]
        let stage = try Stage(FakeSource(pages))
        let run = Task {
            try await stage.run { event in
                if case .warned(let warning) = event { warnings.withLock { $0.append(warning) } }
            }
        }
        while !endless.isBegun || stage.sink.memory.now.pages.isEmpty { await Task.yield() }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(warnings.withLock { $0 } == [])
    }
}
