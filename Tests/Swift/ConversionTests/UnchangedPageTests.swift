import AdapterKit
import Conversion
import PageModel
internal import Planning
import Testing
@testable import Audit

/// A page whose operation fails, or finds nothing to change, is converted as if nobody had requested the operation.
@Suite struct UnchangedPageTests {
    /// An operation that a page cannot do without, and that breaks its contract.
    private struct Liar: PageOperation {
        static let id = "liar"

        var note: Note { Note(.operation, ["name": "changed"], text: "changed") }

        func apply(to raster: Raster) throws -> Raster { throw UnchangedPage() }
    }

    private static let failure = AdapterError(.damaged, "it failed")

    private func stage(_ edits: PageEdit..., picture: Picture? = nil, isDryRun: Bool = false) throws -> Stage {
        var stage = try Stage(FakeSource([Sample.page(1, edits: edits, picture ?? Sample.picture(Sample.encoded()))]))
        stage.job.isDryRun = isDryRun
        return stage
    }

    @Test func pageIsCopiedIfNothingElseChangesIt() async throws {
        let stage = try stage(.change(OptionalChange()))
        let report = try await stage.run()
        #expect(report.pages.map(\.treatment) == [.verbatim] && report.warnings.isEmpty)
        #expect(stage.sink.memory.now.pages.count == 1)
    }

    @Test func otherOperationsRemain() async throws {
        let report = try await stage(.change(OptionalChange()), .deskew(degrees: 2)).run()
        #expect(report.pages[0].treatment == .encoded)
        #expect(report.pages[0].reason.message.english.contains("deskewed"))
        #expect(!report.pages[0].reason.message.english.contains("tried"))
    }

    @Test func successIsReported() async throws {
        let report = try await stage(.change(OptionalChange(.blackened))).run()
        #expect(report.pages[0].treatment == .encoded && report.warnings.isEmpty)
        #expect(report.pages[0].reason.message.english.contains("tried"))
    }

    @Test func failureIsReported() async throws {
        let report = try await stage(.change(OptionalChange(.failed(UnchangedPageTests.failure)))).run()
        #expect(report.pages.map(\.treatment) == [.verbatim])
        #expect(report.warnings.map(\.code) == ["page-not-changed"])
    }

    /// Both halves of a page have the same operation.
    @Test func failureIsReportedOnce() async throws {
        let operation = OptionalChange(.failed(UnchangedPageTests.failure))
        let pages = (1...2).map { Sample.page($0, edits: [.change(operation)]) }
        let report = try await Stage(FakeSource(pages)).run()
        #expect(report.pages.map(\.treatment) == [.verbatim, .verbatim])
        #expect(report.warnings.map(\.code) == ["page-not-changed"])
    }

    @Test func dryRunReportsTheOperation() async throws {
        let report = try await stage(.change(OptionalChange()), isDryRun: true).run()
        #expect(report.pages[0].treatment == .encoded)
        #expect(report.pages[0].reason.message.english.contains("tried"))
    }

    /// The page itself fits into memory, but the operation does not.
    @Test(arguments: [false, true]) func pageStaysIfTheOperationIsTooLarge(_ isDryRun: Bool) async throws {
        var stage = try stage(.change(OptionalChange(.blackened, workingCopies: 1000)), isDryRun: isDryRun)
        stage.job.limits.memory = 20_000
        let report = try await stage.run()
        #expect(report.pages.map(\.treatment) == [.verbatim])
        #expect(report.warnings.map(\.code) == ["page-not-changed"])
    }

    /// Copying needs no pixels.
    @Test func pageStaysIfItHasTooManyPixels() async throws {
        var stage = try stage(.change(OptionalChange(.blackened)))
        stage.job.limits.pixels = Sample.size.area - 1
        let report = try await stage.run()
        #expect(report.pages.map(\.treatment) == [.verbatim])
        #expect(report.warnings.map(\.code) == ["page-not-changed"])
    }

    @Test func omittedOperationDoesNotPreventACopyOfUnknownSize() async throws {
        let operation = OptionalChange()
        #expect(operation.omit() == nil && operation.omission.isOmitted)
        let report = try await stage(
            .change(operation), picture: Sample.picture(Sample.encoded(size: nil))
        ).run()
        #expect(report.pages.map(\.treatment) == [.verbatim] && report.warnings.isEmpty)
    }

    /// Otherwise it would be planned again forever.
    @Test func operationThatCannotBeOmittedFails() async throws {
        let pages = [Sample.page(1, edits: [.change(Liar())]), Sample.page(2)]
        let report = try await Stage(FakeSource(pages)).run()
        #expect(report.pages.map(\.treatment) == [.verbatim])
        #expect(report.warnings.map(\.code) == ["page-skipped"])
    }
}
