import AdapterKit
import Conversion
import Files
import FolderSource
import Glibc
import Imaging
import OrderedJSON
import PageModel
import Scratch
import Testing
@testable import Audit

/// The output is read back and compared before it appears.
@Suite struct VerificationTests {
    /// A run to a folder.
    private struct Run {
        let scratch: ScratchFolder
        private let registry: Registry
        var job: Job

        init(
            _ pages: [Page] = [Sample.page(1), Sample.page(2, Sample.picture(Sample.sampled()))],
            warnings: [Warning] = [], fault: @escaping @Sendable (String) throws -> Void = { _ in }
        ) throws {
            scratch = try ScratchFolder()
            registry = Registry(
                sources: [FakeSource(pages, warnings: warnings), FolderSource(), PictureSource()],
                sinks: [FaultySink(fault: fault)])
            job = Job(
                inputs: [Input(path: try scratch.write("book.fake", Array("FAKE".utf8)))], sink: "folder",
                destination: Destination(path: scratch("out")))
            job.verifies = true
        }

        func report() async throws -> Report { try await Conversion(registry, job).run() }

        /// Runs a job that has to fail, and sees to it that it leaves nothing.
        func error() async -> AdapterError? {
            do {
                _ = try await report()
                return nil
            } catch {
                #expect(scratch.names() == ["book.fake"])
                return error as? AdapterError
            }
        }
    }

    private static func change(_ path: String, at offset: Int) throws {
        var bytes = try Files.read(path)
        bytes[offset] ^= 1
        try Files.write(bytes, to: path)
    }

    @Test func pagesThatAreAsMeantAreVerified() async throws {
        let run = try Run()
        let report = try await run.report()
        #expect(
            report.verification?.text
                == "Verified: 2 pages read back, 1 identical to the source bytes, 1 with the same pixels")
        #expect(run.scratch.names(in: "out") == ["0001.gif", "0002.png"])
        #expect(run.scratch.names() == ["book.fake", "out"])
        let json = report.json(version: "1")
        #expect(json["verification"]?["identical"]?.asInteger == 1)
        #expect(json["verification"]?["samePixels"]?.asInteger == 1)
        #expect(json["outputFiles"] == nil && json["pages"]?.elements?.first?["digests"] == nil)
    }

    @Test func anEmptyFolderThatIsThereIsFilledAfterTheVerification() async throws {
        let run = try Run()
        try run.scratch.write("out/x")
        unlink(run.scratch("out/x"))
        #expect(try await run.report().verification?.source == "folder")
        #expect(run.scratch.names(in: "out") == ["0001.gif", "0002.png"])
    }

    @Test func aCopiedPageThatChangesAfterItWasWrittenIsNamed() async throws {
        let error = await (try Run { try Self.change("\($0)/0001.gif", at: 10) }).error()
        #expect(error?.page == "0001.gif" && error?.file?.hasSuffix("/out") == true)
        #expect(error?.message == "verification failed: its bytes are not those of the source's image")
        #expect(error?.hint == "nothing was put in its place; check the disk and convert again")
    }

    /// Damage of the input does not change bytes that were already written.
    @Test(arguments: ["repaired-pdf", "damaged-archive"])
    func otherBytesAreBlamedOnTheDiskForADamagedInputToo(_ code: String) async throws {
        let run = try Run(warnings: [Warning(code: code, message: "it is damaged")]) {
            try Self.change("\($0)/0001.gif", at: 10)
        }
        #expect(await run.error()?.hint == "nothing was put in its place; check the disk and convert again")
    }

    @Test func aPageThatWasMadeAndChangesAfterItWasWrittenIsNamed() async throws {
        let error = await (try Run { try Self.change("\($0)/0002.png", at: 60) }).error()
        #expect(error?.page == "0002.png")
        #expect(error?.message == "verification failed: its bytes are not those that were written")
    }

    @Test func allPagesThatDifferAreCounted() async throws {
        let run = try Run {
            try Self.change("\($0)/0001.gif", at: 10)
            try Self.change("\($0)/0002.png", at: 60)
        }
        #expect(await run.error()?.message.english.hasSuffix("; 1 other page differs") == true)
    }

    @Test func missingPageIsReported() async throws {
        let error = await (try Run { unlink("\($0)/0002.png") }).error()
        #expect(
            error?.message == "has 1 page, and 2 were written")
    }

    @Test func reorderedPagesAreReported() async throws {
        let other = Sample.page(2, Sample.picture(Sample.sampled()))
        let run = try Run([Sample.page(1), other, Sample.page(3)]) { folder in
            rename("\(folder)/0001.gif", "\(folder)/0009.gif")
        }
        #expect(await run.error()?.page == "0002.png")
    }

    @Test func anOutputThatIsGoneCannotBeReadBack() async throws {
        let error = await
            (try Run { folder in
                for name in Files.names(in: folder) { unlink("\(folder)/\(name)") }
            }).error()
        #expect(error?.message.english.hasPrefix("cannot be read back") == true)
    }

    @Test func withoutTheWishNothingIsHeldBackOrHashed() async throws {
        var run = try Run { _ in Issue.record("it was held") }
        run.job.verifies = false
        let report = try await run.report()
        #expect(
            report.verification == nil && report.outputFiles == nil && report.pages.allSatisfy { $0.digests == nil })
    }

    @Test func aReportHasTheDigestsOfSourceAndOutput() async throws {
        var run = try Run()
        (run.job.verifies, run.job.findsDigests) = (false, true)
        let report = try await run.report()
        let pages = try #require(report.json(version: "1")["pages"]?.elements).map { $0["digests"] }
        let gif = SHA256.hexDigest(of: Sample.gif)
        #expect(pages[0]?["image"]?["sha256"]?.asString == gif && pages[0]?["image"]?["of"]?.asString == "image")
        #expect(pages[0]?["output"]?["sha256"]?.asString == gif)
        // It was not decoded.
        #expect(pages[0]?["pixels"]?.text == "null")
        #expect(pages[1]?["image"]?.text == "null")
        #expect(pages[1]?["pixels"]?["sha256"]?.asString == SHA256.hexDigest(of: Sample.raster().samples))
        #expect(pages[1]?["pixels"]?["samples"]?.asString == "gray8")
        let png = SHA256.hexDigest(of: try run.scratch.read("out/0002.png"))
        #expect(pages[1]?["output"]?["sha256"]?.asString == png)
        #expect(report.outputFiles?.map(\.name) == ["0001.gif", "0002.png"])
        #expect(report.outputFiles?.map(\.hex) == [gif, png])
    }

    @Test func verificationRejectsDryRunAndStandardOutput() async throws {
        var run = try Run()
        run.job.isDryRun = true
        #expect(await run.error()?.code == .usage)
        run.job.isDryRun = false
        run.job.destination = .standardOutput(temporaryFiles: TemporaryFiles())
        #expect(await run.error()?.code == .usage)
    }

    @Test func unverifiableOutputHasAWarning() async throws {
        var stage = try Stage(FakeSource(warnings: []))
        stage.job.verifies = true
        let report = try await stage.run()
        #expect(report.verification?.text == "Not verified: jisui cannot read memory")
        #expect(report.warnings.map(\.code) == ["not-verified"])
        stage.job.isStrict = true
        #expect(await stage.error() != nil)
    }
}
