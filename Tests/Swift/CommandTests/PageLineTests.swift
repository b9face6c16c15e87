import AdapterKit
import PageModel
import Testing

@testable import Audit
@testable import Conversion
@testable import Planning
@testable import Trim
@testable internal import jisui

/// Pages with the same description on one line.
@Suite struct PageLineTests {
    private func page(_ number: Int, _ width: Int?, _ height: Int, book: Int = 0) -> PageReport {
        var page = PageReport(
            number: number, source: "\(number).jpg", treatment: .verbatim, reason: Reason(Note(.ownFile)),
            size: width.map { PixelSize(width: $0, height: height) })
        page.book = book
        return page
    }

    private func lines(_ pages: [PageReport]) -> [String] { PageLines(pages).texts.map(\.english) }

    @Test func summaryNamesTheBookAndTheDoubtfulPages() {
        var report = Report(
            inputs: ["a.cbz"], output: "shelf/", from: "archive", to: "web", direction: nil, isDryRun: false,
            skipped: [])
        report.pages = [page(1, 8, 9), page(2, 8, 9)]
        for (index, trimming) in [PageLayout.Trimming.fullBleed, .unseen].enumerated() {
            report.pages[index].findings = [
                PageLayout(content: nil, confidence: 0, remark: "", trimming: trimming)
            ]
        }
        let counts = "2 pages: 2 kept whole (1 full-bleed; 1 not analyzed: page 2); 2 verbatim"
        #expect(Summary(report, book: "a.cbz", isDryRun: false).text.english == "shelf/: a.cbz: \(counts)")
        #expect(Summary(report, isDryRun: true).text.english == "shelf/: would get \(counts)")
    }

    /// The quality is stated even if jisui chose it, unless it differs from page to page.
    @Test func summaryStatesTheQuality() {
        var report = Report(
            inputs: ["a.cbz"], output: "b.cbz", from: "archive", to: "cbz", direction: nil, isDryRun: false,
            skipped: [])
        func summary(_ treatment: Treatment, _ basis: Note, _ qualities: [Int]) -> String {
            report.pages = qualities.enumerated().map { index, quality in
                var page = page(index + 1, 8, 9)
                (page.treatment, page.encoding) = (treatment, .jpeg)
                page.reason = Reason(basis)
                    .with(.detail, Note(.encodedAtQuality, ["format": "jpeg", "quality": "\(quality)"]))
                return page
            }
            return Summary(report, isDryRun: false).text.english
        }
        let pixels = Note(.pixels, format: .png)
        #expect(summary(.encoded, pixels, [90, 90]) == "b.cbz: 2 pages, 2 encoded as JPEG at quality 90")
        #expect(summary(.encoded, pixels, [90, 80]) == "b.cbz: 2 pages, 2 encoded as JPEG")
        #expect(
            summary(.drawn, Note(.drawing, "resolution", 300), [90])
                == "b.cbz: 1 page, 1 rendered as JPEG at 300 pixels per inch and quality 90")
    }

    @Test func pagesOfSeveralSizesShowTheirRange() {
        let lines = lines([page(1, 800, 1200), page(2, 790, 1210), page(3, 800, 1190)])
        #expect(lines.count == 1)
        #expect(lines[0].contains("  1-3  verbatim  790-800x1190-1210  1.jpg to 3.jpg"))
        #expect(
            PageLines([page(1, 800, 1200), page(2, 800, 1210), page(3, 800, 1190)]).texts[0].english.contains(
                " 800x1190-1210 ")
        )
        #expect(PageLines((1...3).map { page($0, 800, 1200) }).texts[0].english.contains(" 800x1200 "))
        #expect(PageLines([page(1, 800, 1200), page(2, nil, 0), page(3, 800, 1190)]).texts[0].english.contains(" ? "))
    }

    @Test func pagesDifferingOnlyInKeptMarginsShareALine() {
        let kept = [["left": "3", "top": "10"], ["top": "5"], [:], ["left": "7", "top": "9"]]
        var pages = kept.enumerated().map { index, values in
            var page = page(index + 1, 800, 1200)
            let reason = Reason(Note(.ownFile))
            page.reason = values.isEmpty ? reason : reason.with(.detail, Note(.moreKept, values))
            return page
        }
        #expect(lines(pages).count == 1)
        #expect(lines(pages)[0].contains("with 0-7 px more on the left and 0-10 px more on the top"))
        pages[1].reason = pages[1].reason.with(.detail, Note(.rarelyShown))
        #expect(lines(pages).count == 4)
    }

    @Test func pagesOfSeveralBooksHaveLinesOfTheirOwn() {
        let pages = (1...6).map { page($0, 800, 1200, book: $0 <= 3 ? 0 : 1) }
        #expect(lines(pages).map { $0.prefix(7) } == ["  1-3  ", "  4-6  "])
    }
}
