import AdapterKit
import Adjustments
import Conversion
import PageModel
import Rotate
import Synchronization
import Testing

@testable import Audit

/// Passes run in the order of their stages.
@Suite struct PassOrderTests {
    /// A transform with a pass at each stage, the last one first, that records the number of edits that each one sees.
    private final class RecordingTransform: PageTransform {
        let descriptor = AdapterDescriptor(id: "recorder", summary: "test", extensions: [])
        let seen = Mutex<[(stage: AdapterKit.Stage, edits: Int)]>([])

        func passes(_ settings: Settings) -> [Pass] {
            AdapterKit.Stage.allCases.reversed().map { stage in
                Pass(stage) { sequence, _ in
                    self.seen.withLock { $0.append((stage, sequence.pages[0].edits.count)) }
                    return sequence
                }
            }
        }
    }

    /// A pass of a further plug-in runs where the enumeration states, and sees the changes of the stages before it.
    @Test func passesRunInTheOrderOfStages() async throws {
        let stage = try Stage(FakeSource([Sample.page(1, Sample.picture(Sample.sampled()))]))
        let recorder = RecordingTransform()
        var job = stage.job
        job.isDryRun = true
        job.settings = [
            "crop": "1", "rotate": "90", "fit": "2x2", "invert": "true", "levels": "10,90", "shades": "4",
        ]
        let registry = Registry(
            sources: stage.registry.sources, transforms: [recorder, Adjustments(), Rotate()],
            sinks: stage.registry.sinks)
        _ = try await Conversion(registry, job).run()
        let seen = recorder.seen.withLock { $0 }
        #expect(seen.map(\.stage) == AdapterKit.Stage.allCases)
        let expected: [AdapterKit.Stage: Int] = [
            .crop: 0, .turn: 1, .gray: 3, .invert: 4, .tone: 5, .shades: 6,
        ]
        for (stage, edits) in seen { #expect(edits == expected[stage] ?? 2, "\(stage)") }
    }

    @Test func passesOfOneStageKeepTheirOrder() {
        let edits: [PageEdit] = [.turn(quarters: 1), .turn(quarters: 2), .turn(quarters: 3)]
        let passes = [
            Pass(.join, edits: [edits[1]]), Pass(.turn, edits: [edits[0]]), Pass(.join, edits: [edits[2]]),
        ]
        #expect(passes.inOrderOfStages.flatMap(\.edits) == edits)
    }

    /// A setting of two adapters is rejected if neither has a use for it.
    @Test(arguments: [true, false]) func aSharedSettingNeedsAPass(_ isUsed: Bool) async throws {
        struct Sharing: PageTransform {
            let descriptor = AdapterDescriptor(id: "sharing", summary: "test", extensions: [], settings: [.align])
            let isUsed: Bool

            func passes(_ settings: Settings) -> [Pass] {
                [Pass(.join, sharing: isUsed ? [.align] : []) { sequence, _ in sequence }]
            }
        }
        let stage = try Stage(FakeSource())
        var job = stage.job
        job.isDryRun = true
        job.settings = ["align": "end"]
        let registry = Registry(
            sources: stage.registry.sources, transforms: [Sharing(isUsed: isUsed)], sinks: stage.registry.sinks)
        let conversion = Conversion(registry, job)
        if isUsed {
            #expect(try await conversion.run().pages.count == 1)
        } else {
            let error = await #expect(throws: AdapterError.self) { try await conversion.run() }
            #expect(error?.message.english == "--align has no effect when converting fake to memory")
        }
    }
}
