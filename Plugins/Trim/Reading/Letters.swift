internal import LayoutAnalysis
internal import PageModel

/// The classification of blobs as letters and images, with later corrections.
extension TextContextClassifier {
    /// Finds letters and images. Faint letters are print in a long row; in a short one they may be stains or show-through.
    mutating func findLettersAndPictures() {
        for index in blobs.indices where isFree[index] {
            let (box, strength, length) = (blobs[index].box, strength(index), rows.length[index])
            let isRow =
                length >= TextContextLimits.longRow && strength >= DarknessLimits.longRow
                || length >= LetterLimits.shortRow && strength >= DarknessLimits.shortRow
            let minimumSharpness =
                length >= LetterLimits.surestRow ? SharpnessLimits.longRow : SharpnessLimits.shortRow
            if isRow, sharpness(index) >= minimumSharpness, Double(box.height) >= LetterLimits.minimumHeight * letter {
                roles[index] = .letter
            } else if strength >= DarknessLimits.picture, sharpness(index) >= SharpnessLimits.picture,
                Double(box.extent) > LetterLimits.minimumPictureSize * letter,
                Double(blobs[index].area) >= LetterLimits.minimumPictureArea * letter * letter,
                min(box.width, box.height).isAtLeast(LetterLimits.minimumPictureBreadth, of: box.extent)
                    || isHeadpiece(index)
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
            guard (LetterLimits.ambiguousRow..<LetterLimits.surestRow).contains(rows.length[index]),
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
        return strength(index) >= DarknessLimits.clear && sharpness(index) >= SharpnessLimits.headpiece
            && box.width > box.height
            && Double(box.height) >= LetterLimits.minimumHeadpieceHeight * letter
            && area.isAtLeast(LetterLimits.minimumHeadpieceCover, of: box.width * box.height)
            && !isNearEdge(box, TextContextLimits.noPrintMargin)
    }

    /// Removes letters of the facing page.
    ///
    /// They are at the left or right edge, which cuts some of them. A gap of one and a half letters separates them from the rest,
    /// all the way down.
    mutating func dropSliver(cut: [Int]) {
        let letters = blobs.indices.filter {
            isFree[$0] && Double(blobs[$0].box.height) >= SliverLimits.minimumHeight * letter
        }
        for isLeft in [true, false] {
            func span(_ index: Int) -> (low: Int, high: Int) {
                let box = blobs[index].box
                return isLeft ? (box.left, box.right) : (size.width - box.right, size.width - box.left)
            }
            let isCut = cut.count {
                span($0).low <= 1 && SliverLimits.cutHeights.scaled(by: letter).contains(Double(blobs[$0].box.height))
            }
            guard isCut >= SliverLimits.minimumCut else { continue }
            var changes = [Int](repeating: 0, count: size.width + 1)
            for index in letters {
                changes[span(index).low] += 1
                changes[span(index).high] -= 1
            }
            var (inside, gap, end) = (0, 0, -1)
            // The first gap ends it. A column of numbers has a gap after it too.
            for x in 0..<SliverLimits.maximumWidth.of(size.width) where end < 0 {
                inside += changes[x]
                gap = inside == 0 ? gap + 1 : 0
                if Double(gap) >= SliverLimits.minimumGap * letter, x > gap { end = x }
            }
            for index in blobs.indices where span(index).high <= end {
                (roles[index], isFree[index]) = (.noise, false)
            }
        }
    }

    /// Removes from the images the blobs along the edge of the paper.
    ///
    /// An outline is long and thin at any angle, and a stain or a dog-ear is isolated.
    mutating func dropEdgeMarks() {
        guard
            let body = Bounds.union(blobs.indices.filter { roles[$0] == .letter }.map { blobs[$0].box })
        else {
            return
        }
        let letters = blobs.indices.filter { roles[$0] == .letter && rows.length[$0] >= TextContextLimits.longRow }
        for index in blobs.indices where roles[index] == .picture {
            let (area, box) = (blobs[index].area, blobs[index].box)
            if isBentBar(index, body),
                letters.count(where: { box.contains(blobs[$0].box) }) >= TextContextLimits.longRow
            {
                roles[index] = .noise
                continue
            }
            let isNearEdge = isNearEdge(box, TextContextLimits.edgeMargin)
            let isThin =
                Double(area) <= EdgeMarkLimits.outlineThickness * letter * Double(box.width + box.height)
                || area.isAtMost(EdgeMarkLimits.thinCover, of: box.width * box.height)
                    && box.extent > EdgeMarkLimits.thinLength.of(size.height)
            let isFrame =
                isThin
                && (isNearEdge
                    || !box.contains(body) && box.extent.isMore(than: EdgeMarkLimits.frameLength, of: size.height))
            let distance = max(
                body.left - box.right, box.left - body.right, body.top - box.bottom, box.top - body.bottom)
            let isAlone =
                Double(distance) > EdgeMarkLimits.isolation * letter
                && (isNearEdge || Double(box.extent) < EdgeMarkLimits.maximumIsolatedSize * letter)
            if isFrame || isAlone { roles[index] = .noise }
        }
    }

    /// Whether a blob is long and thin along two or three sides of its box, like two edges of the paper with their shadow.
    ///
    /// A frame is closed.
    private func isBentBar(_ index: Int, _ body: Bounds) -> Bool {
        let (blob, box) = (blobs[index], blobs[index].box)
        return blob.lopsidedness >= EdgeMarkLimits.bentLopsidedness
            && box.extent.isMore(than: EdgeMarkLimits.bentLength, of: max(body.width, body.height))
            && Double(blob.area) <= EdgeMarkLimits.bentThickness * letter * Double(box.width + box.height)
    }

    /// Removes blobs in line with streaks at the side of the text.
    ///
    /// The edge of the paper, or the gutter's shadow, is broken into bars. Blobs between them are of the same kind.
    ///
    /// - Returns: the box around the streaks; nil if no blob is in line with any.
    mutating func dropStreaks(nextTo body: Bounds) -> Bounds? {
        let step = max(1, letter / 2)
        func place(_ box: Bounds) -> Int {
            Int(clamping: Double((box.left + box.right) / 2) / step, to: StreakLimits.places) + 1
        }
        let count = Int(clamping: Double(size.width) / step, to: StreakLimits.places) + StreakLimits.borderPlaces
        var lengths = [Int](repeating: 0, count: count)
        var spans = [Bounds?](repeating: nil, count: count)
        for index in blobs.indices where roles[index] != .letter {
            let box = blobs[index].box
            let isBar =
                Double(box.height) >= StreakLimits.minimumBarHeight * letter
                && box.height >= StreakLimits.minimumBarRatio * box.width
            // Bars within the text are columns of handwriting.
            let isBeside = box.left + box.right <= 2 * body.left || box.left + box.right >= 2 * body.right
            guard isBar, isBeside, Double(box.width) <= StreakLimits.maximumBarWidth * letter else { continue }
            lengths[place(box)] += box.height
            spans[place(box)] = spans[place(box)]?.union(box) ?? box
        }
        var streaks: Bounds?
        for index in blobs.indices where isFree[index] && roles[index] != .letter {
            let box = blobs[index].box
            guard box.right <= body.left || box.left >= body.right,
                Double(box.width) <= StreakLimits.maximumWidth * letter
            else { continue }
            let near = place(box) - 1...place(box) + 1
            guard lengths[near].reduce(0, +).isAtLeast(StreakLimits.minimumLength, of: body.height) else { continue }
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
        let away = body.grown(Int(clamping: OutlineLimits.distance * letter, to: 0...size.width), 0)
        let edges = blobs.indices.filter { index in
            let (area, box) = (blobs[index].area, blobs[index].box)
            return roles[index] != .letter && box.height.isAtLeast(OutlineLimits.edgeHeight, of: body.height)
                && Double(area) <= OutlineLimits.edgeThickness * letter * Double(box.width + box.height)
        }
        let outline = Bounds.union(
            (edges.map { blobs[$0].box } + [streaks].compactMap(\.self)).filter {
                $0.left < away.left || $0.right > away.right
            })
        guard let outline, outline.height.isAtLeast(OutlineLimits.outlineHeight, of: body.height) else { return }
        let reach = Int(clamping: OutlineLimits.reach * letter, to: 0...size.height)
        for index in blobs.indices where isFree[index] && roles[index] != .letter {
            let box = blobs[index].box
            // A longer one is a rule.
            guard Double(min(box.width, box.height)) <= OutlineLimits.thickness * letter,
                box.width.isAtMost(OutlineLimits.length, of: body.width),
                box.height.isAtMost(OutlineLimits.length, of: body.height)
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
        for index in blobs.indices where roles[index] == .letter && rows.length[index] < TextContextLimits.longRow {
            let box = blobs[index].box
            let isClear =
                strength(index) >= DarknessLimits.clear
                && Double(box.height)
                    >= (isNoisy ? LetterLimits.minimumTitleHeightAmongSpecks : LetterLimits.minimumTitleHeight) * letter
            if !isClear
                || isNearEdge(box, isNoisy ? TextContextLimits.edgeMargin : TextContextLimits.noPrintMargin),
                near.distance(box) > LetterLimits.farFromText * letter
            {
                roles[index] = .noise
            }
        }
    }
}
