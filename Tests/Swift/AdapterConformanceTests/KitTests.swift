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
        #expect(await checkTransform(FaultyTransform(fault: .looks), mayRequestPreviews: true) == [])
    }

    @Test(arguments: FaultySource.Fault.allCases)
    func faultySourcesAreSeen(_ fault: FaultySource.Fault) async throws {
        guard fault == .hidesDamage else {
            return expect(fault.rawValue, in: try await failures(of: FaultySource(fault: fault)))
        }
        let (scratch, source) = (try ScratchFolder(), FaultySource(fault: fault))
        let input = Input(path: try scratch.write("book", FaultySource.file.dropLast()))
        expect(fault.rawValue, in: await checkBadInput(source, input))
        #expect(await checkBadInput(source, input, mayPass: true).isEmpty)
        #expect(await checkBadInput(FaultySource(), input).isEmpty)
    }

    @Test(arguments: FaultySink.Fault.allCases)
    func faultySinksAreSeen(_ fault: FaultySink.Fault) async {
        expect(fault.rawValue, in: await checkSink(FaultySink(fault: fault), read: FaultySink.read))
        // Without a reader, too.
        guard [.givesOneName, .leavesSomething].contains(fault) else { return }
        expect(fault.rawValue, in: await checkSink(FaultySink(fault: fault)))
    }

    @Test(arguments: FaultyTransform.Fault.allCases)
    func faultyTransformsAreSeen(_ fault: FaultyTransform.Fault) async {
        expect(fault.rawValue, in: await checkTransform(FaultyTransform(fault: fault)))
    }

    private func expect(_ words: String, in failures: [ConformanceFailure]) {
        #expect(failures.contains { $0.message.contains(words) }, "\(failures)")
    }

    private func failures(of source: FaultySource) async throws -> [ConformanceFailure] {
        let scratch = try ScratchFolder()
        let path = try scratch.write("book.faulty", FaultySource.file)
        return await checkSource(source, Input(path: path), expectedPages: 5)
    }

    @Test func anUnchangedImageIsSeen() async {
        #expect(await checkTransform(FaultyTransform(), changesImages: true).count == 1)
    }

    @Test func observedFaultsAreSeen() async {
        /// An observer of crashes.
        struct CrashWatch: AdapterWatch {
            var usage: (memory: Int, files: Int)? { nil }
            func failed(_ error: any Error) {}
            func newFaults() -> [AdapterFault] { [AdapterFault(.final, "it crashed")] }
        }
        let failures = await checkTransform(FaultyTransform(), watch: CrashWatch())
        #expect(failures.map(\.description) == ["faulty given a book of 0 pages: applying it: it crashed"])
    }

    @Test(arguments: [
        (Setting("-s", .flag, valueName: "", help: "h"), "---s is not a plain name"),
        (Setting("s", .text, valueName: "X", help: ""), "--s needs a help without a final stop"),
        (Setting("s", .flag, valueName: "", help: "h."), "--s needs a help without a final stop"),
        (Setting("s", .text, valueName: "", help: "h"), "--s has no name for its value"),
        (
            Setting("s", .integer(1...2), default: "3", valueName: "X", help: "h"),
            "--s has an impossible default: --s takes a whole number from 1 to 2, not '3'"
        ),
        (Setting("s", .text, implied: "x", valueName: "X", help: "h"), "--s has an impossible implied value"),
        (Setting("s", .choice(["a"]), implied: "x", valueName: "X", help: "h"), "--s has an impossible implied value"),
    ])
    func faultySettingsAreSeen(_ setting: Setting, _ words: String) {
        let failures = checkDescriptor(AdapterDescriptor(id: "a", summary: "s", extensions: ["x"], settings: [setting]))
        #expect(failures.map(\.message) == [words])
    }

    @Test func faultyDescriptorsAreSeen() {
        let failures = checkDescriptor(AdapterDescriptor(id: "A b", summary: "", extensions: [".X"]))
        let words = ["its id is not a plain word", "it has no summary", "'.X' is not a plain extension"]
        #expect(failures.map(\.message) == words)
    }
}
