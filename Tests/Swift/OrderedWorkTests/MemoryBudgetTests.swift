import OrderedWork
import Scratch
import Synchronization
import Testing

@Suite(.endsWhenItHangs) struct MemoryBudgetTests {
    struct Failure: Error {}

    /// Counts the bytes that are taken at once.
    private final class Meter: Sendable {
        private let state = Mutex((now: 0, maximum: 0, begun: [Int]()))

        var maximum: Int { state.withLock { $0.maximum } }
        var begun: [Int] { state.withLock { $0.begun } }

        func take(_ bytes: Int, _ number: Int = 0) {
            state.withLock { state in
                state.now += bytes
                state.maximum = max(state.maximum, state.now)
                state.begun.append(number)
            }
        }

        func give(_ bytes: Int) { state.withLock { $0.now -= bytes } }
    }

    /// For any memory use and speed of the pages: the limit holds until each page is handed over, no page waits
    /// forever, and the order is kept.
    @Test(arguments: [1, 3, 8], 0..<20) func theBoundHolds(_ width: Int, _ run: Int) async throws {
        var random = SplitMix(seed: UInt64(run))
        let costs = (0..<60).map { _ in Int.random(in: 0...100, using: &random) }
        let meter = Meter()
        var seen: [Int] = []
        try await forEachInOrder(costs.indices, width: width, within: MemoryBudget(bytes: 100)) { index in
            if index.isMultiple(of: 7) { await Task.yield() }
            return (index, bytes: costs[index])
        } work: { index in
            meter.take(costs[index], index)
            if index.isMultiple(of: 5) { try await Task.sleep(for: .microseconds(300)) }
            return index
        } body: { index in
            meter.give(costs[index])
            seen.append(index)
        }
        #expect(seen == Array(costs.indices))
        #expect(meter.maximum <= 100)
    }

    /// Works of one element at a time have a common limit, also after one of them has failed.
    @Test(arguments: 0..<10) func commonLimitHolds(_ run: Int) async throws {
        let common = MemoryBudget(bytes: 100)
        let meter = Meter()
        let finished = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                group.addTask {
                    var random = SplitMix(seed: UInt64(100 * run + number))
                    let costs = (0..<20).map { _ in Int.random(in: 0...100, using: &random) }
                    do {
                        try await MemoryBudget.sharing(common) {
                            try await forEachInOrder(costs.indices, width: 1, within: MemoryBudget(bytes: 100)) {
                                ($0, bytes: costs[$0])
                            } work: { index in
                                meter.take(costs[index], index)
                                if index.isMultiple(of: 5) { try await Task.sleep(for: .microseconds(300)) }
                                return index
                            } body: { index in
                                meter.give(costs[index])
                                if number.isMultiple(of: 4), index == 7 { throw Failure() }
                            }
                        }
                        return true
                    } catch is Failure {
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(finished == 9)
        #expect(meter.maximum <= 100)
        // Everything was returned, so that the whole limit is free.
        try await common.withReservation(for: 100) {}
    }

    /// Small work goes on side by side; what is larger than the bound has it alone.
    @Test func oversizedJobRunsAlone() async throws {
        let costs = [10, 10, 500, 10, 500, 10]
        let meter = Meter()
        try await forEachInOrder(costs.indices, width: 6, within: MemoryBudget(bytes: 40)) {
            ($0, bytes: costs[$0])
        } work: { index in
            meter.take(costs[index], index)
            try await Task.sleep(for: .milliseconds(2))
            return index
        } body: {
            meter.give(costs[$0])
        }
        #expect(meter.maximum == 500)
        #expect(meter.begun.sorted() == Array(costs.indices))
    }

    /// A page that fails before it asks for memory must not block the pages after it.
    @Test(arguments: 0..<20) func anErrorEndsTheWaiting(_ run: Int) async throws {
        await #expect(throws: Failure.self) {
            try await forEachInOrder(0..<20, width: 8, within: MemoryBudget(bytes: 10)) { index in
                if index == run % 5 {
                    try await Task.sleep(for: .milliseconds(1))
                    throw Failure()
                }
                return (index, bytes: 10)
            } work: { index in
                index
            } body: { _ in
            }
        }
    }

    @Test func cancellingEndsTheWaiting() async throws {
        let budget = MemoryBudget(bytes: 10)
        let task = Task {
            try await budget.withReservation(for: 10) {
                try await budget.withReservation(for: 10) { Issue.record("there is no room") }
            }
        }
        try await Task.sleep(for: .milliseconds(5))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func roomIsGivenBack() async throws {
        let budget = MemoryBudget(bytes: 10)
        let meter = Meter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await budget.withReservation(for: 4) {
                        meter.take(4)
                        await Task.yield()
                        meter.give(4)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(meter.begun.count == 50 && meter.maximum <= 8)
        try? await budget.withReservation(for: 10) { throw Failure() }
        try await budget.withReservation(for: 10) {}
    }
}
