internal import AdapterKit
internal import Imaging
public import PageModel

/// The decision for one page.
struct FlattenedPage: Sendable, Equatable {
    /// The dewarping; nil if the page is left unchanged.
    var flattening: Flattening?
    /// The size of the page when it was analyzed, in pixels; nil if it could not be.
    var size: PixelSize?
    /// The decision and its reason; a sentence fragment.
    var remark: Message
    /// The damage of the page's data that the analysis found; nil for intact data.
    var damage: Message?
    /// Whether the page could not be read, so that another run may decide otherwise.
    var isUnreadable = false

    /// Creates the decision for an unchanged page.
    init(leftAlone reason: Message, _ size: PixelSize?) {
        self.size = size
        remark = "not flattened: \(reason)"
    }

    init(_ flattening: Flattening?, size: PixelSize?, remark: Message) {
        self.flattening = flattening
        self.size = size
        self.remark = remark
    }

    init(_ preview: PagePreview) {
        let level = FlattenedPage(PageCurve(preview.raster), preview, isTransposed: false)
        self = level
        // Lines may run down a page that is on its side.
        if level.flattening == nil, level.remark != FlattenedPage.straight, !level.showsSeparateItems {
            let transposed = preview.raster.framed(
                Framing(
                    preview.raster.size,
                    Orientation(isTransposed: true, isMirroredAcross: false, isMirroredDown: false)))
            let upright = FlattenedPage(PageCurve(transposed), preview, isTransposed: true)
            if upright.flattening != nil || upright.remark == FlattenedPage.straight { self = upright }
        }
    }

    private static let separateItems: Message = "it shows several separate items, such as tickets"

    private var showsSeparateItems: Bool { remark == "not flattened: \(FlattenedPage.separateItems)" }

    private static let straight: Message = "not flattened: its lines are straight"

    private init(_ curve: PageCurve, _ preview: PagePreview, isTransposed: Bool) {
        let size = preview.size
        switch curve {
        case .tooFewLines:
            self.init(leftAlone: "too few lines of text show its curve", size)
        case .straight:
            self.init(nil, size: size, remark: FlattenedPage.straight)
        case .separateItems:
            self.init(leftAlone: FlattenedPage.separateItems, size)
        case .disagreeing:
            self.init(leftAlone: "its lines disagree about how it is curved", size)
        case .curved(let lines):
            let raster = preview.raster.size
            let shape = isTransposed ? raster.rotated(quarters: 1) : raster
            guard let maker = FlatteningMaker(lines, shape) else {
                self.init(leftAlone: "lines would be pushed over its edge", size)
                return
            }
            guard let flattening = maker.flattening(isTransposed: isTransposed) else {
                self.init(leftAlone: "it is curved too much", size)
                return
            }
            let scale = isTransposed ? preview.scale.across : preview.scale.down
            func reported(_ pixels: Double) -> Int {
                Int(clamping: (pixels * scale).rounded(), to: FlattenLimits.Curve.reportedBows)
            }
            let count = lines.judging.count
            self.init(
                flattening, size: size,
                remark: lines.areBowed
                    ? "flattened by \(count) lines, bowed by up to \(reported(lines.bow)) px"
                    : "flattened by \(count) lines, not parallel by up to \(reported(lines.divergence)) px")
        }
    }
}

/// The result of the page curl analysis, and the decision.
public struct FlatnessFinding: PageFinding {
    /// The decision and its reason; a sentence fragment.
    public var remark: Message
    /// Whether the page is dewarped: later findings then refer to the dewarped page.
    public var isFlattened: Bool
    /// The damage of the page's data that the analysis found; nil for intact data.
    public var damage: Message?

    public init(_ remark: Message, isFlattened: Bool, damage: Message? = nil) {
        self.remark = remark
        self.isFlattened = isFlattened
        self.damage = damage
    }

    public func counts(isCut: Bool) -> [FindingCount] { isFlattened ? [.flattened] : [] }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [("flattened", .boolean(isFlattened)), ("flatten", .text(remark.english))]
    }
}

extension FindingCount {
    static let flattened = FindingCount("flattened") { "\($0) flattened" }
}

extension Page {
    /// The finding of `Flatten`; nil if the page was not analyzed.
    public var flatness: FlatnessFinding? {
        get { findings[FlatnessFinding.self] }
        set { findings[FlatnessFinding.self] = newValue }
    }
}
