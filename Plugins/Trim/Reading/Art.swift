internal import PageModel

/// The decision whether a page is a page of text.
extension TextContextClassifier {
    /// Whether images outweigh letters so much that the page is to be analyzed as art.
    ///
    /// - Parameters:
    ///   - mayBe: whether blobs may be print. It has a value for each.
    ///   - isScan: whether the paper has a grain. Then outlines and blobs at the edges are not a sign of art.
    ///   - isPaperSeen: whether the image has paper along its edges.
    func isArt(_ mayBe: [Bool], isScan: Bool, isPaperSeen: Bool) -> Bool {
        if !isPaperSeen {
            // Chance makes rows of an image's marks, but not of most of them.
            var (letters, all) = (0, 0)
            for index in blobs.indices where isFree[index] {
                all += blobs[index].area
                if roles[index] == .letter { letters += blobs[index].area }
            }
            if letterCount < TextContextClassifier.minimumTextLetters || 3 * letters < all { return true }
        }
        if !isScan, hasBand { return true }
        if !isScan, leavesOutLittle { return false }
        let isLittleText = letterCount < 120
        if !isScan, tonedSides(mayBe) >= 3 { return true }
        var (letters, art) = (0, 0)
        for (index, blob) in blobs.enumerated() where mayBe[index] {
            let box = blob.box
            if roles[index] == .letter {
                letters += blob.area
            } else if Double(box.extent) > 4 * letter, blob.deepArea * 2 > blob.area {
                if !isScan, isLittleText, 8 * min(box.width, box.height) >= size.width { return true }
                let isDense = 4 * blob.area > box.width * box.height
                // A blob outside the paper is narrower than an image that runs off the page.
                let isWide = 5 * min(box.width, box.height) >= size.width
                if !isScan || isDense && (isFree[index] || isWide) { art += blob.area }
            }
        }
        return 2 * art > (isScan && !isLittleText ? 8 : 3) * letters
    }

    /// Whether a possible image that is not treated as print reaches beyond the text.
    ///
    /// Such an image is large and sharp, or dense and wide, even at the edge.
    ///
    /// - Parameters:
    ///   - mayBe: whether blobs may be print. It has a value for each.
    ///   - isScan: whether the paper has a grain. Without one, blobs at the edges are not shadows.
    func leavesOutArt(_ mayBe: [Bool], isScan: Bool) -> Bool {
        if !isScan, hasBand || tonedSides(mayBe) >= 3 { return true }
        guard let text = text?.grown(Int(clamping: letter, to: 0...size.height)) else { return true }
        return blobs.indices.contains { index in
            let (area, box) = (blobs[index].area, blobs[index].box)
            guard roles[index] == .noise, !text.contains(box) else { return false }
            if isFree[index], strength(index) >= 0.2, sharpness(index) >= Sharpness.picture {
                return Double(min(box.width, box.height)) > letter
            }
            if !isScan {
                return 10 * area > box.width * box.height && Double(min(box.width, box.height)) > 2 * letter
            }
            return 4 * area > box.width * box.height && 5 * min(box.width, box.height) >= size.width
        }
    }

    /// Whether all supposed dirt outside the print is specks and bars along the edges, and little of it.
    private var leavesOutLittle: Bool {
        guard let print = Bounds.union(blobs.indices.filter { roles[$0] != .noise }.map { blobs[$0].box }) else {
            return false
        }
        var (within, specks) = (0, 0)
        for (index, blob) in blobs.enumerated() {
            if print.contains(blob.box) {
                within += blob.area
            } else if !isFree[index], !blob.box.touchesEdge(of: size) {
                // A known streak, ruler or chart.
                continue
            } else if blob.box.touchesEdge(of: size), !isFree[index] {
                // A bar, or an outline of the paper; a panel of a comic contains more.
                let isBar = Double(min(blob.box.width, blob.box.height)) <= 2 * letter
                if !isBar, 10 * blob.area > blob.box.width * blob.box.height { return false }
                if Double(blob.box.extent) < 2 * letter { specks += blob.area }
            } else {
                // A speck that is smaller than a symbol.
                if Double(blob.box.extent) > 0.5 * letter, !isNearEdge(blob.box, TextContextClassifier.noPrintMargin) {
                    return false
                }
                specks += blob.area
            }
        }
        return letterCount >= TextContextClassifier.minimumTextLetters && 20 * specks <= within
    }

    /// Whether a gray or colored bar runs along an edge of a page that is not a scan: it is part of the design.
    ///
    /// The edges that a scanner leaves on black-and-white pages are black.
    private var hasBand: Bool {
        blobs.contains { blob in
            blob.box.touchesEdge(of: size) && blob.deepArea > 0 && blob.contrast < TextContextClassifier.black
                && 2 * blob.box.extent >= min(size.width, size.height)
                && 2 * blob.area >= blob.box.width * blob.box.height
        }
    }

    private static let black = 200
    /// The minimum number of letters in a text.
    private static let minimumTextLetters = 60

    /// Returns the number of sides with so many blobs at the edge that they must be screentone.
    private func tonedSides(_ mayBe: [Bool]) -> Int {
        var counts = [0, 0, 0, 0]
        for (index, blob) in blobs.enumerated() where mayBe[index] {
            if blob.box.left == 0 { counts[0] += 1 }
            if blob.box.top == 0 { counts[1] += 1 }
            if blob.box.right == size.width { counts[2] += 1 }
            if blob.box.bottom == size.height { counts[3] += 1 }
        }
        return counts.count { $0 > 30 }
    }
}
