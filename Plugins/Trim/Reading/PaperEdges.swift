internal import LayoutAnalysis
internal import PageModel

/// The limits of the search for the straight edges of the paper. A letter is the height of letters.
///
/// Measured on 432 pages of 22 books whose print people had marked, among them 20 pages of a gray microfilm. The boxes that
/// are too large went from 39 to 20, together with the search for a page on a table. The pages with cut print stayed 2.
enum PaperEdgeLimits {
    /// The minimum distance of an edge from the text, in letters.
    static let distance = 1.0
    /// The distance from which an edge is far from the text, in letters. The rules of a table are nearer.
    static let farDistance = 3.0
    /// The minimum length of the page's side, in letters. On a shorter one the first letters of few lines form an edge.
    static let minimumSide = 30.0
    /// The number of slopes either way, and the difference between two: up to 6 degrees, as a leaf on a stack has.
    static let (slopes, slopeStep) = (20, 0.005)
    /// The length of a step along an edge, in letters.
    static let step = 0.25
    /// Half the breadth of an edge with its unevenness, in letters.
    static let breadth = 0.4
    /// The minimum share of an edge that is dark: of one near the text, and of one far from it.
    static let (cover, farCover) = (Ratio(2, 5), Ratio(3, 10))
    /// The minimum share of the page's side between the first and the last dark place, of upright and level edges. A
    /// rule or a headpiece resembles a level one.
    static let (uprightExtent, levelExtent) = (Ratio(13, 20), Ratio(17, 20))
    /// The maximum distance of one of these places from the end of the page's side, as a share of it. A frame ends
    /// before.
    static let reach = Ratio(2, 25)
    /// The maximum number of edges along a side: those of a stack of leaves.
    static let maximumEdges = 4
    /// The maximum distance of fragments from the edge, and their maximum thickness, in letters.
    static let (fragmentDistance, thickness) = (0.8, 1.5)
    /// The thickness of fragments of a level edge, in letters, and the ratio of length to thickness of thicker ones. A
    /// page number there is neither.
    static let (levelThickness, levelRatio) = (0.5, 3)
    /// The maximum distance of other marks from an edge far from the text, in letters. Handwriting in a margin was nearer
    /// than 2 letters.
    static let markDistance = 1.0
    /// The maximum breadth of the area beyond such an edge, as a share of the page's width.
    static let beyond = 0.15
    /// The maximum number of marks as large as letters at an edge. A column of text along a ruled line has more; the
    /// edges of the microfilm have up to 6.
    static let maximumSymbols = 8
    /// The minimum shorter side of an image in letters, and the minimum share of its box that it covers.
    static let (imageBreadth, imageCover) = (1.5, Ratio(1, 4))
}

/// The straight edges of the paper outside the text: those of the page, or of a stack of leaves.
extension TextContextClassifier {
    /// Removes fragments along the edges of the paper, and marks beyond edges far from the text.
    ///
    /// An edge is a straight line of fragments outside the text. It is longer than printed rules, and reaches the end of the
    /// page's side. It may slant otherwise than the text. Long rows of letters always stay.
    mutating func dropPaperEdges(_ ink: ForegroundMask, around body: Bounds) {
        // Print above and below the rows. Left and right of them fragments may form rows.
        let column = body.left..<max(body.left + 1, body.right)
        let printed = blobs.indices.filter { index in
            column.contains((blobs[index].box.left + blobs[index].box.right) / 2)
                && (roles[index] == .letter || roles[index] == .picture && isDense(index))
        }
        let text = Bounds.union(printed.map { blobs[$0].box }) ?? body
        var isMark = [Bool](repeating: false, count: ink.blobs.count)
        for index in blobs.indices {
            isMark[index] = roles[index] != .letter || rows.length[index] < TextContextLimits.longRow
        }
        let runs = ink.runs.filter { isMark[Int($0.blob)] }
        for side in PageSide.allCases {
            var line = PaperEdgeSearch(runs, side, around: text, on: page, size: size, letter: letter)
            for _ in 0..<PaperEdgeLimits.maximumEdges {
                guard let edge = line.next() else { break }
                drop(blobs.indices.filter { isFree[$0] && belongs($0, to: edge, side, text) })
            }
        }
    }

    /// Removes the marks of one edge, except a whole column of symbols.
    private mutating func drop(_ marks: [Int]) {
        let symbols = marks.filter { isLikeLetter($0) }
        let areKept = symbols.count > PaperEdgeLimits.maximumSymbols
        if !symbols.isEmpty, !areKept { hasSymbolsAtEdge = true }
        for index in marks where !areKept || !isLikeLetter(index) { (roles[index], isFree[index]) = (.noise, false) }
    }

    /// Whether an image is compact: an edge covers little of its box.
    private func isDense(_ index: Int) -> Bool {
        let (area, box) = (blobs[index].area, blobs[index].box)
        return Double(min(box.width, box.height)) >= PaperEdgeLimits.imageBreadth * letter
            && area.isAtLeast(PaperEdgeLimits.imageCover, of: box.width * box.height)
    }

    /// Whether a level mark is about as wide as the text, and above or below it, like a printed rule.
    private func isRule(_ box: Bounds, _ side: PageSide, _ text: Bounds) -> Bool {
        let column = text.grown(Int(clamping: letter, to: 0...size.width))
        return !side.isUpright && column.left <= box.left && box.right <= column.right && 2 * box.width >= text.width
    }

    /// Whether a blob is a fragment of an edge, or beyond it.
    private func belongs(_ index: Int, to edge: PaperEdge, _ side: PageSide, _ text: Bounds) -> Bool {
        let box = blobs[index].box
        let (along, across) = side.middle(of: box)
        let place = side.outward(edge.place(at: along))
        let isFar = place - side.end(of: text) >= PaperEdgeLimits.farDistance * letter && side.isUpright
        // A short row next to the text is print; on an edge chance makes rows of three.
        guard roles[index] != .letter || isFar && rows.length[index] < TextContextLimits.countedRow else {
            return false
        }
        if isRule(box, side, text) { return false }
        let beyond = side.outward(across) - place
        let (thickness, length) = (Double(side.thickness(of: box)), Double(side.length(of: box)))
        let isThin =
            side.isUpright || thickness < PaperEdgeLimits.levelThickness * letter
            || length >= Double(PaperEdgeLimits.levelRatio) * thickness
        if isThin, abs(beyond) <= PaperEdgeLimits.fragmentDistance * letter,
            thickness - abs(edge.slope) * length <= PaperEdgeLimits.thickness * letter
        {
            return true
        }
        guard isFar, side.end(of: page) - place <= PaperEdgeLimits.beyond * Double(page.width),
            beyond >= -PaperEdgeLimits.markDistance * letter
        else { return false }
        // Farther out, heads and page numbers are above and below the text.
        return beyond <= PaperEdgeLimits.markDistance * letter || box.bottom > text.top && box.top < text.bottom
    }
}
