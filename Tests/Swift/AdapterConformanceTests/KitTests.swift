import AdapterKit
import AdapterTestKit
import PageModel
import Scratch
import Synchronization
import Testing

/// The kit passes adapters that keep their promises, and sees every fault in those that do not.
@Suite struct KitTests {
    @Test func aGoodSourcePasses() async throws {
        #expect(try await failures(of: FaultySource()) == [])
    }

    @Test(arguments: FaultySource.Fault.allCases)
    func aFaultySourceIsSeen(_ fault: FaultySource.Fault) async throws {
        let source = FaultySource(fault)
        if fault == .hidesDamage {
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

    @Test func aSinkThatNothingReadsIsChecked() async {
        #expect(await checkSink(FaultySink()) == [])
        for fault in [FaultySink.Fault.givesOneName, .writesTheTime, .leavesSomething] {
            #expect(await !checkSink(FaultySink(fault: fault)).isEmpty, "\(fault)")
        }
    }

    @Test func aGoodTransformPasses() async {
        #expect(await checkTransform(FaultyTransform()) == [])
        #expect(await checkTransform(FaultyTransform(.looks), mayRequestPreviews: true) == [])
    }

    @Test(arguments: FaultyTransform.Fault.allCases)
    func aFaultyTransformIsSeen(_ fault: FaultyTransform.Fault) async {
        #expect(await !checkTransform(FaultyTransform(fault)).isEmpty)
    }

    @Test func anUnchangedImageIsSeen() async {
        #expect(await checkTransform(FaultyTransform(), changesImages: true).count == 1)
    }

    @Test func observedFaultsAreSeen() async {
        let failures = await checkTransform(FaultyTransform(), watch: FaultyWatch())
        #expect(failures.map(\.message) == ["applying it: it crashed"])
    }

    @Test func failureDescriptionNamesItsSubject() {
        let failure = ConformanceFailure(
            adapter: "cbz", subject: "a book of 9 pages", message: "8 of 9 pages came back")
        #expect("\(failure)" == "cbz given a book of 9 pages: 8 of 9 pages came back")
    }
}

/// An observer of crashes.
private struct FaultyWatch: AdapterWatch {
    var usage: (memory: Int, files: Int)? { nil }

    func newFaults() -> [AdapterFault] { [AdapterFault(.final, "it crashed")] }
}

/// An operation whose result has random samples, or another size.
private struct FaultyOperation: PageOperation {
    static let id = "faulty"
    let size: PixelSize?

    var note: Note { Note(.operation, ["name": "faulty"]) }

    func encode(to encoder: any Encoder) {}

    func apply(to raster: Raster) -> Raster {
        let size = size ?? raster.size
        return Raster(
            size: size, format: .gray(bits: 8),
            samples: (0..<size.area).map { _ in self.size == nil ? .random(in: 0...255) : 0 })
    }
}

/// A transform that turns the order round; and every fault on demand.
struct FaultyTransform: PageTransform {
    enum Fault: CaseIterable, Sendable {
        case looks
        case renumbers
        case renames
        case fillsEmptyBooks
        case failsOnOnePage
        case changesItsMind
        case changesPixelsAnew
        case changesSize
    }

    let descriptor = AdapterDescriptor(id: "faulty", summary: "test", extensions: [])
    var fault: Fault?
    private let calls = Calls()

    private final class Calls: Sendable {
        let count = Mutex(0)
    }

    init(_ fault: Fault? = nil) {
        self.fault = fault
    }

    func passes(_ settings: Settings) -> [Pass] { [Pass(.arrange) { sequence, _ in try await changed(sequence) }] }

    private func changed(_ sequence: PageSequence) async throws -> PageSequence {
        var result = sequence
        result.pages.reverse()
        switch fault {
        case .looks: _ = try? await sequence.pages.first?.examine()
        case .renumbers:
            result.pages = result.pages.enumerated().map { Page(id: $0 + 1, name: $1.name, examine: $1.examine) }
        case .renames: for index in result.pages.indices { result.pages[index].name += "!" }
        case .changesPixelsAnew, .changesSize:
            let size = fault == .changesSize ? PixelSize(width: 1, height: 1) : nil
            for index in result.pages.indices { result.pages[index].edits = [.change(FaultyOperation(size: size))] }
        case .fillsEmptyBooks where result.pages.isEmpty:
            result.pages = [Page(id: 1, name: "new") { Picture(size: nil, representations: []) }]
        case .failsOnOnePage where result.pages.count == 1: throw AdapterError(.unsupported, "one page is no book")
        case .changesItsMind
        where calls.count.withLock({
            $0 += 1; return $0
        }).isMultiple(of: 2):
            for index in result.pages.indices { result.pages[index].edits = [.move(.turn(quarters: 2))] }
        default: break
        }
        return result
    }
}
