internal import PageModel

/// The detection of a number at the ends of a first line, with its parts.
extension FirstLine {
    /// Removes possible numbers from both ends of a line's pieces.
    ///
    /// - Parameter column: the text without its marginal notes.
    func takeNumbers(of pieces: inout [TextLineItem], _ column: Bounds?) -> [TextLineItem] {
        // Marginal notes make the text wider than its column. The columns of a table are narrower.
        let minimumWidth = pieces.count == 1 ? FirstLineLimits.notedColumn : FirstLineLimits.notedColumnOfHead
        let edges = column.flatMap { $0.width.isAtLeast(minimumWidth, of: text.width) ? $0 : nil }
        /// Whether a piece at an end may be a number, by its distance from the text's edge and from the next piece.
        func isNumber(_ piece: TextLineItem, toEdge: Int, toNext: Int) -> Bool {
            guard piece.isNumberLike, Double(piece.box.height) >= FirstLineLimits.numberHeight * letter else {
                return false
            }
            let toColumn = edges.map { min(abs(piece.box.left - $0.left), abs(piece.box.right - $0.right)) }
            return Double(min(toEdge, toColumn ?? toEdge)) <= FirstLineLimits.numberToEdge * letter
                || Double(toNext) >= FirstLineLimits.numberToNext * letter
        }
        var ends: [TextLineItem] = []
        if let piece = pieces.first {
            let next = pieces.count > 1 ? pieces[1].box.left - piece.box.right : 0
            if isNumber(piece, toEdge: piece.box.left - text.left, toNext: next) { ends.append(pieces.removeFirst()) }
        }
        if let piece = pieces.last {
            let next = pieces.count > 1 ? piece.box.left - pieces[pieces.count - 2].box.right : 0
            if isNumber(piece, toEdge: text.right - piece.box.right, toNext: next) { ends.append(pieces.removeLast()) }
        }
        return ends
    }

    /// Returns the horizontal distance between two boxes, negative if they overlap.
    func distance(_ one: Bounds, _ other: Bounds) -> Int { max(other.left - one.right, one.left - other.right) }

    /// Whether a piece consists of a few digits between brackets: narrow marks at least as high as the digits.
    func isInBrackets(_ piece: TextLineItem) -> Bool {
        let boxes = piece.blobs.map { blobs[$0].box }.sorted { ($0.left, $0.right) < ($1.left, $1.right) }
        let digits = boxes.dropFirst().dropLast()
        guard let first = boxes.first, let last = boxes.last, let highest = digits.map(\.height).max() else {
            return false
        }
        return digits.count <= FirstLineLimits.digits
            && [first, last].allSatisfy {
                $0.height >= highest && $0.width.isAtMost(FirstLineLimits.bracketWidth, of: $0.height)
            }
    }

    /// Whether the digits between brackets have blanks on both sides, as in "( 482 )": words do not.
    func hasBlanksInBrackets(_ piece: TextLineItem) -> Bool {
        guard isInBrackets(piece) else { return false }
        let boxes = piece.blobs.map { blobs[$0].box }.sorted { ($0.left, $0.right) < ($1.left, $1.right) }
        guard let digits = Bounds.union(boxes.dropFirst().dropLast()), let first = boxes.first, let last = boxes.last
        else { return false }
        return Double(min(digits.left - first.right, last.left - digits.right))
            >= FirstLineLimits.bracketBlank * letter
    }

    /// Whether a box is at the right end of the text or of its column.
    func isAtRightEnd(_ box: Bounds, _ column: Bounds?) -> Bool {
        2 * (box.left - text.left) > text.width
            && [text.right, column?.right ?? text.right].contains {
                Double(abs(box.right - $0)) <= FirstLineLimits.rightEnd * letter
            }
    }

    /// Returns a line split at the widest gap before or after a possible number; nil if there is not one.
    ///
    /// The gap must be nearly as wide as the letters.
    func splitAtNumber(_ line: [Int]) -> (number: TextLineItem, head: TextLineItem)? {
        let line = line.sorted { (blobs[$0].box.left, $0) < (blobs[$1].box.left, $1) }
        func strip(_ some: some Collection<Int>) -> TextLineItem? {
            guard let box = Bounds.union(some.map { blobs[$0].box }) else { return nil }
            return TextLineItem(members: [], box: box, blobCount: some.count, isAtTop: true, blobs: Array(some))
        }
        var best: (gap: Int, number: TextLineItem, head: TextLineItem)?
        for count in FirstLineLimits.tightDigits where line.count >= count + FirstLineLimits.tightHead {
            for (some, rest) in [
                (line.prefix(count), line.dropFirst(count)), (line.suffix(count), line.dropLast(count)),
            ] {
                guard let number = strip(some), let head = strip(rest), number.isNumberLike,
                    Double(number.box.height) >= FirstLineLimits.numberHeight * letter
                else { continue }
                let gap = max(head.box.left - number.box.right, number.box.left - head.box.right)
                let toEdge = min(number.box.left - text.left, text.right - number.box.right)
                if Double(toEdge) <= letter, Double(gap) >= FirstLineLimits.tightGap * letter, gap > best?.gap ?? 0 {
                    best = (gap, number, head)
                }
            }
        }
        return best.map { ($0.number, $0.head) }
    }

    /// Whether the found strips are only part of a line whose rest reaches lower: words that run into the line below.
    func isIncomplete(_ found: [TextLineItem], from rest: ArraySlice<(index: Int, level: Double)>) -> Bool {
        guard let line = Bounds.union(found.map(\.box)), !found.allSatisfy(\.isNumberLike) else { return false }
        let neighbors = rest.prefix { $0.level <= Double(line.bottom) + letter }.map { blobs[$0.index].box }
            .filter { line.isOnSameLine(as: $0) && $0.right > line.left && $0.left < line.right }
        return Double(neighbors.reduce(0) { $0 + $1.width }) > FirstLineLimits.missingWidth * letter
    }

    /// Whether a number is next to a head, a little lower.
    func isLevel(_ number: TextLineItem, with head: TextLineItem) -> Bool {
        guard let digits = Bounds.union(number.blobs.map { blobs[$0].box }.filter(isMark)) else { return false }
        return Double(digits.top - head.box.bottom) <= FirstLineLimits.numberDrop * letter
            && !head.blobs.contains { index in
                let box = blobs[index].box
                return isMark(box) && box.left < digits.right && digits.left < box.right
            }
    }

    /// Returns a number with the fragments broken off its digits.
    func withFragments(_ number: TextLineItem, among all: [Int]) -> TextLineItem {
        var number = number
        let near = number.box.grown(
            Int(clamping: FirstLineLimits.fragmentAcross * letter, to: FirstLineLimits.reachPixels),
            Int(clamping: FirstLineLimits.fragmentAbove * letter, to: FirstLineLimits.reachPixels))
        for index in all where !number.blobs.contains(index) {
            let box = blobs[index].box
            let isAbove = box.top + box.bottom <= number.box.top + number.box.bottom
            if box.intersects(isAbove ? near : number.box), Double(box.extent) <= letter { number.add(index, box) }
        }
        number.isNumberLike = true
        return number
    }
}
