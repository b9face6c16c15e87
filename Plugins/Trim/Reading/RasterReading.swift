internal import AdapterKit
internal import PageModel

/// What the preview of one page shows, in pixels of the preview: paper, print, and what is neither.
///
/// The chain: `Sheet` finds the paper in the picture and how light it is at each place; `PaperTone` says how dark ink must
/// be; `Ink` finds the blobs that are; `Company` tells which of them are print, by the text around them. A page with too
/// little text for that, or with more art, is read by the size and shape of its blobs alone.
struct RasterReading: Sendable {
    enum Kind: Sendable, Equatable {
        /// Paper with something printed on it.
        case printed
        /// Paper with nothing but dirt on it.
        case blank
        /// Nearly black up to its edges.
        case dark
        /// A picture that fills the page: no paper is seen along its edges.
        case fullBleed
    }

    let kind: Kind
    /// What is printed, page number and running head included.
    let groups: [Group]
    let ink: Ink
    let paper: PaperTone
    /// How many pixels a 620th of the page's shorter side takes: the unit that sizes are measured in.
    ///
    /// On a page of a paperback it is about 0.17 mm, a pixel of a scan of 150 dpi.
    let unit: Double
    /// How the print was told from dirt, where there is enough text to tell it by.
    let company: Company?
    /// How much of the picture lies beside the sheet, 0 to 1; 0 on a page that is read as art.
    let outsideShare: Double

    init(_ raster: Raster) {
        let size = raster.size
        let least = min(size.width, size.height)
        let unit = Double(least) / 620
        self.unit = unit
        let edge = max(1, least * RasterReading.edgePercent / 100)
        let sheet = Sheet(raster)
        var paper = PaperTone(raster)
        if !paper.isClean { paper.follow(sheet) }
        var ink = Ink(raster, paper, edge: edge)
        var isContent = RasterReading.withoutDirt(&ink, size, edge: edge, isClean: paper.isClean, unit: unit)
        let cell = Int(clamping: (4 * unit).rounded(), to: 2...1_000_000)
        if sheet.outsideShare <= RasterReading.mostOutside,
            let company = Company(
                ink, mayBe: isContent, outsideArea: sheet.outsideArea(ink), size: size, unit: unit),
            !company.isArt(isContent, isScan: !paper.isClean)
        {
            let isPrint = company.roles.map { $0 != .dirt }
            groups = Grouping(&ink, isPrint, size: size, cell: cell).groups
            (self.company, outsideShare) = (company, sheet.outsideShare)
            (self.ink, self.paper) = (ink, paper)
            kind = groups.isEmpty ? .blank : .printed
            return
        }
        (company, outsideShare) = (nil, 0)
        // Art may be dark up to the edge: only the level of the paper tells it from blank paper.
        if !paper.isClean {
            paper = PaperTone(raster)
            ink = Ink(raster, paper, edge: edge)
            isContent = RasterReading.withoutDirt(&ink, size, edge: edge, isClean: false, unit: unit)
        }
        self.paper = paper
        guard paper.darkShare < 0.6, paper.share > (paper.level >= 240 ? 0.1 : 0.45) else {
            kind = paper.darkShare >= 0.6 ? .dark : .fullBleed
            groups = []
            self.ink = ink
            return
        }
        let all = Grouping(&ink, isContent, size: size, cell: cell).groups
        let isClean = paper.isClean
        let isDirt = all.map { RasterReading.isDirt($0, unit: unit, isClean: isClean) }
        let sure = all.indices.filter { !isDirt[$0] }.map { all[$0].box }
        let signs = ink.blobs.filter { $0.group >= 0 && !isDirt[$0.group] }.map(\.box)
        groups = all.indices.filter { index in
            !isDirt[index] || RasterReading.isPunctuation(all[index], beside: sure, among: signs, unit: unit)
        }.map { all[$0] }
        self.ink = ink
        kind = groups.isEmpty ? .blank : .printed
    }

    /// For each blob whether it may be content, as far as its shape and its place tell. Hairs that run into letters are
    /// made blobs of their own.
    private static func withoutDirt(
        _ ink: inout Ink, _ size: PixelSize, edge: Int, isClean: Bool, unit: Double
    ) -> [Bool] {
        var isContent = withoutEdges(ink, size, edge: edge, isClean: isClean)
        if !isClean { dropHairs(of: &ink, &isContent, unit: unit) }
        return isContent
    }

    /// A larger part of the picture is no bed but art that runs off the page.
    private static let mostOutside = 0.3

    /// How far the dark edges that scanners leave reach into a page, in percent of its shorter side.
    private static let edgePercent = 4

    /// For each blob whether it may be content. The dark edge that a scanner leaves is none, nor the specks in it.
    ///
    /// Such an edge is a band along a side that does not reach further in and has little beside it. Art that is printed
    /// up to the edge is different: frames and figures reach into the page, and screentone goes on beside its dots.
    private static func withoutEdges(_ ink: Ink, _ size: PixelSize, edge: Int, isClean: Bool) -> [Bool] {
        let zones = [
            Bounds(left: 0, top: 0, right: edge, bottom: size.height),
            Bounds(left: size.width - edge, top: 0, right: size.width, bottom: size.height),
            Bounds(left: 0, top: 0, right: size.width, bottom: edge),
            Bounds(left: 0, top: size.height - edge, right: size.width, bottom: size.height),
        ]
        var isContent = [Bool](repeating: true, count: ink.blobs.count)
        var hasBand = [false, false, false, false]
        var bands: [Int] = []
        var specks: [[Int]] = [[], [], [], []]
        for (index, blob) in ink.blobs.enumerated() where blob.deepArea == 0 {
            let box = blob.box
            let sides = [box.left == 0, box.right == size.width, box.top == 0, box.bottom == size.height]
            guard sides.contains(true) else { continue }
            let isTall = box.height * leastBandShare > size.height
            let isWide = box.width * leastBandShare > size.width
            guard isTall || isWide else {
                for side in 0..<4 where sides[side] { specks[side].append(index) }
                continue
            }
            bands.append(index)
            for side in 0..<4 where sides[side] && (side < 2 ? isTall : isWide) { hasBand[side] = true }
        }
        // On scanned paper what touches an edge is dirt, unless there is so much of it that it must be screentone.
        for side in 0..<4 where !isClean && specks[side].count <= mostBesideBand {
            for index in specks[side] { isContent[index] = false }
        }
        for side in 0..<4 where hasBand[side] {
            let beside = ink.blobs.indices.filter {
                !bands.contains($0) && ink.blobs[$0].deepArea == 0 && zones[side].contains(ink.blobs[$0].box)
            }
            if beside.count > mostBesideBand {
                bands.removeAll { ink.blobs[$0].box.intersects(zones[side]) }
            } else {
                for index in beside { isContent[index] = false }
            }
        }
        for index in bands { isContent[index] = false }
        return isContent
    }

    /// A band is longer than a quarter of its side.
    private static let leastBandShare = 4
    /// More blobs than this beside a band are not dirt but screentone.
    private static let mostBesideBand = 12

    /// Whether a group is dust, or a hair.
    private static func isDirt(_ group: Group, unit: Double, isClean: Bool) -> Bool {
        let extent = Double(group.largest) / unit
        if group.blobCount <= 2, extent <= (isClean ? 3 : 5), Double(group.area) <= (isClean ? 6 : 28) * unit * unit {
            return true
        }
        if isClean || group.blobCount > 3 { return false }
        return isHair(group.longest, unit: unit)
    }

    /// Whether a speck is as large as a full stop, and stands in a line or column of text.
    ///
    /// - Parameters:
    ///   - text: the boxes of the groups that are certainly content.
    ///   - signs: the boxes of the blobs in them.
    private static func isPunctuation(_ group: Group, beside text: [Bounds], among signs: [Bounds], unit: Double)
        -> Bool
    {
        let extent = Double(group.largest) / unit
        // What is smaller than 0.5 mm is dust.
        guard group.blobCount <= 2, extent <= 5, extent > 3.2 else { return false }
        // The smaller it is, the nearer it must be, unless signs of its size are usual in the text.
        let alike = signs.lazy.filter {
            abs($0.width - group.box.width) <= 1 && abs($0.height - group.box.height) <= 1
        }
        let reach = Int((extent > 4 ? 18 : alike.prefix(leastAlike).count == leastAlike ? 13 : 8) * unit)
        let (box, x, y) = (group.box, (group.box.left + group.box.right) / 2, (group.box.top + group.box.bottom) / 2)
        return text.contains { other in
            let isBeside =
                other.top <= y && y < other.bottom && box.left - reach < other.right
                && other.left < box.right + reach
            let isBelow =
                other.left <= x && x < other.right && box.top - reach < other.bottom
                && other.top < box.bottom + reach
            return isBeside || isBelow
        }
    }

    /// When so many signs have one size, it is that of full stops rather than of dust.
    private static let leastAlike = 4

    /// The raster with paper in place of what touches its edges and is no content.
    ///
    /// - Parameter raster: the one that was read.
    func withoutEdges(_ raster: Raster) -> Raster {
        let (width, height) = (raster.size.width, raster.size.height)
        var samples = raster.samples
        for run in ink.runs {
            let blob = ink.blobs[Int(run.blob)]
            let isAtEdge =
                blob.box.left == 0 || blob.box.top == 0 || blob.box.right == width || blob.box.bottom == height
            guard blob.group < 0, isAtEdge else { continue }
            // With the pixels around it, which are half of it.
            for y in max(0, Int(run.row) - 1)...min(height - 1, Int(run.row) + 1) {
                for x in max(0, Int(run.start) - 1)..<min(width, Int(run.end) + 1) {
                    samples[y * width + x] = UInt8(paper.level)
                }
            }
        }
        return Raster(size: raster.size, format: raster.format, samples: samples)
    }

    /// How likely the box around what is printed is right: nothing cut, and no more than a quarter too large.
    ///
    /// The figures are how often it was on scans of books whose print other people had marked (`Benchmarks/reliability.py`
    /// shows it): what decides is how far print reaches beyond the rows of text, and whether there are specks.
    var confidence: Double {
        guard let content else { return 0.9 }
        guard let company, let text = company.text else { return isSpeckled ? 0.55 : 0.85 }
        if company.isNoisy || outsideShare > 0.15 { return 0.55 }
        let beyond = Double(content.width * content.height) / Double(max(1, text.width * text.height))
        return beyond <= 1.2 ? 0.93 : beyond <= 1.5 ? 0.65 : 0.55
    }

    /// Whether what is read as art has many marks too small for art.
    private var isSpeckled: Bool {
        groups.count { $0.blobCount <= 2 && Double($0.largest) <= 6 * unit } >= 8
    }

    /// The box around all that is printed.
    var content: Bounds? { Bounds.union(groups.lazy.map(\.box)) }
}

extension RasterReading {
    /// Takes hairs out that lie on scanned text or beside it: they are long, thin and bent, and paler than letters.
    static func dropHairs(of ink: inout Ink, _ isContent: inout [Bool], unit: Double) {
        let letters = ink.blobs.indices.filter {
            isContent[$0] && (8 * unit...largestLetter * unit).contains(Double(ink.blobs[$0].box.extent))
        }
        guard letters.count >= 150 else { return }
        let contrasts = letters.map { ink.blobs[$0].contrast }.sorted()
        let most = contrasts[contrasts.count / 2] * 3 / 4
        var mixed: [Int] = []
        for (index, blob) in ink.blobs.enumerated() where isContent[index] {
            if isHair(blob, unit: unit), blob.contrast <= most {
                isContent[index] = false
            } else if (largestLetter * unit...mostHair * unit).contains(Double(blob.box.extent)) {
                mixed.append(index)
            }
        }
        let runs = ink.runs(of: mixed)
        // A hair that runs into letters is one blob with them.
        for all in runs {
            let hairs = ink.paleParts(all, contrast: most).filter { part in
                isHair(Blob(part.map { ink.runs[$0] }, deepArea: 0), unit: unit)
            }
            // More of them are a drawing.
            guard hairs.count <= 3 else { continue }
            for hair in hairs {
                ink.split(hair, from: all)
                isContent.append(false)
            }
        }
    }

    /// A hair is long, thin and bent; a rule is long, thin and straight.
    static func isHair(_ blob: Blob, unit: Double) -> Bool {
        let box = blob.box
        guard (16 * unit...mostHair * unit).contains(Double(box.extent)),
            Double(min(box.width, box.height)) > 4 * unit
        else { return false }
        let length = (Double(box.width * box.width + box.height * box.height)).squareRoot()
        let thickness = Double(blob.area) / length
        // A rule on a page that lies askew is slanted, but no broader than it is thick.
        return thickness <= 2.4 * unit && blob.breadth > 2 * thickness + unit
    }

    /// In units.
    private static let largestLetter = 45.0
    /// In units: 6 cm on a page of a paperback.
    private static let mostHair = 330.0
}
