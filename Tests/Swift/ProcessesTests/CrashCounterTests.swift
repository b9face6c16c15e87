import PageModel
import Synchronization
import Testing

@testable import Processes

/// A process that fails again and again is given up.
@Suite struct CrashCounterTests {
    /// Returns the number of starts for five pages, two requests each, and the last error.
    private func starts(_ fault: PluginProcess.Fault, _ crashes: CrashCounter) async -> (Int, String) {
        let count = Counter()
        let worker = PluginWorker("x", crashes) { _ in
            count.add()
            throw fault
        }
        var message = ""
        for page in 1...5 {
            for _ in 1...2 {
                do {
                    try await worker.perform(on: page) { _ in }
                } catch {
                    message = (error as? AdapterError)?.message.english ?? ""
                }
            }
        }
        return (count.value, message)
    }

    @Test func threeCrashesEndTheProcesses() async {
        let (count, message) = await starts(.crashed("ended"), CrashCounter())
        #expect(count == 3 && message == "the plug-in crashed too often and is not restarted")
    }

    /// A page may take long, so that usually nothing is concluded from several of them.
    @Test func slowAnswersDoNotEndTheProcesses() async {
        let (count, _) = await starts(.slow(300, isFixed: false), CrashCounter())
        #expect(count == 10)
    }

    @Test func slowAnswersEndTheProcessesIfTheyCount() async {
        let (count, message) = await starts(
            .slow(300, isFixed: false), CrashCounter(includesSlowAnswers: true))
        #expect(count == 3 && message == "the plug-in crashed or was too slow too often and is not restarted")
    }
}

/// A number that several threads increase.
private final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}
