internal import LayoutAnalysis
internal import PageModel

/// The symbols around the text: punctuation, rules, ornaments, and isolated marks.
extension TextContextClassifier {
    /// Whether a blob outside long rows has the size and the darkness of a letter.
    func isLikeLetter(_ index: Int) -> Bool {
        let box = blobs[index].box
        guard isFree[index], rows.length[index] < TextContextLimits.longRow, roles[index] != .picture else {
            return false
        }
        return strength(index) >= DarknessLimits.symbol && sharpness(index) >= SharpnessLimits.symbol
            && SymbolLimits.letter.matches(box, unit: letter)
            && blobs[index].area.isAtLeast(SymbolLimits.minimumLetterCover, of: box.width * box.height)
    }

    /// Whether a box reaches the top or bottom of a page on a table, where the page is torn, stitched or worm-eaten.
    ///
    /// Print may reach the left and right edges, which are the folds of leaves.
    private func reachesEndOfPage(_ box: Bounds) -> Bool {
        guard page != Bounds(left: 0, top: 0, right: size.width, bottom: size.height) else { return false }
        let border = Int(clamping: Double(page.height) * TextContextLimits.noPrintMargin / 100, to: 0...size.height)
        return box.top < page.top + border || box.bottom > page.bottom - border
    }

    /// Finds the companions of letters and images: a smaller blob must be closer.
    mutating func findPunctuation(_ body: Bounds) {
        let (nearLetters, nearPictures) = (near([.letter]), near([.picture]))
        // Marks of one size that repeat next to letters are periods.
        var counts: [PixelSize: Int] = [:]
        for index in blobs.indices where isFree[index] && roles[index] == .noise {
            let box = blobs[index].box
            if Double(box.extent) < PunctuationLimits.countedSize * letter,
                nearLetters.distance(box) <= PunctuationLimits.countedDistance * letter
            {
                counts[box.rect.size, default: 0] += 1
            }
        }
        for index in blobs.indices where isFree[index] && roles[index] == .noise {
            guard strength(index) >= DarknessLimits.punctuation, sharpness(index) >= SharpnessLimits.punctuation else {
                continue
            }
            let box = blobs[index].box
            if reachesEndOfPage(box) { continue }
            let isPart =
                strength(index) >= DarknessLimits.symbol
                && nearPictures.distance(box) <= PunctuationLimits.pictureReach * letter
                && !isNearEdge(box, TextContextLimits.edgeMargin)
                && box.height.isLess(than: PunctuationLimits.maximumPartHeight, of: size.height)
            if isPart || nearLetters.distance(box) <= reach(ofPunctuation: index, body, counts) * letter {
                roles[index] = .punctuation
            }
        }
    }

    /// Returns the maximum distance of a blob from letters, in letter heights, at which it belongs to them.
    ///
    /// - Parameter counts: the numbers of small marks near letters, by size.
    private func reach(ofPunctuation index: Int, _ body: Bounds, _ counts: [PixelSize: Int]) -> Double {
        let box = blobs[index].box
        let (wide, high) = (Double(box.width) / letter, Double(box.height) / letter)
        let isThin =
            high <= 1 || high <= 2 && wide >= PunctuationLimits.highRuleRatio * high
            || high <= 2
                && Double(blobs[index].area) <= PunctuationLimits.ruleThickness * letter * Double(box.width)
        if wide >= PunctuationLimits.minimumRuleWidth, wide >= PunctuationLimits.minimumRuleRatio * high, isThin {
            // A rule or a dash is further off, above or below.
            if place(box, body).horizontalGap >= 2 {
                return high <= PunctuationLimits.sideRuleHeight
                    ? PunctuationLimits.sideRuleReach : PunctuationLimits.unreachable
            }
            return wide > PunctuationLimits.dashWidth ? PunctuationLimits.ruleReach : PunctuationLimits.dashReach
        }
        if high > PunctuationLimits.maximumHeight || wide > PunctuationLimits.maximumWidth && high > 2 {
            return PunctuationLimits.unreachable
        }
        let size = max(wide, high)
        if size >= PunctuationLimits.largeSize { return PunctuationLimits.largeReach }
        if size >= PunctuationLimits.darkSize, strength(index) >= DarknessLimits.symbol, !isNoisy {
            return PunctuationLimits.darkReach
        }
        let isUsual = alike(counts, box.rect.size) >= PunctuationLimits.minimumAlike
        return size >= (isUsual ? PunctuationLimits.periodSize : PunctuationLimits.smallSize)
            ? PunctuationLimits.smallReach : PunctuationLimits.dustReach
    }

    /// Returns the number of blobs of about one size.
    private func alike(_ counts: [PixelSize: Int], _ size: PixelSize) -> Int {
        var sum = 0
        for width in size.width - 1...size.width + 1 {
            for height in size.height - 1...size.height + 1 {
                sum += counts[PixelSize(width: width, height: height), default: 0]
            }
        }
        return sum
    }

    /// Finds isolated symbols at the places of numbers: in the text's column, or level with its first or last line.
    ///
    /// Among specks only pairs are trusted, and symbols close to the text.
    mutating func findIsolatedMarks(_ candidates: [Int], _ body: Bounds, areFew: Bool) {
        for index in candidates where roles[index] == .noise {
            let box = blobs[index].box
            let (horizontalGap, verticalGap) = place(box, body)
            let middle = Double(box.top + box.bottom) / 2
            let isLevel =
                min(abs(middle - Double(body.top)), abs(middle - Double(body.bottom))) <= IsolatedMarkLimits
                .levelDistance * letter
            let isPair = rows.length[index] == 2
            var reach: (horizontalGap: Double, verticalGap: Double)
            if isNoisy {
                let isClear =
                    isLevel && strength(index) >= DarknessLimits.clear
                    && Double(box.height) >= IsolatedMarkLimits.clearHeight * letter
                reach = (
                    isClear || isPair && isLevel
                        ? IsolatedMarkLimits.farReach
                        : isPair ? IsolatedMarkLimits.middleReach : IsolatedMarkLimits.nearReachAmongSpecks,
                    isPair ? IsolatedMarkLimits.pairVerticalReach : IsolatedMarkLimits.verticalReach
                )
                let isFar =
                    horizontalGap > IsolatedMarkLimits.edgeHorizontalGap
                    || verticalGap > IsolatedMarkLimits.edgeVerticalGap
                if isNearEdge(box, TextContextLimits.edgeMargin), isFar, !isClear, !(isPair && isLevel) { continue }
            } else {
                // A digit is at least as high as most letters; far off, a lower mark is a speck.
                let isHigh = Double(box.height) >= IsolatedMarkLimits.digitHeight * letter
                reach = (
                    isLevel && (isHigh || isPair) || isPair && verticalGap == 0
                        ? IsolatedMarkLimits.farReach
                        : isHigh ? IsolatedMarkLimits.middleReach : IsolatedMarkLimits.nearReach,
                    IsolatedMarkLimits.verticalReach
                )
                if isHigh || isPair {
                    reach.verticalGap = max(
                        IsolatedMarkLimits.minimumNumberReach,
                        IsolatedMarkLimits.numberReachOfHeight * Double(size.height) / letter)
                }
                if areFew, isHigh, strength(index) >= DarknessLimits.clear, verticalGap > 0 || isPair {
                    reach.horizontalGap = IsolatedMarkLimits.farReach
                }
            }
            if horizontalGap <= reach.horizontalGap, verticalGap <= reach.verticalGap,
                !isNearEdge(box, TextContextLimits.noPrintMargin)
            {
                roles[index] = .isolatedMark
            }
        }
    }

    /// Finds ornaments of at least three adjacent dots.
    mutating func findDots() {
        let all = blobs.indices.filter { index in
            let box = blobs[index].box
            return isFree[index] && roles[index] != .letter && strength(index) >= DarknessLimits.clear
                && sharpness(index) >= SharpnessLimits.dot
                && DotLimits.sizes.scaled(by: letter).contains(Double(box.extent))
                && 2 * min(box.width, box.height) >= box.extent
        }
        let dots = all.filter { roles[$0] == .noise }
        guard dots.count <= DotLimits.maximumDots else { return }
        for index in dots {
            let box = blobs[index].box
            let row = all.filter { other in
                let (one, two) = (blobs[other].box, box)
                return abs(one.top - two.top) <= two.height / 2
                    && abs(one.height - two.height).isAtMost(DotLimits.maximumDifference, of: two.height)
                    && abs(one.width - two.width).isAtMost(DotLimits.maximumDifference, of: two.width)
            }
            let isByItself = row.count { roles[$0] == .noise } >= 2
            if row.count >= DotLimits.minimumInRow, isByItself { for other in row { roles[other] = .punctuation } }
        }
    }

    /// Finds fragments broken off an isolated symbol, and the dot above it.
    mutating func findFragments() {
        let symbols = blobs.indices.filter {
            (roles[$0] == .punctuation || roles[$0] == .isolatedMark)
                && Double(blobs[$0].box.height) >= DotLimits.symbolHeight * letter
        }
        let nearSymbols = near(symbols)
        for index in blobs.indices where isFree[index] && roles[index] == .noise {
            let extent = Double(blobs[index].box.extent)
            if strength(index) >= DarknessLimits.symbol, sharpness(index) >= SharpnessLimits.punctuation,
                DotLimits.fragmentSizes.scaled(by: letter).contains(extent),
                nearSymbols.distance(blobs[index].box) <= DotLimits.fragmentDistance * letter,
                !reachesEndOfPage(blobs[index].box)
            {
                roles[index] = .punctuation
            }
        }
    }
}
