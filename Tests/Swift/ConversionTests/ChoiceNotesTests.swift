import AdapterKit
import PageModel
import Testing

@testable import Audit
@testable import Conversion
@testable import Planning
@testable import Trim

/// The lines that summarize the choices and losses of a run.
@Suite struct ChoiceNotesTests {
    private func page(_ number: Int, _ notes: [Note] = []) -> PageReport {
        PageReport(
            number: number, source: "page \(number)", sourceID: number, treatment: .lossless,
            reason: notes.reduce(Reason(Note(.joinedCoefficients, "pages", 2))) { $0.with(.detail, $1) })
    }

    private func text(_ code: String, _ pages: [PageReport]) -> String? {
        ChoiceNotes.notes(on: pages).first { $0.code == code }?.message.english
    }

    @Test func seamNoteStatesPaddingLossAndShift() {
        let pages = [
            page(1, [Note(.wider, "pixels", 3), Note(.movedVertically, "pixels", 1)]),
            page(2, [Note(.narrower, "pixels", 2), Note(.cutWherePagesEnd, "pixels", 5)]), page(3),
        ]
        #expect(text("seam", [pages[2]]) == nil)
        #expect(
            text("seam", [pages[0]])
                == "merged pages without loss, with up to 3 px of padding and up to 1 px of vertical shift at the seam")
        #expect(text("seam", [pages[1]]) == "merged pages without loss, with up to 5 px missing at the seam")
        #expect(
            text("seam", pages)
                == "merged pages without loss, with up to 3 px of padding, up to 5 px missing and "
                + "up to 1 px of vertical shift at the seam")
    }

    @Test func convertedSamplesNameTheirPages() {
        let (inks, depth): (Message, Message) = ("converted from CMYK to RGB", "converted to 8 bits per sample")
        let pages = [page(1, [Note(.loss, text: inks)]), page(2), page(3, [Note(.loss, text: depth)])]
        #expect(
            text("samples-converted", pages + [page(4, [Note(.loss, text: inks)])])
                == "pages 1 and 4: converted from CMYK to RGB; page 3: converted to 8 bits per sample")
        #expect(text("samples-converted", [pages[1]]) == nil)
    }

    /// From PDF to PDF, `--pages-as page` alone is refused where pixels change.
    @Test(arguments: [Note.Code.marginsDropped, .slantDropped])
    func hintsToKeepThePageNameRebuild(_ code: Note.Code) {
        let pages = [page(1, [Note(code, ["degrees": "0.8"])])]
        func hint(_ copiesPages: Bool) -> String? {
            ChoiceNotes.notes(on: pages, copiesPages: copiesPages).first { $0.code == code.rawValue }?.hint?.english
        }
        #expect(hint(false) == "use --pages-as page to keep it")
        #expect(hint(true) == "use --rebuild --pages-as page to keep it")
    }

    @Test func slantedScansAreCounted() {
        func slanted(_ code: Note.Code, _ numbers: [Int]) -> Warning? {
            let pages = numbers.map { page($0, [Note(code, ["degrees": "0.8"])]) }
            return ChoiceNotes.notes(on: pages).first { $0.code == code.rawValue }
        }
        let (one, two) = (slanted(.slantRendered, [3]), slanted(.slantRendered, [3, 5]))
        #expect(one?.message.english == "rendered page 3, because the PDF shows its scan slanted")
        #expect(one?.hint?.english.hasSuffix("if nothing hides it") == true)
        #expect(two?.message.english == "rendered pages 3 and 5, because the PDF shows their scans slanted")
        #expect(two?.hint?.english.hasSuffix("if nothing hides them") == true)
        #expect(
            slanted(.slantDropped, [1])?.message.english
                == "left out the slant that the PDF gives the scan on page 1")
        #expect(
            slanted(.slantDropped, [1, 2])?.message.english
                == "left out the slant that the PDF gives the scans on pages 1 and 2")
    }

    /// The halves of a page hide each other, and no margin.
    @Test func onlyMarginsThatNoPageShowsAreHidden() {
        func part(_ number: Int, of source: Int, _ rect: PixelRect) -> PageReport {
            var report = page(number)
            report.sourceID = source
            let size = PixelSize(width: 100, height: 50)
            report.framing = Framing(size, edits: [.keep(rect, of: size)])
            return report
        }
        let left = PixelRect(x: 0, y: 0, width: 48, height: 50)
        let right = PixelRect(x: 48, y: 0, width: 52, height: 50)
        let halves = [part(1, of: 1, left), part(2, of: 1, right)]
        #expect(text("hidden-margins", halves) == nil)
        let trimmed = part(4, of: 2, PixelRect(x: 50, y: 0, width: 45, height: 50))
        let pages = halves + [part(3, of: 2, left), trimmed]
        #expect(text("hidden-margins", pages) == "margins are hidden, not removed, on 2 pages")
        #expect(text("hidden-margins", [part(1, of: 1, left)]) == "margins are hidden, not removed, on 1 page")
    }

    /// The note agrees with the number of trimmed pages in the summary.
    @Test func pagesWithoutTheSharedBoxAreTrimmedOrWhole() {
        func pages(_ kinds: [(PageLayout.Trimming?, isOutlier: Bool)]) -> [JudgedPage] {
            kinds.enumerated().map { index, kind in
                let layout = PageLayout(
                    content: nil, confidence: 1, remark: "", isOutlier: kind.isOutlier, trimming: kind.0)
                return JudgedPage(number: index + 1, findings: [layout], isCut: true)
            }
        }
        func note(_ kinds: [(PageLayout.Trimming?, isOutlier: Bool)]) -> String? {
            Trim().note(on: pages(kinds))?.message.english
        }
        #expect(
            note([
                (.trimmed, false), (.trimmed, true), (.fullBleed, true), (.unseen, true), (.trimmed, true),
                (.filed, true), (nil, true),
            ]) == "not all pages got the book's box: trimmed pages 2 and 5 to their own content and kept page 3 whole")
        #expect(
            note([(.trimmed, false), (.trimmed, true)])
                == "not all pages got the book's box: trimmed page 2 to its own content")
        // A page that stays whole for another reason has no box to share either.
        #expect(note([(.blank, false), (.trimmed, true)]) == nil)
        #expect(note([(.trimmed, true)]) == nil)
        // The conversion may find too little to cut off.
        var uncut = pages([(.trimmed, false), (.trimmed, true)])
        uncut[1].isCut = false
        #expect(
            Trim().note(on: uncut)?.message.english == "not all pages got the book's box: kept page 2 whole")
    }

    @Test func hintForLostLinksPromisesOnlyLinksThatAreKept() {
        var pages = [page(1), page(2)]
        pages[0].lost = [.links]
        let outputs: [(id: String, features: Set<SinkCapabilities.Feature>)] = [
            ("cbz", []), ("epub", [.links]), ("web", [.links, .text]),
        ]
        #expect(
            LostText.warning(of: pages, in: "cbz", outputs)?.hint?.english
                == "use --to epub or --to web to keep links to pages and web addresses")
        pages[1].lost = [.text]
        #expect(
            LostText.warning(of: pages, in: "cbz", outputs)?.hint?.english
                == "use --to web to keep the text, and links to pages and web addresses")
        pages[0].lost = []
        #expect(LostText.warning(of: pages, in: "cbz", outputs)?.hint?.english == "use --to web to keep it")
        #expect(LostText.warning(of: pages, in: "cbz", [])?.hint == nil)
        // Another choice of the same format would keep it.
        #expect(LostText.warning(of: pages, in: "web", outputs)?.isNote == false)
        #expect(LostText.warning(of: pages, in: "cbz", outputs)?.isNote == true)
    }
}
