import OrderedWork
import Scratch
import Synchronization
import Testing

@Suite struct OrderedWorkTests {
    struct Failure: Error {
        var number = 0
    }

    /// Counts how many results are alive, and how many pieces of work run.
    final class Census: Sendable {
        private let state = Mutex((alive: 0, maximumAlive: 0, running: 0, maximumRunning: 0, begun: 0))

        var alive: Int { state.withLock { $0.alive } }
        var maximumAlive: Int { state.withLock { $0.maximumAlive } }
        var maximumRunning: Int { state.withLock { $0.maximumRunning } }
        var begun: Int { state.withLock { $0.begun } }

        func begin() {
            state.withLock {
                $0.begun += 1
                $0.running += 1
                $0.maximumRunning = max($0.maximumRunning, $0.running)
            }
        }

        func end() { state.withLock { $0.running -= 1 } }

        func born() {
            state.withLock {
                $0.alive += 1
                $0.maximumAlive = max($0.maximumAlive, $0.alive)
            }
        }

        func gone() { state.withLock { $0.alive -= 1 } }
    }

    /// A page's pixels, say: counted as long as anyone holds it.
    final class Result: Sendable {
        let number: Int
        private let census: Census

        init(_ number: Int, _ census: Census) {
            self.number = number
            self.census = census
            census.born()
        }

        deinit { census.gone() }
    }

    /// A pause that is another one every time; none at all now and then.
    private static func jitter(_ number: Int, _ run: Int) async throws {
        var random = SplitMix(seed: UInt64(number &* 1000 &+ run))
        switch random.next() % 4 {
        case 0: break
        case 1: await Task.yield()
        default: try await Task.sleep(for: .microseconds(Int(random.next() % 400)))
        }
    }

    /// With a budget, as many results as the width may wait for a slow one.
    @Test(arguments: [1, 2, 3, 8], 0..<25)
    func orderIsKeptAndFewResultsAreAlive(_ width: Int, _ run: Int) async throws {
        let hasBudget = run.isMultiple(of: 2)
        let census = Census()
        var seen: [Int] = []
        let work = { @Sendable (number: Int) in
            census.begin()
            defer { census.end() }
            // The first is slow: the others must not pile up after it.
            if number == 0 { try await Task.sleep(for: .milliseconds(3)) }
            try await Self.jitter(number, run)
            return Result(number, census)
        }
        let body = { (result: Result) in
            seen.append(result.number)
            try await Self.jitter(result.number, run + 7)
        }
        if hasBudget {
            try await forEachInOrder(
                0..<60, width: width, within: MemoryBudget(bytes: 0), prepare: { ($0, bytes: 0) }, work: work,
                body: body)
        } else {
            try await forEachInOrder(0..<60, width: width, work: work, body: body)
        }
        #expect(seen == Array(0..<60))
        #expect(census.maximumAlive <= (hasBudget && width > 1 ? 2 * width : width))
        #expect(census.maximumRunning <= width)
        #expect(census.alive == 0)
    }

    @Test func workGoesSideBySide() async throws {
        let census = Census()
        try await forEachInOrder(0..<20, width: 4) { _ in
            census.begin()
            defer { census.end() }
            try await Task.sleep(for: .milliseconds(5))
        } body: { _ in
        }
        #expect(census.maximumRunning == 4)
    }

    /// A slow element does not keep the others waiting until as many as the width are done.
    @Test func othersGoOnBesideASlowElement() async throws {
        let done = Mutex(0)
        try await forEachInOrder(0..<4, width: 2, within: MemoryBudget(bytes: 0)) {
            ($0, bytes: 0)
        } work: { number in
            if number > 0 { return done.withLock { $0 += 1 } }
            while done.withLock({ $0 }) < 3 { try await Task.sleep(for: .milliseconds(1)) }
        } body: { _ in
        }
    }

    @Test func emptyInputDoesNoWork() async throws {
        try await forEachInOrder([] as [Int], width: 3) {
            $0
        } body: { _ in
            Issue.record("there is nothing")
        }
    }

    @Test(arguments: 0..<10)
    func anErrorInTheWorkEndsIt(_ run: Int) async throws {
        let census = Census()
        var seen: [Int] = []
        await #expect(throws: Failure.self) {
            try await forEachInOrder(0..<1000, width: 3) { number in
                census.begin()
                defer { census.end() }
                try await Self.jitter(number, run)
                if number == 10 { throw Failure() }
                return Result(number, census)
            } body: {
                seen.append($0.number)
            }
        }
        #expect(seen == Array(0..<seen.count) && seen.count <= 10)
        #expect(census.begun <= 10 + 3)
        #expect(census.alive == 0)
    }

    /// The first error in page order is thrown, even if a later one happens earlier, after the results before it.
    @Test func firstErrorInOrderIsThrown() async throws {
        var seen: [Int] = []
        let error = await #expect(throws: Failure.self) {
            try await forEachInOrder(0..<100, width: 8) { number in
                guard number >= 4 else { return number }
                try await Task.sleep(for: .milliseconds(20 * (9 - number)))
                throw Failure(number: number)
            } body: {
                seen.append($0)
            }
        }
        #expect(error?.number == 4)
        #expect(seen == [0, 1, 2, 3])
    }

    @Test func anErrorInTheBodyEndsIt() async throws {
        let census = Census()
        await #expect(throws: Failure.self) {
            try await forEachInOrder(0..<1000, width: 3) { number in
                census.begin()
                defer { census.end() }
                return Result(number, census)
            } body: {
                if $0.number == 5 { throw Failure() }
            }
        }
        #expect(census.begun <= 5 + 3)
        #expect(census.alive == 0)
    }

    @Test func errorCancelsRunningWork() async {
        let isCancelled = Mutex(false)
        await #expect(throws: Failure.self) {
            try await forEachInOrder(0..<2, width: 2) { number in
                if number == 0 { throw Failure() }
                do {
                    try await Task.sleep(for: .seconds(600))
                } catch {
                    isCancelled.withLock { $0 = true }
                    throw error
                }
            } body: { _ in
            }
        }
        #expect(isCancelled.withLock { $0 })
    }

    @Test func cancellationEndsIt() async throws {
        let census = Census()
        let work = Task {
            try await forEachInOrder(0..<100_000, width: 2) { number in
                census.begin()
                defer { census.end() }
                try await Task.sleep(for: .milliseconds(1))
                return Result(number, census)
            } body: { _ in
            }
        }
        while census.begun < 5 { await Task.yield() }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(census.begun < 100_000)
        #expect(census.alive == 0)
    }

    /// Work that never asks whether it is cancelled is still not begun again.
    @Test func cancellationBeginsNothingMore() async throws {
        let census = Census()
        let work = Task {
            try await forEachInOrder(0..<100_000, width: 2) { _ in
                census.begin()
                census.end()
                await Task.yield()
            } body: { _ in
            }
        }
        while census.begun < 5 { await Task.yield() }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
    }
}
