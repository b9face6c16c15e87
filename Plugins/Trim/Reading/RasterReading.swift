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

    let size: PixelSize
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
    /// The box around the sheet of paper; nil where nothing is seen beside it, and on a page that is read as art.
    let sheet: Bounds?

    /// - Parameters:
    ///   - raster: gray of 8 bits, upright.
    ///   - isAmongText: whether most pages of the book are text: then one that looks like art is text with pictures, as long
    ///     as nothing of them is left out so.
    init(_ raster: Raster, isAmongText: Bool = false) {
        let (sheet, paper) = (Sheet(raster), PaperTone(raster))
        var local = paper
        if !paper.isClean || !paper.isSeen && sheet.isOnBed { local.follow(sheet) }
        let marks = Marks(raster, local)
        self =
            RasterReading.text(raster, sheet, marks, isAmongText: isAmongText)
            // Art may be dark up to the edge, so that its paper is known by its level alone.
            ?? RasterReading.art(raster, local.isLocal ? Marks(raster, paper) : marks)
    }

    /// What is darker than the paper.
    private struct Marks {
        let paper: PaperTone
        var ink: Ink
        /// For each blob whether its shape and its place are no hindrance to its being content.
        var mayBe: [Bool]

        init(_ raster: Raster, _ paper: PaperTone) {
            let size = raster.size
            self.paper = paper
            ink = Ink(raster, paper, edge: edge(size))
            mayBe = withoutDirt(&ink, size, edge: edge(size), isClean: paper.isClean, unit: unit(size))
        }
    }

    private init(
        _ kind: Kind, _ groups: [Group], _ ink: Ink, _ paper: PaperTone, _ size: PixelSize,
        company: Company? = nil, outsideShare: Double = 0, sheet: Bounds? = nil
    ) {
        (self.kind, self.groups, self.ink, self.paper, self.size) = (kind, groups, ink, paper, size)
        (self.company, self.outsideShare, self.sheet) = (company, outsideShare, sheet)
        unit = RasterReading.unit(size)
    }

    /// A page read as text; nil where there is too little of it, or more art.
    private static func text(
        _ raster: Raster, _ sheet: Sheet, _ marks: Marks, isAmongText: Bool
    ) -> RasterReading? {
        let (size, paper) = (raster.size, marks.paper)
        guard sheet.outsideShare <= (sheet.isOnBed ? mostBed : mostOutside), paper.isSeen || sheet.isEven
        else { return nil }
        var (ink, mayBe) = (marks.ink, marks.mayBe)
        let isScan = !paper.isClean
        func company() -> Company? {
            Company(
                ink, mayBe: mayBe, outsideArea: sheet.outsideArea(ink), size: size, unit: unit(size),
                isScan: isScan)
        }
        guard var judged = company() else { return nil }
        if judged.isArt(mayBe, isScan: isScan, isPaperSeen: paper.isSeen) {
            guard isAmongText, !judged.leavesOutArt(mayBe, isScan: isScan) else { return nil }
        }
        var isParted = isScan && ink.part(judged.mixed, contrast: judged.leastContrast)
        if isScan, ink.partFromEdges(size, edge: edge(size)) { isParted = true }
        let edges = judged.edges
        if !edges.isEmpty {
            let print = judged.near([.letter, .picture, .companion])
            let hasWriting = ink.addDarkest(
                of: edges, raster, paper, contrast: judged.leastContrast * 3 / 5,
                where: { judged.isWriting($0, near: print) })
            isParted = isParted || hasWriting
        }
        if isParted {
            mayBe += [Bool](repeating: true, count: ink.blobs.count - mayBe.count)
            guard let again = company() else { return nil }
            judged = again
        }
        let groups = Grouping(&ink, judged.roles.map { $0 != .dirt }, size: size, cell: cell(size))
            .groups
        return RasterReading(
            groups.isEmpty ? .blank : .printed, groups, ink, paper, size, company: judged,
            outsideShare: sheet.outsideShare, sheet: sheet.box(in: size))
    }

    /// A page read by the size and shape of what is darker than its paper.
    private static func art(_ raster: Raster, _ marks: Marks) -> RasterReading {
        let (size, paper) = (raster.size, marks.paper)
        var ink = marks.ink
        guard paper.isSeen else {
            return RasterReading(paper.darkShare >= 0.6 ? .dark : .fullBleed, [], ink, paper, size)
        }
        let all = Grouping(&ink, marks.mayBe, size: size, cell: cell(size)).groups
        let isDirt = all.map { RasterReading.isDirt($0, unit: unit(size), isClean: paper.isClean) }
        let sure = all.indices.filter { !isDirt[$0] }.map { all[$0].box }
        let signs = ink.blobs.filter { $0.group >= 0 && !isDirt[$0.group] }.map(\.box)
        let groups = all.indices.filter { index in
            !isDirt[index] || isPunctuation(all[index], beside: sure, among: signs, unit: unit(size))
        }.map { all[$0] }
        return RasterReading(groups.isEmpty ? .blank : .printed, groups, ink, paper, size)
    }

    /// A 620th of the page's shorter side, in pixels.
    private static func unit(_ size: PixelSize) -> Double {
        Double(min(size.width, size.height)) / 620
    }

    /// How far the dark edges that scanners leave reach into a page, in pixels: four percent of its shorter side.
    private static func edge(_ size: PixelSize) -> Int {
        max(1, min(size.width, size.height) * 4 / 100)
    }

    /// The side of the cells over which blobs are put into groups, in pixels.
    private static func cell(_ size: PixelSize) -> Int {
        Int(clamping: (4 * unit(size)).rounded(), to: 2...1_000_000)
    }

    /// A larger part of the picture is no bed but art that runs off the page.
    private static let mostOutside = 0.3
    /// A sheet on a bed is no art, as long as it is a good part of the picture.
    private static let mostBed = 0.6

    /// The raster with paper in place of what touches its edges and is no content.
    ///
    /// - Parameter raster: the one that was read.
    func withoutEdges(_ raster: Raster) -> Raster {
        let (width, height) = (raster.size.width, raster.size.height)
        var samples = raster.samples
        for run in ink.runs {
            let blob = ink.blobs[Int(run.blob)]
            let isAtEdge =
                blob.box.left == 0 || blob.box.top == 0 || blob.box.right == width
                || blob.box.bottom == height
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

    /// The box around all that is printed.
    var content: Bounds? { Bounds.union(groups.lazy.map(\.box)) }
}
