import AdapterKit
import AdapterTestKit
import Scratch
import Testing

/// The kit passes adapters that keep their promises, and sees every fault in those that do not.
@Suite struct KitTests {
    @Test func aGoodSourcePasses() async throws {
        #expect(try await failures(of: FaultySource()) == [])
    }

    @Test(arguments: FaultySource.Fault.allCases)
    func aFaultySourceIsSeen(_ fault: FaultySource.Fault) async throws {
        let source = FaultySource(fault)
        if fault == .saysNothingOfDamage {
            let scratch = try ScratchFolder()
            let path = try scratch.write("book", FaultySource.file(5).dropLast(3))
            #expect(await checkBadInput(source, Input(path: path)).count == 1)
            #expect(await checkBadInput(source, Input(path: path), mayPass: true).isEmpty)
            #expect(await checkBadInput(FaultySource(), Input(path: path)).isEmpty)
        } else {
            #expect(try await !failures(of: source).isEmpty)
        }
    }

    private func failures(of source: FaultySource) async throws -> [ConformanceFailure] {
        let scratch = try ScratchFolder()
        let path = try scratch.write("book.faulty", FaultySource.file(5))
        return await checkSource(source, Input(path: path), expectedPages: 5)
    }

    @Test func aGoodSinkPasses() async {
        #expect(await checkSink(FaultySink(), read: FaultySink.read) == [])
    }

    @Test(arguments: FaultySink.Fault.allCases)
    func aFaultySinkIsSeen(_ fault: FaultySink.Fault) async {
        #expect(await !checkSink(FaultySink(fault: fault), read: FaultySink.read).isEmpty)
    }

    @Test func aGoodTransformPasses() async {
        #expect(await checkTransform(FaultyTransform()) == [])
        #expect(await checkTransform(FaultyTransform(.looks), mayLook: true) == [])
    }

    @Test(arguments: FaultyTransform.Fault.allCases)
    func aFaultyTransformIsSeen(_ fault: FaultyTransform.Fault) async {
        #expect(await !checkTransform(FaultyTransform(fault)).isEmpty)
    }

    @Test func failuresSpeakClearly() {
        let failure = ConformanceFailure(
            adapter: "cbz", subject: "a book of 9 pages", message: "8 of 9 pages came back")
        #expect("\(failure)" == "cbz given a book of 9 pages: 8 of 9 pages came back")
    }
}
