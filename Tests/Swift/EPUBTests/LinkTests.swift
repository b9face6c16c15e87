import AdapterKit
import Metadata
import PageModel
import Scratch
import Testing

@testable import EPUBSink
@testable import EPUBSource

/// Links over pages of EPUBs, jisui's own and others'.
@Suite struct EPUBLinkTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func open(_ path: String) async throws -> OpenedBook {
        try await EPUBSource().open(Input(path: path), settings: Settings(), limits: Limits())
    }

    private static let area = PageArea(left: 0.25, top: 0.5, right: 0.75, bottom: 0.6)

    private static func links() throws -> [PageLink] {
        let address = try #require(WebAddress("https://example.org/?a=1&b=\"<2>\""))
        return [
            PageLink(area, to: .page(3, at: nil)), PageLink(.page, to: .address(address)),
            PageLink(area, to: .page(1, at: nil)), PageLink(area, to: .page(99, at: nil)),
            PageLink(area, to: .other("a script")),
        ]
    }

    @Test func linksRoundTrip() async throws {
        let links = try Self.links()
        for shown in [nil, PixelRect(x: 8, y: 16, width: 40, height: 50)] {
            let name = shown == nil ? "whole.epub" : "part.epub"
            _ = try await SyntheticEPUB(
                [.init(), .init(shown: shown, links: links), .init()], name: name, in: scratch)
            let pages = try await open(scratch(name)).sequence.pages
            let found = try await pages[1].links()
            #expect(found.map(\.target) == links.prefix(3).map(\.target))
            for (one, other) in zip(found, links) {
                let edges = [
                    one.area.left - other.area.left, one.area.top - other.area.top, one.area.right - other.area.right,
                    one.area.bottom - other.area.bottom,
                ]
                #expect(edges.allSatisfy { abs($0) < 0.001 }, "\(one.area)")
            }
            #expect(try await pages[0].links().isEmpty)
        }
    }

    @Test func aLinkIsARectangleOverThePicture() async throws {
        let made = try await SyntheticEPUB(
            [.init(), .init(shown: PixelRect(x: 8, y: 16, width: 40, height: 50), links: try Self.links())], in: scratch
        )
        let page = try made.document("item/xhtml/p-0002.xhtml")
        let svg = try #require(page.descendants(XMLName("svg", in: "http://www.w3.org/2000/svg")).first)
        #expect(svg.elements.map(\.name.local) == ["image", "a", "a"])
        let rect = svg.elements[2].elements[0]
        #expect([rect["x"], rect["y"], rect["width"], rect["height"]] == ["18", "41", "20", "5"])
        #expect(svg.elements[2].attributes.first { $0.name.local == "href" }?.value == "p-cover.xhtml")
        // With the role of an image, screen readers would not announce its links.
        #expect(svg["role"] == nil)
        let cover = try made.document("item/xhtml/p-cover.xhtml")
        #expect(cover.descendants(XMLName("svg", in: "http://www.w3.org/2000/svg")).first?["role"] == "img")
    }

    @Test func linksToScriptsAreListed() throws {
        let document = """
            <html><body><a href="javascript:x"><img src="a.jpg"/></a></body></html>
            """
        let content = PageContent(try XMLReader.read(Array(document.utf8)))
        #expect(content.anchors.map(\.link) == ["javascript:x"] && content.anchors.allSatisfy { $0.area == nil })
    }

    /// A transformed area of the picture is elsewhere than its coordinates state.
    @Test func transformedLinksAreIgnored() throws {
        let document = """
            <svg viewBox="0 0 10 10"><image href="a.jpg" width="10" height="10"/>
            <a href="b" transform="rotate(45)"><rect x="1" y="1" width="1" height="1"/></a>
            <a href="c"><rect x="2" y="4" width="4px" height="3"/></a><a href="d"><rect x="2"/></a></svg>
            """
        let content = PageContent(try XMLReader.read(Array(document.utf8)))
        #expect(content.anchors.first?.link == "c")
        #expect(content.anchors.first?.area == PageArea(left: 0.2, top: 0.4, right: 0.6, bottom: 0.7))
    }
}
