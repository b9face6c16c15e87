internal import PageModel

/// The reliability of a reading, and its consequences.
extension RasterReading {
    /// The probability that the box around the printed area is right: no print is cut, and the box is at most a quarter too
    /// large.
    ///
    /// The figures are its frequency on scans of books whose print other people had marked (`Benchmarks/reliability.py` shows
    /// it). The deciding factors are the distance that print reaches beyond the rows of text, and the presence of specks.
    var confidence: Double {
        guard let content else { return 0.9 }
        guard let classifier, let text = classifier.text else { return isSpeckled ? 0.6 : 0.85 }
        if classifier.isNoisy || outsideShare > 0.15 { return 0.7 }
        let beyond = Double(content.width * content.height) / Double(max(1, text.width * text.height))
        return beyond <= 1.2 ? 0.95 : beyond <= 1.5 ? 0.8 : 0.7
    }

    /// Whether it is read as art, and has marks too small for art: it may be text with an image.
    var isSpeckledArt: Bool { content != nil && classifier == nil && isSpeckled }

    private var isSpeckled: Bool {
        groups.count { $0.blobCount <= 2 && Double($0.largest) <= 6 * unit } >= 8
    }

    /// The strips that are print only if other pages have an item at the same place.
    var ambiguous: [Strip] {
        guard let content, let classifier else { return [] }
        return classifier.ambiguous.map { box in
            Strip(members: [], box: box, blobCount: 1, isAtTop: box.top + box.bottom < content.top + content.bottom)
        }
    }

    /// Returns a box around the printed area, or a part of it. On an uncertain page it includes ambiguous marks.
    ///
    /// It includes them unless they make the box much larger. Cutting print is worse than leaving a margin.
    ///
    /// - Parameter top: the row above which nothing is included. Nil without such a limit.
    func safe(_ printed: Bounds?, below top: Int? = nil) -> Bounds? {
        guard let printed, let classifier, confidence < 0.9 else { return printed }
        let maximumArea = Double(printed.width * printed.height) * RasterReading.maximumGrowth
        let marks = classifier.unlikely.filter { $0.top >= top ?? 0 }
        let wide = marks.reduce(printed) { box, mark in
            let wider = box.union(mark)
            return Double(wider.width * wider.height) <= maximumArea ? wider : box
        }
        if classifier.unlikely.isEmpty || paper.isClean { return wide }
        var grown = wide.grown(Int(clamping: classifier.letter, to: 0...size.height)).clamped(to: size)
        grown.top = max(grown.top, min(top ?? 0, wide.top))
        return grown
    }

    /// The maximum growth of a box for ambiguous marks.
    private static let maximumGrowth = 1.15
}
