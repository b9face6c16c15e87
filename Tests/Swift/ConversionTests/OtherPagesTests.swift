import AdapterKit
import Imaging
import PageModel
import Synchronization
import Testing

@testable import Audit
@testable import Conversion
@testable import Planning

/// Operations that need the pixels of other pages.
@Suite struct OtherPagesTests {
    /// Makes a page as dark as another page was before the same operation.
    private struct Copying: PageOperation {
        static let id = "copying"

        let otherPages: [Int]

        var note: Note { Note(.operation, ["name": "copied"], text: "copied") }

        func apply(to raster: Raster) throws -> Raster { throw PictureFault("it needs the other page") }

        func apply(to raster: Raster, beside pages: any OtherPages) async throws -> Raster {
            let other = try await pages.raster(of: otherPages[0], before: self)
            guard other.size == raster.size else { throw PictureFault("has \(other.size) pixels") }
            return other
        }
    }

    /// An operation that pages can do without.
    private struct Omissible: OmittableOperation {
        static let id = "omissible"

        let omission = Omission()

        var note: Note { Note(.operation, ["name": "changed"], text: "changed") }

        func warning(because error: AdapterError) -> Warning { Warning(code: "kept", message: "kept") }

        func apply(to raster: Raster) -> Raster { raster }

        static func == (one: Omissible, other: Omissible) -> Bool { one.omission === other.omission }

        func hash(into hasher: inout Hasher) {}
    }

    private final class Reads: Sendable {
        let count = Atomic(0)
    }

    private static let size = PixelSize(width: 8, height: 12)

    /// A page whose left half is black, and whose right half has a shade.
    private static func page(_ id: Int, shade: UInt8, _ edits: [PageEdit], _ reads: Reads) -> Page {
        let samples = (0..<size.area).map { $0 % size.width < size.width / 2 ? 0 : shade }
        let raster = Raster(size: size, format: .gray(bits: 8), samples: samples)
        return Sample.page(
            id, edits: edits,
            Picture(
                size: size,
                representations: [
                    .sampled(
                        SampledPicture(compression: "raw", size: size, format: raster.format) {
                            reads.count.add(1, ordering: .relaxed)
                            return DecodedImage(raster: raster)
                        })
                ]))
    }

    private func shades(_ stage: Stage) throws -> [[UInt8]] {
        try stage.sink.memory.now.pages.map { page in
            let file = try page.encoded()
            let raster = try PictureDecoder.decode(file.bytes, DecodeRequest(file.encoding, maximumPixels: 1000)).raster
            return Array(Set(raster.gray().narrowed().widened(to: .gray(bits: 8)).samples))
        }
    }

    /// The other page is seen after the edits before the operation, and without the operation.
    @Test func operationsSeeOtherPagesAsTheirOwn() async throws {
        let reads = Reads()
        let right = PageEdit.crop(PixelRect(x: 4, y: 0, width: 4, height: 12))
        func page(_ id: Int, _ shade: UInt8, _ other: Int) -> Page {
            Self.page(id, shade: shade, [right, .change(Copying(otherPages: [other]))], reads)
        }
        var stage = try Stage(FakeSource([page(1, 51, 2), page(2, 102, 1), page(3, 153, 2)]))
        stage.job.width = 1
        let report = try await stage.run()
        #expect(report.warnings.isEmpty)
        #expect(try shades(stage) == [[102], [51], [102]])
        // Each page is read for itself, and each other page once if it is kept.
        #expect(reads.count.load(ordering: .relaxed) == 5)
    }

    /// The edits after an omitted operation are not those before the operation.
    @Test func pagesAreSeenBeforeAnOmittedOperation() async throws {
        let operation = Omissible()
        _ = operation.omit()
        let later = PageEdit.crop(PixelRect(x: 0, y: 0, width: 2, height: 2))
        let pages = BookPages([Self.page(1, shade: 51, [.change(operation), later], Reads())], Limits())
        #expect(try await pages.raster(of: 1, before: Omissible()).size == Self.size)
    }

    /// A page of 96 bytes is kept in a quarter of the memory, or decoded again.
    @Test(arguments: [(400, 2), (200, 4)]) func pagesAreKeptWithinTheMemory(_ memory: Int, _ count: Int) async throws {
        let reads = Reads()
        let pages = BookPages([1, 2].map { Self.page($0, shade: 51, [], reads) }, Limits(memory: memory))
        for id in [1, 1, 2, 2] { _ = try await pages.raster(of: id, before: Copying(otherPages: [id])) }
        #expect(reads.count.load(ordering: .relaxed) == count)
    }

    /// A long book needs no more memory than a short one.
    @Test func onlyTheLastPagesAreKept() async throws {
        let reads = Reads()
        let pages = BookPages((1...9).map { Self.page($0, shade: 51, [], reads) }, Limits())
        for id in Array(1...9) + [9, 2, 1] {
            _ = try await pages.raster(of: id, before: Copying(otherPages: [id]))
        }
        #expect(reads.count.load(ordering: .relaxed) == 10)
    }

    @Test func anOperationFailsOnAPageThatTheBookLacks() async throws {
        let page = Self.page(1, shade: 51, [PageEdit.change(Copying(otherPages: [7]))], Reads())
        let error = await #expect(throws: AdapterError.self) { try await Stage(FakeSource([page])).run() }
        #expect(error?.explanation.english.contains("the output has no page 7") == true)
    }

    /// Another page is decoded and changed while the page itself is in memory.
    @Test func otherPagesCountInTheEstimateOfMemory() throws {
        func memory(_ edits: [PageEdit]) throws -> Int {
            MemoryEstimate.changing(1000, try #require(PixelOperations(Self.size, .upright, edits)))
        }
        let alone = try memory([.change(Copying(otherPages: []))])
        #expect(try memory([.change(Copying(otherPages: [2, 3]))]) >= alone + 4 * 1000)
    }
}
