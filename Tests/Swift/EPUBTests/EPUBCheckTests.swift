import PageModel
import Scratch
import Testing

@testable import EPUBSink

/// EPUBCheck, the judge of the format's own makers, over all that an EPUB of jisui's can be.
///
/// Debian has version 4.2, which knows EPUB 3.2: with `--epub-for kindle` nothing later is used.
@Suite(.enabled("epubcheck is not installed") { Program.run("command -v java && test -e /usr/bin/epubcheck") == 0 })
struct EPUBCheckTests {
    /// Each run takes seconds: not every combination is tried, but every part of one.
    @Test(arguments: [(Direction.leftToRight, true), (.rightToLeft, true), (nil, false)])
    func nothingIsWrong(_ direction: Direction?, _ hasOutline: Bool) async throws {
        let scratch = try ScratchFolder()
        let outline = [
            OutlineItem(title: "Part <1> & \"2\"", page: nil, level: 0), OutlineItem(title: "一", page: 2, level: 1),
            OutlineItem(title: "Two", page: 3, level: 2), OutlineItem(title: "Last", page: 4, level: 0),
        ]
        let facts = BookMetadata(
            title: "自炊 <&> \"quoted\"", authors: ["A. Scanner", "B & C"],
            credits: hasOutline
                ? CreatorRole.allCases.map { Credit("Somebody, \($0)", $0) } + [Credit("B & C", .inker)] : [],
            series: hasOutline ? "Series" : nil,
            number: hasOutline ? "3.5" : "three", language: hasOutline ? "ja" : "no such language at all",
            direction: direction, outline: hasOutline ? outline : [])
        let wide = SyntheticEPUB.SyntheticPage(size: PixelSize(width: 120, height: 90))
        let cropped = SyntheticEPUB.SyntheticPage(shown: PixelRect(x: 8, y: 8, width: 40, height: 60), label: "iv")
        let roles = PageRole.allCases.map { SyntheticEPUB.SyntheticPage(roles: [$0, .other]) }
        let address = try #require(WebAddress("https://example.org/?a=1&b=\"<2>\""))
        let linked = SyntheticEPUB.SyntheticPage(links: [
            PageLink(PageArea(left: 0.1, top: 0.1, right: 0.5, bottom: 0.2), to: .page(4, at: nil)),
            PageLink(PageArea(left: 0.1, top: 0.5, right: 0.5, bottom: 0.6), to: .address(address)),
        ])
        let pages = hasOutline ? [.init(), cropped, linked, wide, .init()] + roles : [SyntheticEPUB.SyntheticPage()]
        _ = try await SyntheticEPUB(pages, book: facts, settings: ["epub-for": "kindle"], in: scratch)
        let outcome = try Program.outcome(
            "java -jar /usr/bin/epubcheck --failonwarnings '\(scratch("book.epub"))'", in: scratch.path)
        #expect(outcome.status == 0, "\(outcome.outputText)\(outcome.errorText)")
    }
}
