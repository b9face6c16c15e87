import AdapterKit
import Imaging
import LayoutAnalysis
import PageModel
import Processes
import Scratch
import Testing

@testable import Rotate

@Suite struct TesseractTests {
    private static func printed(_ rotate: Int, _ confidence: Double, _ script: String = "Latin") -> String {
        """
        Estimating resolution as 150
        Page number: 0
        Orientation in degrees: \((360 - rotate) % 360)
        Rotate: \(rotate)
        Orientation confidence: \(confidence)
        Script: \(script)
        Script confidence: 2.00

        """
    }

    @Test(arguments: [0, 90, 180, 270]) func itsAnswerIsRead(_ degrees: Int) {
        #expect(
            Tesseract.answer(in: Self.printed(degrees, 12.5))
                == Tesseract.Answer(quarters: degrees / 90, mayRunDown: false))
        #expect(Tesseract.answer(in: Self.printed(degrees, 12.5, "Japanese"))?.mayRunDown == true)
    }

    @Test func uncertainAndOtherAnswersAreIgnored() {
        #expect(Tesseract.answer(in: Self.printed(90, 0.7)) == nil)
        // An ornament under a few lines, read upside down.
        #expect(Tesseract.answer(in: Self.printed(180, 6.8, "Thai")) == nil)
        #expect(Tesseract.answer(in: Self.printed(180, 4))?.isSure == false)
        #expect(Tesseract.answer(in: "Too few characters. Skipping this page\nError during processing.\n") == nil)
        #expect(Tesseract.answer(in: "") == nil)
        #expect(Tesseract.answer(in: Self.printed(45, 12.5)) == nil)
    }

    /// Lines of Latin text run across an upright page; those of Japanese text may run down.
    @Test func anAnswerThatTheLinesContradictIsIgnored() {
        let page = TextOrientation(lines: .horizontal, quarters: nil)
        let (latin, japanese) = (
            Tesseract.Answer(quarters: 1, mayRunDown: false), Tesseract.Answer(quarters: 1, mayRunDown: true)
        )
        #expect(page.decided(by: latin) == page && page.decided(by: nil) == page)
        #expect(page.decided(by: japanese).quarters == 1)
        let sideways = TextOrientation(lines: .vertical, quarters: nil).decided(by: latin)
        #expect(sideways.quarters == 1 && sideways.isByTesseract)
        #expect(TextOrientation(lines: nil, quarters: nil).decided(by: latin).quarters == 1)
    }

    private static let blank = Raster(
        size: PixelSize(width: 3, height: 2), format: .gray(bits: 8), samples: [7, 8, 9, 10, 11, 12])

    /// Runs a shell script that stands in for tesseract.
    private func answer(_ script: String) async throws -> (Tesseract.Answer?, ScratchFolder) {
        let folder = try ScratchFolder()
        try folder.write("tesseract", Array("#!/bin/sh\n\(script)\n".utf8))
        #expect(try Program.outcome("chmod 755 tesseract", in: folder.path).status == 0)
        let tesseract = Tesseract(PluginLauncher(trampoline: nil), folders: ["/nowhere", folder.path])
        return (try await tesseract.answer(about: Self.blank, seconds: 10), folder)
    }

    @Test func aProgramReadsTheImage() async throws {
        let folder = try ScratchFolder()
        let script = """
            cat "$1" > \(folder("seen")); echo "$@" > \(folder("asked"))
            cat <<E
            \(Self.printed(180, 12))
            E
            """
        #expect(try await answer(script).0 == Tesseract.Answer(quarters: 2, mayRunDown: false))
        #expect(try folder.read("seen") == Array("P5\n3 2\n255\n".utf8) + Self.blank.samples)
        #expect(try folder.read("asked") == Array("/dev/fd/4 stdout --psm 0 -l osd\n".utf8))
    }

    @Test func aMissingOrFailingProgramDecidesNothing() async throws {
        #expect(try await answer("echo Too few characters; exit 1").0 == nil)
        #expect(try await answer("kill -9 $$").0 == nil)
        let missing = Tesseract(PluginLauncher(trampoline: nil), folders: ["/nowhere"])
        #expect(try await missing.answer(about: Self.blank, seconds: 10) == nil)
    }

    @Test func aSlowProgramDecidesNothing() async throws {
        let folder = try ScratchFolder()
        try folder.write("tesseract", Array("#!/bin/sh\nsleep 60\n".utf8))
        #expect(try Program.outcome("chmod 755 tesseract", in: folder.path).status == 0)
        let tesseract = Tesseract(PluginLauncher(trampoline: nil), folders: [folder.path])
        #expect(try await tesseract.answer(about: Self.blank, seconds: 1) == nil)
    }

    /// Without data for orientations, tesseract is started for one page only.
    @Test func aProgramWithoutDataIsNotAskedAgain() async throws {
        let folder = try ScratchFolder()
        let script = "#!/bin/sh\necho >> \(folder("runs")); echo 'Error opening data file osd.traineddata'; exit 1\n"
        try folder.write("tesseract", Array(script.utf8))
        #expect(try Program.outcome("chmod 755 tesseract", in: folder.path).status == 0)
        let tesseract = Tesseract(PluginLauncher(trampoline: nil), folders: [folder.path])
        for _ in 0..<3 { #expect(try await tesseract.answer(about: Self.blank, seconds: 10) == nil) }
        #expect(try folder.read("runs").count == 1)
    }

    /// The remark says who decided.
    @Test(arguments: [
        (0, "not rotated: tesseract found its text upright"),
        (1, "rotated by 90°, because tesseract found its text on its side"),
        (2, "rotated by 180°, because tesseract found its text upside down"),
    ]) func theRemarkNamesTesseract(_ quarters: Int, _ remark: String) {
        let page = TextOrientation(lines: nil, quarters: quarters, isByTesseract: true)
        #expect(BookOrientation.findings(of: [.seen(page)])[0].remark.english == remark)
    }

    /// A Japanese page has marks that look like ascenders.
    @Test func aPageStaysIfTheLettersAndTesseractDisagree() {
        let page = TextOrientation(lines: .vertical, quarters: 1)
        let (upright, turned) = (
            Tesseract.Answer(quarters: 0, mayRunDown: true), Tesseract.Answer(quarters: 1, mayRunDown: false)
        )
        #expect(page.decided(by: upright).quarters == nil)
        #expect(page.decided(by: turned) == page && page.decided(by: nil) == page)
    }

    @Test func anUncertainAnswerAgainstTheOtherPagesIsIgnored() {
        let upright = BookOrientation.Page.seen(TextOrientation(lines: .horizontal, quarters: 0))
        func book(isSure: Bool) -> [Int?] {
            let odd = BookOrientation.Page.seen(
                TextOrientation(lines: .horizontal, quarters: 2, isByTesseract: true, isSure: isSure))
            let pages = [BookOrientation.Page](repeating: upright, count: 20) + [odd]
            return BookOrientation.findings(of: pages).map { $0.turn?.quarters }
        }
        #expect(book(isSure: false).last == .some(nil) && book(isSure: true).last == 2)
    }

    /// In a book whose lines run down, pages that show nothing follow the others only with such lines.
    @Test func columnsFollowColumns() {
        let turned = BookOrientation.Page.seen(TextOrientation(lines: .vertical, quarters: 2, isByTesseract: true))
        let page = BookOrientation.Page.seen(TextOrientation(lines: .vertical, quarters: nil))
        let rows = BookOrientation.Page.seen(TextOrientation(lines: .horizontal, quarters: nil))
        let findings = BookOrientation.findings(of: [turned, turned, turned, turned, turned, turned, page, rows])
        #expect(findings.map { $0.turn?.quarters } == [2, 2, 2, 2, 2, 2, 2, nil])
    }
}
