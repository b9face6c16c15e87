internal import PageModel

/// What is known of one page when the whole book has been looked at, in pixels of the page.
struct PageFinding {
    let page: SeenPage
    /// The box around what is to be kept; nil when there is nothing.
    let content: PixelRect?
    let pageNumber: PixelRect?
    let head: PixelRect?

    init(_ page: SeenPage, numbers: [Candidate], heads: [Candidate], _ options: TrimOptions) {
        self.page = page
        pageNumber = numbers.first?.rect
        head = heads.first?.rect
        var left: Set<Candidate> = []
        if options.leavesOutNumbers { left.formUnion(numbers) }
        if options.leavesOutHeads { left.formUnion(heads) }
        let kept = page.candidates.filter { !left.contains($0) }.map { Box($0.rect) }
        content = Box.union(kept + (page.body.map { [Box($0)] } ?? []))?.rect
    }

    var isPrinted: Bool { page.kind == .printed && content != nil }

    /// On how many sides content reaches the page's edge.
    var bledSides: Int {
        guard let content else { return 0 }
        let (near, size) = (max(2, min(page.size.width, page.size.height) / 200), page.size)
        let sides = [
            content.x <= near, content.y <= near, content.x + content.width >= size.width - near,
            content.y + content.height >= size.height - near,
        ]
        return sides.count { $0 }
    }

    var bleeds: Bool { bledSides > 0 }
}
