internal import PageModel

extension Trim {
    /// Trims pages that are seen as one alike: from the same row to the same row, and not at the fold between them.
    static func match(_ decisions: inout [Int: Decision], _ findings: [Int: PageFinding], _ pages: [Page]) {
        for first in pages.indices.dropLast() where pages[first].facesNext {
            let both = [first, first + 1]
            let sizes = both.compactMap { findings[$0]?.page.size }
            let boxes = both.map { decisions[$0]?.box.map { Box($0) } }
            guard sizes.count == 2, boxes.contains(where: { $0 != nil }) else { continue }
            let whole = sizes.map { Box(left: 0, top: 0, right: $0.width, bottom: $0.height) }
            let top = min((boxes[0] ?? whole[0]).top, (boxes[1] ?? whole[1]).top)
            let bottom = max((boxes[0] ?? whole[0]).bottom, (boxes[1] ?? whole[1]).bottom)
            for (place, page) in both.enumerated() {
                var box = boxes[place] ?? whole[place]
                box.top = top
                box.bottom = min(bottom, whole[place].bottom)
                if pages[page].side == .left { box.right = whole[place].right } else { box.left = 0 }
                decisions[page]?.box = box.rect
                decisions[page]?.remark += "; as one with the page it faces"
            }
        }
    }
}
