import AdapterKit
import Glibc
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// Unreadable data is not mistaken for damage, or for a blank page.
@Suite(.endsWhenItHangs) struct ReadingFaultTests {
    private static let limits = Limits(pixels: 1_000_000)

    /// Three pages, each of one picture of 40x50 and a content stream that names the page.
    private static let three = SyntheticPDF.bytes(
        pages: (0..<3).map { "/MediaBox[0 0 40 50]/Contents \(3 + $0) 0 R/Resources<</XObject<</P \(6 + $0) 0 R>>>>" },
        (0..<3).map {
            SyntheticPDF.stream(
                "", "% content \($0) \(String(repeating: " ", count: 9000))\nq 40 0 0 50 0 0 cm /P Do Q")
        }
            + (0..<3).map { _ in SyntheticPDF.picture(width: 200, height: 250) })

    private let scratch: ScratchFolder
    private let bytes = SyntheticBytes(three)
    private let path: String

    init() throws {
        scratch = try ScratchFolder()
        path = try scratch.write("book.pdf", ReadingFaultTests.three)
    }

    private func book(_ source: (any ByteSource)? = nil) async throws -> OpenedBook {
        try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing,
            limits: ReadingFaultTests.limits,
            source: source
        ).opened()
    }

    /// The part of page 2's content that no other page's data shares a block with.
    private func contentOfPageTwo() throws -> Range<Int> {
        let start = try bytes.range(of: "% content 1").lowerBound
        return start + 4100..<start + 4200
    }

    @Test func aBadSectorIsTheErrorOfItsPage() async throws {
        let pages = try await book(bytes).sequence.pages
        bytes.fail(.always(try contentOfPageTwo(), SyntheticBytes.diskError))
        #expect(try await pages[0].examine().representations.count == 2)
        await #expect(throws: SyntheticBytes.diskError) { try await pages[1].examine() }
        // qpdf treats an object that it could not read once as null from then on: the next page must not depend on
        // that.
        #expect(try await pages[2].examine().representations.count == 2)
    }

    @Test func anErrorThatPassesChangesNothing() async throws {
        let sound = try await book(bytes).sequence.pages[1].examine()
        let pages = try await book(bytes).sequence.pages
        bytes.fail(.times(1, try contentOfPageTwo(), SyntheticBytes.diskError))
        let picture = try await pages[1].examine()
        #expect(picture.representations.count == sound.representations.count)
        #expect(picture.defects.isEmpty && picture.reason == nil)
    }

    @Test func lackOfMemoryIsNotReportedAsDamage() async throws {
        let pages = try await book(bytes).sequence.pages
        bytes.fail(.always(try contentOfPageTwo(), PDFFile.outOfMemory))
        await #expect(throws: PDFFile.outOfMemory) { try await pages[1].examine() }
        bytes.fail(.none)
        #expect(try await pages[1].examine().representations.count == 2)
    }

    @Test func unreadablePictureIsNotDrawn() async throws {
        let pages = try await book(bytes).sequence.pages
        let picture = try await pages[1].examine()
        let samples = try bytes.range(of: "jisuijisui").lowerBound
        // Each picture has 50,000 bytes; the second is hit in its middle.
        bytes.fail(.always(samples + 75_000..<samples + 75_100, SyntheticBytes.diskError))
        guard case .sampled(let sampled) = picture.representations[0],
            case .drawn(let drawn) = picture.representations[1]
        else { throw AdapterError(.empty, "no picture") }
        await #expect(throws: SyntheticBytes.diskError) { try await sampled.read() }
        await #expect(throws: SyntheticBytes.diskError) { try await drawn.draw() }
        await #expect(throws: SyntheticBytes.diskError) { try await drawn.drawAt?(30) }
        bytes.fail(.none)
        #expect(try await drawn.draw().raster.size == drawn.size)
    }

    /// Poppler reads by itself, and leaves unreadable data white.
    @Test func dataPopplerCannotReadIsAnError() throws {
        let samples = try bytes.range(of: "jisuijisui").lowerBound
        let file = try PopplerFile(bytes, password: nil)
        let size = PixelSize(width: 40, height: 50)
        let whole = try file.draw(page: 1, size: size, resolution: 72, nil).raster
        #expect(whole.samples.contains { $0 != 255 })
        bytes.fail(.times(1, samples + 75_000..<samples + 75_100, SyntheticBytes.diskError))
        #expect(throws: SyntheticBytes.diskError) {
            try PopplerFile(bytes, password: nil).draw(page: 1, size: size, resolution: 72, nil)
        }
        bytes.fail(.always(try bytes.range(of: "startxref"), SyntheticBytes.diskError))
        #expect(throws: SyntheticBytes.diskError) { try PopplerFile(bytes, password: nil) }
        bytes.fail(.none)
        #expect(try PopplerFile(bytes, password: nil).draw(page: 1, size: size, resolution: 72, nil).raster == whole)
    }

    @Test func anErrorWhileOpeningNamesTheFile() async throws {
        bytes.fail(.always(try bytes.range(of: "startxref"), SyntheticBytes.diskError))
        await #expect(throws: SyntheticBytes.diskError) { try await book(bytes) }
    }

    /// Reading on at the end of a file that was longer would never end.
    @Test func aFileThatShrinksIsAnError() async throws {
        let pages = try await book().sequence.pages
        let end = try bytes.range(of: "% content 1").upperBound
        #expect(truncate(path, off_t(end)) == 0)
        let error = await #expect(throws: AdapterError.self) { try await pages[1].examine() }
        #expect(error?.code == .unreadable && error?.file == path)
        #expect(error?.message == "the file has become shorter while it was read")
    }
}
