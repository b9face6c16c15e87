internal import AdapterKit
internal import Imaging
internal import PageModel

/// What was decided for one page.
struct FlattenedPage: Sendable, Equatable {
    /// Nil when the page is left alone.
    var flattening: Flattening?
    /// The size of the page when it was looked at, in pixels; nil when it could not be.
    var size: PixelSize?
    /// What was decided and why; a half sentence.
    var remark: String

    /// A page that is left alone.
    init(leftAlone reason: String, _ size: PixelSize?) {
        self.size = size
        remark = "not flattened: \(reason)"
    }

    init(_ flattening: Flattening?, size: PixelSize?, remark: String) {
        self.flattening = flattening
        self.size = size
        self.remark = remark
    }

    init(_ preview: PagePreview) {
        let level = FlattenedPage(PageCurve(preview.raster), preview, isTransposed: false)
        self = level
        // Lines may run down the page, when it lies on its side.
        if level.flattening == nil, level.remark != FlattenedPage.straight {
            let transposed = preview.raster.framed(
                Framing(
                    preview.raster.size,
                    Orientation(isTransposed: true, isMirroredAcross: false, isMirroredDown: false)))
            let upright = FlattenedPage(PageCurve(transposed), preview, isTransposed: true)
            if upright.flattening != nil || upright.remark == FlattenedPage.straight { self = upright }
        }
    }

    private static let straight = "not flattened: its lines are straight"

    private init(_ curve: PageCurve, _ preview: PagePreview, isTransposed: Bool) {
        let size = preview.size
        switch curve {
        case .tooFewLines:
            self.init(leftAlone: "too few lines of text tell how it is curved", size)
        case .straight:
            self.init(nil, size: size, remark: FlattenedPage.straight)
        case .disagreeing:
            self.init(leftAlone: "its lines disagree about how it is curved", size)
        case .curved(let lines):
            let raster = preview.raster.size
            let shape = isTransposed ? raster.turned(quarters: 1) : raster
            guard let maker = FlatteningMaker(lines, shape) else {
                self.init(leftAlone: "lines would be pushed over its edge", size)
                return
            }
            guard let flattening = maker.flattening(isTransposed: isTransposed, preview) else {
                self.init(leftAlone: "it is curved too much", size)
                return
            }
            let scale = isTransposed ? preview.scale.across : preview.scale.down
            let bow = Int(clamping: (lines.bow * scale).rounded(), to: 1...1_000_000)
            self.init(
                flattening, size: size,
                remark: "flattened by \(lines.long.count) lines, bowed by up to \(bow) px")
        }
    }
}
