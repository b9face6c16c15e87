internal import Imaging

/// The light of a book's paper: that of each page's paper, smoothed over the pages around it.
///
/// A cover, a plate and an insert differ from it, so they are not taken for paper however flat and light they are.
struct BookPaperLight {
    /// The light of red, green and blue of each page's paper; nil for a page without any.
    private let lights: [[Float]?]

    init(_ pages: [PaperReading?]) {
        lights = pages.map { page in
            guard let page, let surface = page.surface, page.share >= PaperLimits.minimumShare else { return nil }
            return surface.light.count == 3 ? surface.light : [Float](repeating: surface.light[0], count: 3)
        }
    }

    /// Returns the median paper of the pages around a page; nil if too few pages show theirs.
    func usual(around index: Int) -> [Float]? {
        let reach = BookPaperLightLimits.reach
        let near = max(0, index - reach)...min(lights.count - 1, index + reach)
        let known = near.compactMap { lights[$0] }
        guard known.count >= BookPaperLightLimits.minimumPages else { return nil }
        return (0..<3).map { channel in known.map { $0[channel] }.sorted()[known.count / 2] }
    }

    /// Returns how well the paper of a page agrees with that of the pages around it, 0 to 1; nil without such pages.
    func agreement(of index: Int) -> Double? {
        guard let own = lights[index], let usual = usual(around: index) else { return nil }
        // A program made the paper of such a book white, so any other ground is art. Scans differ by their exposure.
        let white = SRGBCurve.light8[Int(PaperLimits.white)]
        if usual.allSatisfy({ $0 >= white }), own.contains(where: { $0 < white }) { return 0 }
        let ratios = zip(own, usual).map { $0 / max($1, 1e-3) }
        func excess(_ ratio: Float, _ maximum: Float) -> Float {
            (max(ratio, 1 / max(ratio, 1e-3)) - 1) / (maximum - 1)
        }
        let hues = [ratios[0] / max(ratios[1], 1e-3), ratios[2] / max(ratios[1], 1e-3)]
        let worst = max(
            excess(ratios[1], BookPaperLightLimits.maximumRatio),
            hues.map { excess($0, BookPaperLightLimits.maximumHue) }.max() ?? 0)
        return Double(max(0, 1 - worst))
    }
}
