internal import PDFStructure
internal import PageModel

/// The placement of an image on its page, and the edits that turn it into the page.
struct PicturePlacement {
    /// Mirroring, then a crop, then a rotation; each only if needed.
    let pending: [Edit]
    /// The pixels per inch of the image as stored.
    let resolution: Resolution

    /// - Throws: a `Refusal` if the image does not fill the page, or is slanted or clipped.
    init(_ painted: PaintedPicture, _ size: PixelSize, _ geometry: PageGeometry) throws(Refusal) {
        let matrix = PicturePlacement.leveled(painted.state.matrix, size, geometry)
        let isMirrored = matrix.quarterTurns == nil
        guard let turns = isMirrored ? matrix.mirrored.quarterTurns : matrix.quarterTurns else {
            throw Refusal("the image is slanted")
        }
        let box = matrix.unitSquare
        let turned = size.rotated(quarters: turns)
        // Pixels per unit of the page, in the image's orientation.
        let scale = (x: Double(turned.width) / box.width, y: Double(turned.height) / box.height)
        let shown = geometry.shown

        // The clip has to keep the whole visible part.
        let slack = PicturePlacement.slack(scale, geometry)
        try PicturePlacement.checkClip(of: painted, box.intersection(shown), slack)

        // Paper may be visible at the image's sides only as far as a producer's rounding leaves it.
        guard box.left <= shown.left + slack.x, box.right >= shown.right - slack.x,
            box.bottom <= shown.bottom + slack.y, box.top >= shown.top - slack.y
        else { throw Refusal("the image does not fill the page") }

        // The part of the image that the page hides, to the nearest pixel.
        func pixels(_ hidden: Double, _ scale: Double) throws(Refusal) -> Int {
            guard let count = Int(exactly: (hidden * scale).rounded()), count < 1 << 24 else {
                throw Refusal("the image lies outside the page")
            }
            return max(0, count)
        }
        let left = try pixels(shown.left - box.left, scale.x)
        let right = try pixels(box.right - shown.right, scale.x)
        let top = try pixels(box.top - shown.top, scale.y)
        let bottom = try pixels(shown.bottom - box.bottom, scale.y)
        let visible = PixelRect(
            x: left, y: top, width: turned.width - left - right, height: turned.height - top - bottom)
        guard visible.width > 0, visible.height > 0 else { throw Refusal("the image lies outside the page") }

        var pending: [Edit] = isMirrored ? [.mirror] : []
        if visible.size != turned { pending.append(.crop(PicturePlacement.untouched(visible, in: size, turns))) }
        // The page's own rotation comes after that of the image.
        let total = (turns + geometry.turns) % 4
        if total != 0 { pending.append(.turn(quarters: total)) }
        self.pending = pending
        let inches = geometry.userUnit / 72
        resolution = Resolution(horizontal: scale.x / inches, vertical: scale.y / inches).rotated(quarters: turns)
    }

    /// Returns the placement of an image that may be a part of the page.
    ///
    /// - Throws: a `Refusal` if the image is slanted or clipped.
    init(ofPart painted: PaintedPicture, _ size: PixelSize, _ geometry: PageGeometry) throws(Refusal) {
        let matrix = PicturePlacement.leveled(painted.state.matrix, size, geometry)
        guard let turns = matrix.quarterTurns ?? matrix.mirrored.quarterTurns else {
            throw Refusal("the image is slanted")
        }
        let (box, turned) = (matrix.unitSquare, size.rotated(quarters: turns))
        let scale = (x: Double(turned.width) / box.width, y: Double(turned.height) / box.height)
        try PicturePlacement.checkClip(
            of: painted, box.intersection(geometry.shown), PicturePlacement.slack(scale, geometry))
        pending = []
        let inches = geometry.userUnit / 72
        resolution = Resolution(horizontal: scale.x / inches, vertical: scale.y / inches).rotated(quarters: turns)
    }

    /// Returns the distance, in units of the page, up to which edges are alike: half a pixel, or the point to which producers round.
    ///
    /// - Parameter scale: the pixels per unit.
    private static func slack(_ scale: (x: Double, y: Double), _ geometry: PageGeometry) -> (x: Double, y: Double) {
        func slack(_ scale: Double, _ side: Double) -> Double {
            max(0.5 / scale, min(1 / geometry.userUnit, side * 0.0025))
        }
        return (slack(scale.x, geometry.shown.width), slack(scale.y, geometry.shown.height))
    }

    /// Returns a matrix without its slant if that moves no corner of the image further than edges may differ.
    private static func leveled(_ matrix: Matrix, _ size: PixelSize, _ geometry: PageGeometry) -> Matrix {
        guard let straight = matrix.straightened()?.matrix else { return matrix }
        let (box, turns) = (straight.unitSquare, straight.quarterTurns ?? straight.mirrored.quarterTurns ?? 0)
        guard box.width > 0, box.height > 0 else { return matrix }
        let turned = size.rotated(quarters: turns)
        let limit = slack((Double(turned.width) / box.width, Double(turned.height) / box.height), geometry)
        let isLevel = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].allSatisfy { x, y in
            let (one, other) = (matrix.applied(x: x, y: y), straight.applied(x: x, y: y))
            return abs(one.x - other.x) <= limit.x && abs(one.y - other.y) <= limit.y
        }
        return isLevel ? straight : matrix
    }

    /// - Parameter visible: the part of the image within the page.
    /// - Throws: a `Refusal` if the clip hides a part of that.
    private static func checkClip(
        of painted: PaintedPicture, _ visible: PDFBox, _ slack: (x: Double, y: Double)
    ) throws(Refusal) {
        switch painted.state.clip {
        case .open: break
        case .shape: throw Refusal("the image is clipped to a shape")
        case .box(let clip):
            guard clip.left <= visible.left + slack.x, clip.right >= visible.right - slack.x,
                clip.bottom <= visible.bottom + slack.y, clip.top >= visible.top - slack.y
            else { throw Refusal("the image is clipped") }
        }
    }

    /// Returns a rectangle of the rotated image as one of the image as stored, which has the size `size`.
    private static func untouched(_ rect: PixelRect, in size: PixelSize, _ turns: Int) -> PixelRect {
        switch turns {
        case 1:
            PixelRect(
                x: rect.y, y: size.height - rect.x - rect.width, width: rect.height, height: rect.width)
        case 2:
            PixelRect(
                x: size.width - rect.x - rect.width, y: size.height - rect.y - rect.height, width: rect.width,
                height: rect.height)
        case 3:
            PixelRect(
                x: size.width - rect.y - rect.height, y: rect.x, width: rect.height, height: rect.width)
        default: rect
        }
    }
}
