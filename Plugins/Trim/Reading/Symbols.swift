internal import PageModel

/// The symbols around the text: punctuation, rules, ornaments, and isolated marks.
extension TextContextClassifier {
    /// Whether a blob outside long rows has the size and the darkness of a letter.
    func isLikeLetter(_ index: Int) -> Bool {
        let box = blobs[index].box
        guard isFree[index], rows.length[index] < TextContextClassifier.longRow, roles[index] != .picture else {
            return false
        }
        return strength(index) >= 0.6 && sharpness(index) >= Sharpness.symbol
            && (0.5 * letter...3 * letter).contains(Double(box.height)) && Double(box.width) <= 4 * letter
            && 8 * blobs[index].area >= box.width * box.height
            && box.height <= 5 * box.width
    }

    /// Finds the companions of letters and images: a smaller blob must be closer.
    mutating func findPunctuation(_ body: Bounds) {
        let (nearLetters, nearPictures) = (near([.letter]), near([.picture]))
        // Marks of one size that repeat next to letters are periods.
        var counts: [PixelSize: Int] = [:]
        for index in blobs.indices where isFree[index] && roles[index] == .noise {
            let box = blobs[index].box
            if Double(box.extent) < 0.5 * letter, nearLetters.distance(box) <= 0.5 * letter {
                counts[box.rect.size, default: 0] += 1
            }
        }
        for index in blobs.indices where isFree[index] && roles[index] == .noise {
            guard strength(index) >= 0.4, sharpness(index) >= Sharpness.punctuation else { continue }
            let box = blobs[index].box
            let (wide, high) = (Double(box.width) / letter, Double(box.height) / letter)
            let isPart =
                strength(index) >= 0.6 && nearPictures.distance(box) <= 0.7 * letter
                && !isNearEdge(box, TextContextClassifier.edgeMargin)
                && 4 * box.height < size.height
            var reach: Double
            let isThin =
                high <= 1 || high <= 2 && wide >= 10 * high
                || high <= 2 && Double(blobs[index].area) <= 0.4 * letter * Double(box.width)
            if wide >= 0.35, wide >= 2.5 * high, isThin {
                // A rule or a dash is further off, above or below.
                let isBeyond = place(box, body).horizontalGap >= 2
                reach = isBeyond ? (high <= 0.6 ? 1 : -1) : wide > 3 ? 6 : 4
            } else if high > 4 || wide > 4 && high > 2 {
                reach = -1
            } else if max(wide, high) >= 0.5 {
                reach = 1.8
            } else {
                let isUsual = alike(counts, box.rect.size) >= 4
                reach = max(wide, high) >= (isUsual ? 0.25 : 0.33) ? 1 : 0.25
                if max(wide, high) >= 0.4, strength(index) >= 0.6, !isNoisy { reach = 2 }
            }
            if isPart || nearLetters.distance(box) <= reach * letter { roles[index] = .punctuation }
        }
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
            let isLevel = min(abs(middle - Double(body.top)), abs(middle - Double(body.bottom))) <= 1.5 * letter
            let isPair = rows.length[index] == 2
            var reach: (horizontalGap: Double, verticalGap: Double)
            if isNoisy {
                let isClear = isLevel && strength(index) >= 0.8 && Double(box.height) >= 0.8 * letter
                reach = (isClear || isPair && isLevel ? 12 : isPair ? 3 : 1, isPair ? 6 : 3)
                if isNearEdge(box, TextContextClassifier.edgeMargin), horizontalGap > 1 || verticalGap > 3, !isClear,
                    !(isPair && isLevel)
                {
                    continue
                }
            } else {
                // A digit is at least as high as most letters; far off, a lower mark is a speck.
                let isHigh = Double(box.height) >= 0.85 * letter
                reach = (isLevel && (isHigh || isPair) || isPair && verticalGap == 0 ? 12 : isHigh ? 3 : 1.5, 3)
                if isHigh || isPair { reach.verticalGap = max(8, 0.2 * Double(size.height) / letter) }
                if areFew, isHigh, strength(index) >= 0.8, verticalGap > 0 || isPair { reach.horizontalGap = .infinity }
            }
            if horizontalGap <= reach.horizontalGap, verticalGap <= reach.verticalGap,
                !isNearEdge(box, TextContextClassifier.noPrintMargin)
            {
                roles[index] = .isolatedMark
            }
        }
    }

    /// Finds ornaments of at least three adjacent dots.
    mutating func findDots() {
        let all = blobs.indices.filter { index in
            let box = blobs[index].box
            return isFree[index] && roles[index] != .letter && strength(index) >= 0.8 && sharpness(index) >= 0.8
                && (0.3 * letter...letter).contains(Double(box.extent)) && 2 * min(box.width, box.height) >= box.extent
        }
        let dots = all.filter { roles[$0] == .noise }
        guard dots.count <= TextContextClassifier.maximumDots else { return }
        for index in dots {
            let box = blobs[index].box
            let row = all.filter { other in
                let (one, two) = (blobs[other].box, box)
                return abs(one.top - two.top) <= two.height / 2 && 4 * abs(one.height - two.height) <= two.height
                    && 4 * abs(one.width - two.width) <= two.width
            }
            let isByItself = row.count { roles[$0] == .noise } >= 2
            if row.count >= 3, isByItself { for other in row { roles[other] = .punctuation } }
        }
    }

    private static let maximumDots = 20

    /// Finds fragments broken off an isolated symbol, and the dot above it.
    mutating func findFragments() {
        let symbols = blobs.indices.filter {
            (roles[$0] == .punctuation || roles[$0] == .isolatedMark) && Double(blobs[$0].box.height) >= 0.5 * letter
        }
        let nearSymbols = near(symbols)
        for index in blobs.indices where isFree[index] && roles[index] == .noise {
            let extent = Double(blobs[index].box.extent)
            if strength(index) >= 0.6, sharpness(index) >= Sharpness.punctuation,
                (0.2 * letter...letter).contains(extent),
                nearSymbols.distance(blobs[index].box) <= 0.6 * letter
            {
                roles[index] = .punctuation
            }
        }
    }
}
