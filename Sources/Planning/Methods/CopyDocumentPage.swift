internal import AdapterKit
internal import PageModel

/// Lets the sink copy the whole page of a document, with its text and links.
struct CopyDocumentPage: PageMethod {
    let document: DocumentPage
    let framing: Framing

    var kept: KeptData { .page(document, framing) }
    var memory: Int { 0 }

    func carryOut(
        _ plan: PagePlan, _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) -> PageResult {
        PageResult(.document(document, framing))
    }

    func shown(of page: Page, _ picture: Picture) -> [ShownPage] {
        var map = PageMap(framing.source)
        if picture.leavesMarginsOut, let size = picture.size {
            map.place(at: PixelRect(size, at: picture.shownPart), on: framing.source)
        }
        map.append(framing)
        return [ShownPage(page: page, map: map, isCopied: true)]
    }
}
