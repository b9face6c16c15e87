internal import PageModel

/// The classification of blobs as letters and images, with later corrections.
extension TextContextClassifier {
    /// Finds letters and images. Faint letters are print in a long row; in a short one they may be stains or show-through.
    mutating func findLettersAndPictures() {
        for index in blobs.indices where isFree[index] {
            let (box, strength, length) = (blobs[index].box, strength(index), rows.length[index])
            let isRow = length >= TextContextClassifier.longRow && strength >= 0.35 || length >= 3 && strength >= 0.6
            let minimumSharpness = length >= TextContextClassifier.surestRow ? Sharpness.longRow : Sharpness.shortRow
            if isRow, sharpness(index) >= minimumSharpness, Double(box.height) >= 0.45 * letter {
                roles[index] = .letter
            } else if strength >= 0.5, sharpness(index) >= Sharpness.picture,
                Double(box.extent) > 2.5 * letter,
                Double(blobs[index].area) >= 2 * letter * letter,
                5 * min(box.width, box.height) >= box.extent || isHeadpiece(index)
            {
                roles[index] = .picture
            }
        }
    }

    /// Removes the letters of short rows in which most marks are not letters: chance makes rows of specks and of a stain's edge.
    mutating func dropAmbiguousRows() {
        var counts: [Int: Int] = [:]
        for index in blobs.indices where roles[index] == .letter { counts[rows.number[index], default: 0] += 1 }
        for index in blobs.indices where roles[index] == .letter {
            guard (5..<TextContextClassifier.surestRow).contains(rows.length[index]),
                2 * counts[rows.number[index], default: 0] < rows.length[index]
            else { continue }
            roles[index] = .noise
            rows.leave(index)
        }
    }

    /// Whether a wide blob is an ornament above or below text, rather than a crease or the shadow of an edge.
    ///
    /// Those are neither so high nor as sharp.
    private func isHeadpiece(_ index: Int) -> Bool {
        let (area, box) = (blobs[index].area, blobs[index].box)
        return strength(index) >= 0.8 && sharpness(index) >= 0.62 && box.width > box.height
            && Double(box.height) >= 1.5 * letter && 4 * area >= box.width * box.height
            && !isNearEdge(box, TextContextClassifier.noPrintMargin)
    }

    /// The length of a row of letters that is print even if its edges are soft, as in the shadow of the binding.
    private static let surestRow = 30

    /// Removes letters of the facing page.
    ///
    /// They are at the left or right edge, which cuts some of them. A gap of one and a half letters separates them from the rest,
    /// all the way down.
    mutating func dropSliver(cut: [Int]) {
        let letters = blobs.indices.filter {
            isFree[$0] && Double(blobs[$0].box.height) >= 0.4 * letter
        }
        for isLeft in [true, false] {
            func span(_ index: Int) -> (low: Int, high: Int) {
                let box = blobs[index].box
                return isLeft ? (box.left, box.right) : (size.width - box.right, size.width - box.left)
            }
            let isCut = cut.count {
                span($0).low <= 1 && (0.4 * letter...3 * letter).contains(Double(blobs[$0].box.height))
            }
            guard isCut >= 4 else { continue }
            var changes = [Int](repeating: 0, count: size.width + 1)
            for index in letters {
                changes[span(index).low] += 1
                changes[span(index).high] -= 1
            }
            var (inside, gap, end) = (0, 0, -1)
            for x in 0..<size.width * 15 / 100 {
                inside += changes[x]
                gap = inside == 0 ? gap + 1 : 0
                if Double(gap) >= 1.5 * letter, x > gap { end = x }
            }
            for index in blobs.indices where span(index).high <= end {
                (roles[index], isFree[index]) = (.noise, false)
            }
        }
    }

    /// Removes from the images the blobs along the rim of the paper.
    ///
    /// An outline is long and thin at any angle, and a stain or a dog-ear is isolated.
    mutating func dropEdgeMarks() {
        guard
            let body = Bounds.union(blobs.indices.filter { roles[$0] == .letter }.map { blobs[$0].box })
        else {
            return
        }
        let letters = blobs.indices.filter { roles[$0] == .letter && rows.length[$0] >= TextContextClassifier.longRow }
        for index in blobs.indices where roles[index] == .picture {
            let (area, box) = (blobs[index].area, blobs[index].box)
            if isBentBar(index, body),
                letters.count(where: { box.contains(blobs[$0].box) }) >= TextContextClassifier.longRow
            {
                roles[index] = .noise
                continue
            }
            let isNearEdge = isNearEdge(box, TextContextClassifier.edgeMargin)
            let isThin =
                Double(area) <= 0.5 * letter * Double(box.width + box.height)
                || 4 * area <= box.width * box.height && box.extent > size.height / 4
            let isFrame = isThin && (isNearEdge || !box.contains(body) && 5 * box.extent > 2 * size.height)
            let distance = max(
                body.left - box.right, box.left - body.right, body.top - box.bottom, box.top - body.bottom)
            let isAlone = Double(distance) > 2 * letter && (isNearEdge || Double(box.extent) < 4 * letter)
            if isFrame || isAlone { roles[index] = .noise }
        }
    }

    /// Whether a blob is long and thin along two or three sides of its box, like two edges of the paper with their shadow.
    ///
    /// A frame is closed.
    private func isBentBar(_ index: Int, _ body: Bounds) -> Bool {
        let (blob, box) = (blobs[index], blobs[index].box)
        return blob.lopsidedness >= 0.15 && 5 * box.extent > max(body.width, body.height)
            && Double(blob.area) <= 1.2 * letter * Double(box.width + box.height)
    }

    /// Removes blobs in line with streaks at the side of the text.
    ///
    /// The edge of the paper, or the gutter's shadow, is broken into bars. Blobs between them are of the same kind.
    ///
    /// - Returns: the box around the streaks; nil if no blob is in line with any.
    mutating func dropStreaks(beside body: Bounds) -> Bounds? {
        let step = max(1, letter / 2)
        func place(_ box: Bounds) -> Int {
            Int(clamping: Double((box.left + box.right) / 2) / step, to: 0...1 << 20) + 1
        }
        let count = Int(clamping: Double(size.width) / step, to: 0...1 << 20) + 3
        var lengths = [Int](repeating: 0, count: count)
        var spans = [Bounds?](repeating: nil, count: count)
        for index in blobs.indices where roles[index] != .letter {
            let box = blobs[index].box
            let isBar = Double(box.height) >= 2.5 * letter && box.height >= 4 * box.width
            guard isBar, Double(box.width) <= 0.7 * letter else { continue }
            lengths[place(box)] += box.height
            spans[place(box)] = spans[place(box)]?.union(box) ?? box
        }
        var streaks: Bounds?
        for index in blobs.indices where isFree[index] && roles[index] != .letter {
            let box = blobs[index].box
            guard box.right <= body.left || box.left >= body.right, Double(box.width) <= 1.2 * letter else { continue }
            let near = place(box) - 1...place(box) + 1
            guard 6 * lengths[near].reduce(0, +) >= body.height else { continue }
            (roles[index], isFree[index]) = (.noise, false)
            streaks = Bounds.union([streaks].compactMap(\.self) + spans[near].compactMap(\.self))
        }
        return streaks
    }

    /// Removes thin fragments along the outline of the paper.
    ///
    /// It needs an edge of the paper that is visible well away from the text. The edge has to show the paper's height.
    ///
    /// - Parameter streaks: the box around the streaks at the side of the text.
    mutating func dropOutline(around body: Bounds, _ streaks: Bounds?) {
        let away = body.grown(Int(clamping: 1.5 * letter, to: 0...size.width), 0)
        let edges = blobs.indices.filter { index in
            let (area, box) = (blobs[index].area, blobs[index].box)
            return roles[index] != .letter && 3 * box.height >= body.height
                && Double(area) <= 1.2 * letter * Double(box.width + box.height)
        }
        let outline = Bounds.union(
            (edges.map { blobs[$0].box } + [streaks].compactMap(\.self)).filter {
                $0.left < away.left || $0.right > away.right
            })
        guard let outline, 5 * outline.height >= 4 * body.height else { return }
        let reach = Int(clamping: 0.7 * letter, to: 0...size.height)
        for index in blobs.indices where isFree[index] && roles[index] != .letter {
            let box = blobs[index].box
            // A longer one is a rule.
            guard Double(min(box.width, box.height)) <= 0.4 * letter, 5 * box.width <= body.width,
                5 * box.height <= body.height
            else { continue }
            let isAtSide =
                box.right <= away.left && abs(box.left - outline.left) <= reach
                || box.left >= away.right && abs(box.right - outline.right) <= reach
            let isBeyond =
                box.bottom <= body.top + reach / 2 && abs(box.top - outline.top) <= reach
                || box.top >= body.bottom - reach / 2 && abs(box.bottom - outline.bottom) <= reach
            if isAtSide && box.height >= 2 * box.width || isBeyond && box.width >= 2 * box.height {
                (roles[index], isFree[index]) = (.noise, false)
            }
        }
    }

    /// Removes short rows far from the long ones, unless they are as dark and large as these: a title, a number.
    mutating func dropShortRows(awayFrom near: DistanceMap) {
        for index in blobs.indices where roles[index] == .letter && rows.length[index] < TextContextClassifier.longRow {
            let box = blobs[index].box
            let isClear = strength(index) >= 0.8 && Double(box.height) >= (isNoisy ? 0.8 : 0.5) * letter
            if !isClear
                || isNearEdge(box, isNoisy ? TextContextClassifier.edgeMargin : TextContextClassifier.noPrintMargin),
                near.distance(box) > 4 * letter
            {
                roles[index] = .noise
            }
        }
    }
}
