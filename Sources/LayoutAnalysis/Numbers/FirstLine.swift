internal import PageModel

/// The first line of a page of text, as a number and a head.
///
/// They may be as near to the text as its lines are. Then only other pages show whether the line is one.
package struct FirstLine {
    /// The possible number, at an end of the line or by itself, and the possible head.
    package private(set) var strips: [TextLineItem] = []

    let blobs: [ConnectedComponent]
    /// The usual height of letters, in pixels.
    let letter: Double
    /// The box around the text.
    let text: Bounds

    /// - Parameters:
    ///   - blobs: the blobs of the page; those of a group are printed.
    ///   - letter: the usual height of letters, in pixels.
    ///   - text: the box around the text.
    ///   - skew: the counterclockwise angle of the page's lines, in degrees.
    /// - Returns: nil if no number and no head is found.
    package init?(_ blobs: [ConnectedComponent], letter: Double, text: Bounds, skew: Double) {
        (self.blobs, self.letter, self.text) = (blobs, letter, text)
        let slope = skew.radians
        let middle = Double(text.left + text.right) / 2
        /// Returns the vertical position of a blob's middle, along the lines of the page.
        func level(_ box: Bounds) -> Double {
            Double(box.top + box.bottom) / 2 + (Double(box.left + box.right) / 2 - middle) * slope
        }
        let all = blobs.indices.filter { blobs[$0].group >= 0 }.map { (index: $0, level: level(blobs[$0].box)) }
        let marks = all.filter { isMark(blobs[$0.index].box) }.sorted { ($0.level, $0.index) < ($1.level, $1.index) }
        if isReadDown(marks.map(\.index), slope: slope) { return nil }
        var rest = marks[...]
        var above = -Double.infinity
        var skipped: [Int] = []
        while strips.count < 2, let end = end(of: rest) {
            let line = rest.prefix { $0.level <= end }.map(\.index)
            rest = rest.dropFirst(line.count)
            guard rest.count >= FirstLineLimits.minimumOtherLetters else { break }
            let span = Bounds.union(line.map { blobs[$0].box }) ?? text
            let bottom = span.bottom
            let below = rest.prefix { $0.level <= end + 2 * letter }.map { blobs[$0.index].box }
                .filter { Double($0.top - bottom) < FirstLineLimits.accentGap * letter }
            // Accents and remains of show-through, or a speck above a letter.
            let isLow =
                !below.isEmpty && !line.contains { Double(blobs[$0].box.height) >= FirstLineLimits.lineHeight * letter }
            let isSpeck =
                line.count == 1 && Double(span.extent) <= letter
                && below.contains { $0.left < span.right && span.left < $0.right }
            if isLow || isSpeck {
                skipped += line
                continue
            }
            // An image that begins above is not part of a line.
            if all.contains(where: { isPicture(blobs[$0.index].box, above: span) }) { break }
            let isAboveOrnament = all.contains { isOrnament(blobs[$0.index].box, below: end) }
            let others = all.filter { $0.level > above && $0.level <= end && !isMark(blobs[$0.index].box) }.map(\.index)
            // Below a head without a number, a number may be a little lower. The rules there are those of the head.
            let hasHead = !strips.allSatisfy(\.isNumberLike)
            let rules = hasHead ? others.filter { isRule(blobs[$0].box) } : []
            let found = pieces(
                of: line, others.filter { !rules.contains($0) } + skipped, above: rest,
                isAboveOrnament: isAboveOrnament)
            skipped = []
            if found.isEmpty || isIncomplete(found, from: rest) { break }
            if hasHead, !found.allSatisfy({ $0.isNumberLike && isLevel($0, with: strips[0]) }) { break }
            let setting = LineSetting(
                line.map { blobs[$0].box },
                above: lines(of: rest, LineSettingLimits.lines).map { $0.map { blobs[$0].box } },
                in: [text] + columns(of: rest), letter: letter, level: level)
            for index in rules { strips[0].add(index, blobs[index].box) }
            strips += found.map { $0.set(setting, isBelowNumber: !strips.isEmpty) }
            if hasHead { break }
            above = end
        }
        strips = strips.map { $0.isNumberLike ? withFragments($0, among: all.map(\.index)) : $0 }
        if strips.isEmpty { return nil }
    }

    /// Whether a box may be an image that begins above the end of a line.
    private func isPicture(_ box: Bounds, above line: Bounds) -> Bool {
        Double(box.height) > FirstLineLimits.pictureHeight * letter
            && Double(box.width) > FirstLineLimits.pictureWidth * letter && !box.contains(text)
            && Double(box.top) < Double(line.bottom) - FirstLineLimits.pictureRise * letter
            && (box.top < line.top || box.left < line.right && line.left < box.right)
    }

    /// Whether a box may be a rule above or below a head and the number next to it.
    private func isRule(_ box: Bounds) -> Bool { Double(box.width) > FirstLineLimits.ruleWidth * letter }

    /// Whether a box may be an ornament that begins near the end of a line.
    private func isOrnament(_ box: Bounds, below end: Double) -> Bool {
        Double(box.extent) > FirstLineLimits.ornamentSize * letter
            && Double(box.height) > FirstLineLimits.ornamentHeight * letter
            && abs(Double(box.top) - end) < FirstLineLimits.ornamentGap * letter
    }

    /// Whether the text's lines run from top to bottom, as in Japanese: the gaps between them are larger than those in them.
    private func isReadDown(_ marks: [Int], slope: Double) -> Bool {
        let reach = Int(clamping: FirstLineLimits.columnCore * letter, to: FirstLineLimits.reachPixels)
        var rows = [Bool](repeating: true, count: text.height)
        var columns = [Bool](repeating: true, count: text.width)
        for index in marks where text.contains(blobs[index].box) {
            let box = blobs[index].box
            let (x, y) = (Double(box.left + box.right) / 2, Double(box.top + box.bottom) / 2)
            let (middleX, middleY) = (Double(text.left + text.right) / 2, Double(text.top + text.bottom) / 2)
            let row = Int(clamping: y + (x - middleX) * slope, to: text.top...text.bottom - 1) - text.top
            let column = Int(clamping: x - (y - middleY) * slope, to: text.left...text.right - 1) - text.left
            for place in max(0, row - reach)...min(rows.count - 1, row + reach) { rows[place] = false }
            for place in max(0, column - reach)...min(columns.count - 1, column + reach) { columns[place] = false }
        }
        return columns.count { $0 } * rows.count >= rows.count { $0 } * columns.count
    }

    /// Whether a box may be part of a line: rules, specks and images are not.
    func isMark(_ box: Bounds) -> Bool {
        FirstLineLimits.mark.matches(box, unit: letter)
    }

    /// Returns the level at which the first line of some marks ends; nil if they do not form a line.
    ///
    /// Letters reach into the lines above and below, but their middles do not.
    private func end(of marks: ArraySlice<(index: Int, level: Double)>) -> Double? {
        guard let first = marks.first else { return nil }
        let core = FirstLineLimits.core * letter
        let start = first.level - core
        var rows = [Int](
            repeating: 0, count: Int(clamping: FirstLineLimits.lineDepth * letter, to: FirstLineLimits.depthPixels))
        for mark in marks {
            let from = Int(clamping: mark.level - core - start, to: FirstLineLimits.levels)
            if from >= rows.count { break }
            let to = Int(clamping: mark.level + core - start, to: from...rows.count - 1)
            for row in from...to { rows[row] += blobs[mark.index].box.width }
        }
        var maximumWidth = 0
        var gap: Int?
        for (row, width) in rows.enumerated() {
            maximumWidth = max(maximumWidth, width)
            let isGap = width.isAtMost(FirstLineLimits.gapInk, of: maximumWidth)
            if let gap, !isGap { return start + Double(gap + row) / 2 }
            if gap == nil, Double(row) >= FirstLineLimits.minimumDepth * letter, isGap { gap = row }
        }
        return gap.map { start + Double($0) }
    }

    /// Whether the first line of some marks is part of a text, not of a title.
    ///
    /// Such a line begins at the text's edge, or fills its width.
    private func isText(_ marks: ArraySlice<(index: Int, level: Double)>) -> Bool {
        guard let end = end(of: marks),
            let line = Bounds.union(marks.prefix { $0.level <= end }.map { blobs[$0.index].box })
        else { return false }
        if Double(line.left - text.left) <= FirstLineLimits.indent * letter
            || line.width.isAtLeast(FirstLineLimits.fullWidth, of: text.width)
        {
            return true
        }
        // Marginal notes make the text wider than its column.
        guard let column = column(lines(of: marks).dropFirst()) else { return false }
        return Double(abs(line.left - column.left)) <= letter
            && column.width.isAtLeast(FirstLineLimits.columnWidth, of: text.width)
    }

    /// Whether one of the first lines of some marks has a number at an end, like those of a table.
    private func isTable(_ marks: ArraySlice<(index: Int, level: Double)>) -> Bool {
        lines(of: marks, FirstLineLimits.tableLines).contains { line in
            var pieces = pieces(of: line)
            return !takeNumbers(of: &pieces, nil).isEmpty
        }
    }

    /// Returns the first lines of some marks.
    private func lines(of marks: ArraySlice<(index: Int, level: Double)>, _ count: Int = FirstLineLimits.columnLines)
        -> [[Int]]
    {
        var (rest, lines) = (marks, [[Int]]())
        while lines.count < count, let end = end(of: rest) {
            lines.append(rest.prefix { $0.level <= end }.map(\.index))
            rest = rest.dropFirst(lines[lines.count - 1].count)
        }
        return lines
    }

    /// Returns the widest piece of the first lines of some marks: the text without its marginal notes.
    private func column(of marks: ArraySlice<(index: Int, level: Double)>) -> Bounds? {
        column(lines(of: marks)[...])
    }

    /// Returns the text's column next to marginal notes, if it is a good part of the text.
    private func columns(of marks: ArraySlice<(index: Int, level: Double)>) -> [Bounds] {
        [column(of: marks)].compactMap(\.self).filter { 2 * $0.width >= text.width }
    }

    private func column(_ lines: ArraySlice<[Int]>) -> Bounds? {
        lines.flatMap { pieces(of: $0) }.map(\.box).max { $0.width < $1.width }
    }

    /// Returns a line split at wide gaps.
    private func pieces(of line: [Int]) -> [TextLineItem] {
        var pieces: [TextLineItem] = []
        for index in line.sorted(by: { (blobs[$0].box.left, $0) < (blobs[$1].box.left, $1) }) {
            let box = blobs[index].box
            if let last = pieces.indices.last,
                Double(box.left - pieces[last].box.right) < FirstLineLimits.pieceGap * letter
            {
                pieces[last].add(index, box)
            } else {
                pieces.append(
                    TextLineItem(members: [], box: box, blobCount: 1, isAtTop: true, blobs: [index]))
            }
        }
        return pieces
    }

    /// Returns a line split at wide gaps into possible numbers at its ends, and the rest.
    ///
    /// - Parameter others: non-letters above or in the line.
    private func pieces(
        of line: [Int], _ others: [Int], above following: ArraySlice<(index: Int, level: Double)>, isAboveOrnament: Bool
    ) -> [TextLineItem] {
        var pieces = pieces(of: line)
        let column = column(of: following)
        var ends = takeNumbers(of: &pieces, column)
        var isTight = false
        if ends.isEmpty, let whole = Bounds.union(pieces.map(\.box)),
            whole.width.isMore(than: FirstLineLimits.wideLine, of: text.width),
            let split = splitAtNumber(line)
        {
            (ends, pieces, isTight) = ([split.number], [split.head], true)
        }
        guard var head = pieces.first else {
            guard ends.count == 1 else { return [] }
            // Specks; but a mark above a headpiece is part of it.
            for index in others
            where !isAboveOrnament && Double(blobs[index].box.height) <= FirstLineLimits.speckHeight * letter {
                ends[0].add(index, blobs[index].box)
            }
            ends[0].isNumberLike = true
            ends[0].isAtRightEnd = isAtRightEnd(ends[0].box, column)
            return ends
        }
        for piece in pieces.dropFirst() {
            for index in piece.blobs { head.add(index, blobs[index].box) }
        }
        head.shape = LineShape(head.blobs.map { blobs[$0] }, in: head.box, letter: letter)
        if pieces.count > 1, let longest = pieces.max(by: { $0.box.width < $1.box.width }) {
            head.mainShape = LineShape(longest.blobs.map { blobs[$0] }, in: longest.box, letter: letter)
        }
        for column in [text] + [column].compactMap(\.self) {
            let (left, right) = (head.box.left - column.left, column.right - head.box.right)
            guard Double(min(left, right)) >= FirstLineLimits.inset * letter else { continue }
            head.isInset = true
            let isInMiddle =
                abs(left - right).isAtMost(FirstLineLimits.centered, of: column.width)
                && head.box.width.isAtMost(FirstLineLimits.centeredWidth, of: column.width)
            if isInMiddle, isText(following) { head.isCentered = true }
        }
        head.isWithNumber = head.isCentered && ends.count == 1 && !isTight && !isTable(following)
        // A line as wide as the text is part of it.
        if ends.isEmpty, !head.isInset, head.box.width.isMore(than: FirstLineLimits.wideLine, of: text.width) {
            return []
        }
        if pieces.count == 1, ends.isEmpty, head.isNumberLike, !head.isCentered, !isText(following) { return [] }
        let isNumber =
            pieces.count == 1 && ends.isEmpty && head.isNumberLike
            && (head.blobCount <= FirstLineLimits.digits || isInBrackets(head))
        head.isInBrackets = isNumber && hasBlanksInBrackets(head)
        head.core = head.box
        add(others, to: &head, &ends)
        // Rules on both sides of a number do not make it a head.
        head.isNumberLike = isNumber
        head.isTight = isTight
        for index in ends.indices { (ends[index].isNumberLike, ends[index].isTight) = (true, isTight) }
        return ends + [head]
    }

    /// Adds stray marks of a line to the nearest of its head and its numbers.
    private func add(_ others: [Int], to head: inout TextLineItem, _ ends: inout [TextLineItem]) {
        let core = head.box
        for index in others {
            let box = blobs[index].box
            let number = ends.indices.min { distance(box, ends[$0].box) < distance(box, ends[$1].box) }
            if let number, distance(box, ends[number].box) < distance(box, core) {
                ends[number].add(index, box)
            } else {
                head.add(index, box)
            }
        }
    }
}
