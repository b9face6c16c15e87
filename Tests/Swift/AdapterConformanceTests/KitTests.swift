import AdapterKit
import AdapterTestKit
import PageModel
import Scratch
import Testing

/// The kit passes adapters that keep their promises, and names the faults of those that do not.
///
/// The faults that plug-ins can have are in `Tests/Programs/Plugins/faulty.py`.
@Suite struct KitTests {
    @Test func soundAdaptersPass() async throws {
        #expect(try await failures(of: FaultySource()) == [])
        #expect(await checkSink(FaultySink(), read: FaultySink.read) == [])
        #expect(await checkSink(FaultySink()) == [])
        #expect(await checkTransform(FaultyTransform()) == [])
        #expect(await checkTransform(FaultyTransform(.looks), mayRequestPreviews: true) == [])
    }

    @Test(arguments: FaultySource.Fault.allCases)
    func faultySourcesAreSeen(_ fault: FaultySource.Fault) async throws {
        guard fault == .hidesDamage else {
            return expect(fault.rawValue, in: try await failures(of: FaultySource(fault)))
        }
        let (scratch, source) = (try ScratchFolder(), FaultySource(fault))
        let input = Input(path: try scratch.write("book", FaultySource.file(5).dropLast(3)))
        expect(fault.rawValue, in: await checkBadInput(source, input))
        #expect(await checkBadInput(source, input, mayPass: true).isEmpty)
        #expect(await checkBadInput(FaultySource(), input).isEmpty)
    }

    @Test(arguments: FaultySink.Fault.allCases)
    func faultySinksAreSeen(_ fault: FaultySink.Fault) async {
        expect(fault.rawValue, in: await checkSink(FaultySink(fault), read: FaultySink.read))
        // Without a reader, too.
        guard [.givesOneName, .leavesSomething].contains(fault) else { return }
        expect(fault.rawValue, in: await checkSink(FaultySink(fault)))
    }

    @Test(arguments: FaultyTransform.Fault.allCases)
    func faultyTransformsAreSeen(_ fault: FaultyTransform.Fault) async {
        expect(fault.rawValue, in: await checkTransform(FaultyTransform(fault)))
    }

    private func expect(_ words: String, in failures: [ConformanceFailure]) {
        #expect(failures.contains { $0.message.contains(words) }, "\(failures)")
    }

    private func failures(of source: FaultySource) async throws -> [ConformanceFailure] {
        let scratch = try ScratchFolder()
        let path = try scratch.write("book.faulty", FaultySource.file(5))
        return await checkSource(source, Input(path: path), expectedPages: 5)
    }

    @Test func anUnchangedImageIsSeen() async {
        #expect(await checkTransform(FaultyTransform(), changesImages: true).count == 1)
    }

    @Test func observedFaultsAreSeen() async {
        let failures = await checkTransform(FaultyTransform(), watch: CrashWatch())
        #expect(failures.map(\.description) == ["faulty given a book of 0 pages: applying it: it crashed"])
    }

    /// An observer of crashes.
    private struct CrashWatch: AdapterWatch {
        var usage: (memory: Int, files: Int)? { nil }

        func newFaults() -> [AdapterFault] { [AdapterFault(.final, "it crashed")] }
    }
}
