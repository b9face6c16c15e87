internal import PageModel

/// How far a reading can be trusted, and what follows where it cannot.
extension RasterReading {
    /// How likely the box around what is printed is right: nothing cut, and no more than a quarter too large.
    ///
    /// The figures are how often it was on scans of books whose print other people had marked (`Benchmarks/reliability.py`
    /// shows it): what decides is how far print reaches beyond the rows of text, and whether there are specks.
    var confidence: Double {
        guard let content else { return 0.9 }
        guard let company, let text = company.text else { return isSpeckled ? 0.6 : 0.85 }
        if company.isNoisy || outsideShare > 0.15 { return 0.7 }
        let beyond = Double(content.width * content.height) / Double(max(1, text.width * text.height))
        return beyond <= 1.2 ? 0.95 : beyond <= 1.5 ? 0.8 : 0.7
    }

    /// Whether it is read as art, and has marks too small for art: it may be text with a picture.
    var isSpeckledArt: Bool { content != nil && company == nil && isSpeckled }

    private var isSpeckled: Bool {
        groups.count { $0.blobCount <= 2 && Double($0.largest) <= 6 * unit } >= 8
    }

    /// What is print only if something stands at its place on other pages as well.
    var doubtful: [Strip] {
        guard let content, let company else { return [] }
        return company.doubtful.map { box in
            Strip(members: [], box: box, blobCount: 1, isAtTop: box.top + box.bottom < content.top + content.bottom)
        }
    }

    /// A box around what is printed, or a part of it, and on a doubtful page around what may be as well, as long as that does
    /// not make the box much larger: to cut print is worse than to leave a margin.
    ///
    /// - Parameter top: above it nothing is taken in; nil where everything may be.
    func safe(_ printed: Bounds?, below top: Int? = nil) -> Bounds? {
        guard let printed, let company, confidence < 0.9 else { return printed }
        let most = Double(printed.width * printed.height) * RasterReading.mostGrowth
        let marks = company.unlikely.filter { $0.top >= top ?? 0 }
        let wide = marks.reduce(printed) { box, mark in
            let wider = box.union(mark)
            return Double(wider.width * wider.height) <= most ? wider : box
        }
        if company.unlikely.isEmpty || paper.isClean { return wide }
        var grown = wide.grown(Int(clamping: company.letter, to: 0...size.height)).clamped(to: size)
        grown.top = max(grown.top, min(top ?? 0, wide.top))
        return grown
    }

    /// How much larger a box may become for what may be print.
    private static let mostGrowth = 1.15
}
