internal import AdapterKit
internal import LayoutAnalysis
internal import PageModel

/// The crop boxes of one size for all pages of a book.
///
/// The size holds the print of all pages with its margins, except that of outliers. The box of each page moves with its print, so
/// that the first lines and the margins of facing pages match. Sizes are equal in pixels, or in inches where resolutions differ.
struct UniformBoxes {
    private let findings: [Int: PrintFinding]
    private let margins: Margins
    private let units: [Int: Unit]
    private var across: CanvasAxis
    private var down: CanvasAxis

    /// The pixels of a page per pixel of the book.
    private struct Unit {
        var across = 1.0
        var down = 1.0
    }

    /// - Parameters:
    ///   - findings: the findings by the pages' indexes.
    ///   - isLeft: for each page, whether it is a left one.
    /// - Returns: nil if no page shows the size of print, because all are blank or printed up to an edge.
    init?(_ findings: [Int: PrintFinding], isLeft: [Bool], _ margins: Margins) {
        let printed = findings.keys.sorted().filter { findings[$0].map { $0.isPrinted && !$0.bleeds } ?? false }
        let wide = printed.filter { findings[$0]?.page.size.isWide() ?? false }
        // A whole spread among pages, or a page among whole spreads, is an outlier.
        let isWide = 2 * wide.count > printed.count
        let regular = isWide ? wide : printed.filter { !wide.contains($0) }
        guard !regular.isEmpty else { return nil }
        (self.findings, self.margins) = (findings, margins)
        let resolution = UniformBoxes.resolution(of: regular, findings)
        units = UniformBoxes.units(findings, regular, resolution)
        var sides = [regular.filter { isLeft[$0] }, regular.filter { !isLeft[$0] }]
        if isWide || sides.contains(where: { $0.count < BookBoxesLimits.minimumPages }) { sides = [regular] }
        let side = findings.reduce(into: [Int: Int]()) { $0[$1.key] = sides.count == 2 && !isLeft[$1.key] ? 1 : 0 }
        let pages = findings.filter { [.printed, .blank].contains($0.value.page.kind) }
        let units = units
        across = CanvasAxis(
            pages.reduce(into: [:]) { $0[$1.key] = UniformBoxes.columns($1.value, units[$1.key] ?? Unit()) },
            sides: sides, side: side, isAcross: true)
        down = CanvasAxis(
            pages.reduce(into: [:]) { $0[$1.key] = UniformBoxes.rows($1.value, units[$1.key] ?? Unit()) },
            sides: sides, side: side, isAcross: false)
        extend(resolution)
    }

    /// Extends the size by the margins, to the aspect ratio, and to lengths that can be cut without loss.
    private mutating func extend(_ resolution: Resolution?) {
        let print = PixelSize(width: across.length, height: down.length)
        let margin = margins.each.pixels(around: print, resolution) ?? (0, 0)
        across.extend(by: margin.across)
        down.extend(by: margin.down)
        if let aspect = margins.aspect {
            let wanted = (Double(down.length) * aspect, Double(across.length) / aspect)
            across.extend(to: wanted.0)
            down.extend(to: wanted.1)
        }
        across.alignToGrids()
        down.alignToGrids()
    }

    private static func columns(_ finding: PrintFinding, _ unit: Unit) -> CanvasSpan {
        let (page, grid) = (finding.page, finding.page.grid)
        return CanvasSpan(
            print: finding.content.map { $0.x..<$0.x + $0.width }, whole: page.size.width, unit: unit.across,
            // Scans of other widths show more or less on both sides.
            origin: Double(page.size.width) / 2, cuts: (grid?.first.x ?? 0, grid?.step.width ?? 1))
    }

    private static func rows(_ finding: PrintFinding, _ unit: Unit) -> CanvasSpan {
        let (page, grid) = (finding.page, finding.page.grid)
        return CanvasSpan(
            print: finding.content.map { $0.y..<$0.y + $0.height }, whole: page.size.height, unit: unit.down,
            origin: 0, cuts: (grid?.first.y ?? 0, grid?.step.height ?? 1))
    }

    /// The decisions for all pages.
    var decisions: [Int: TrimDecision] {
        findings.reduce(into: [:]) { $0[$1.key] = decision($1.value, at: $1.key) }
    }

    private func decision(_ finding: PrintFinding, at index: Int) -> TrimDecision {
        guard finding.content?.size != finding.page.size, let columns = across.stretch(of: index),
            let rows = down.stretch(of: index)
        else { return .own(finding, margins, because: "") }
        let bounds = Bounds(
            left: columns.lowerBound, top: rows.lowerBound, right: columns.upperBound, bottom: rows.upperBound)
        if finding.losesWords(with: bounds) {
            return .whole("its words reach beyond the book's box", as: .doubtful, isOutlier: true)
        }
        let box = bounds.rect
        let own = TrimDecision.own(finding, margins)
        return TrimDecision(
            box: box,
            remark: box.size == size(at: index)
                ? "trimmed to the size of all pages"
                : "trimmed to the size of all pages as far as its print and its paper allow",
            confidence: finding.content == nil ? ConfidenceLimits.shared : own.confidence, doubt: finding.doubt,
            uncertainty: own.uncertainty)
    }

    /// Marks the pages whose boxes have another size in the end as outliers.
    func markOutliers(in decisions: inout [Int: TrimDecision]) {
        for (index, finding) in findings {
            let kept = decisions[index]?.box?.size ?? finding.page.size
            decisions[index]?.isOutlier = kept != size(at: index)
        }
    }

    /// Returns the common size in pixels of a page.
    private func size(at index: Int) -> PixelSize {
        let unit = units[index] ?? Unit()
        return PixelSize(
            width: CanvasSpan.pixels(across.length, unit.across), height: CanvasSpan.pixels(down.length, unit.down))
    }
}

/// Pages of different resolutions.
extension UniformBoxes {
    /// The ratios of the resolutions of two pages of one book; others are mistakes.
    private static let ratios = 1.0 / 16...16

    /// Returns the resolution of most pages; nil if no page states one.
    private static func resolution(of pages: [Int], _ findings: [Int: PrintFinding]) -> Resolution? {
        let stated = pages.compactMap { findings[$0]?.page.resolution }
        let counts = stated.reduce(into: [Resolution: Int]()) { $0[$1, default: 0] += 1 }
        return counts.max {
            ($0.value, $0.key.horizontal, $0.key.vertical) < ($1.value, $1.key.horizontal, $1.key.vertical)
        }?.key
    }

    /// Returns the pixels of each page per pixel of the book.
    ///
    /// A resolution counts only if it brings the size of the page nearer to that of the others: many files state a wrong one.
    private static func units(
        _ findings: [Int: PrintFinding], _ regular: [Int], _ resolution: Resolution?
    ) -> [Int: Unit] {
        guard let resolution else { return [:] }
        let areas = regular.compactMap { findings[$0]?.page }.filter { ($0.resolution ?? resolution) == resolution }
            .map { Double($0.size.area) }.sorted()
        let usual = areas.isEmpty ? 1 : areas[areas.count / 2]
        func distance(_ area: Double) -> Double { max(area / usual, usual / area) }
        return findings.compactMapValues { finding in
            guard let own = finding.page.resolution else { return nil }
            let unit = Unit(
                across: own.horizontal / resolution.horizontal, down: own.vertical / resolution.vertical)
            let area = Double(finding.page.size.area)
            guard ratios.contains(unit.across), ratios.contains(unit.down),
                distance(area / unit.across / unit.down) < distance(area)
            else { return nil }
            return unit
        }
    }
}
