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
        // (c)
        let matrix = painted.state.matrix
        let isMirrored = matrix.quarterTurns == nil
        guard let turns = isMirrored ? matrix.mirrored.quarterTurns : matrix.quarterTurns else {
            throw Refusal("the image is slanted")
        }
        let box = matrix.unitSquare
        let turned = size.rotated(quarters: turns)
        // Pixels per unit of the page, in the image's orientation.
        let scale = (x: Double(turned.width) / box.width, y: Double(turned.height) / box.height)
        let shown = geometry.shown

        // (b) The clip has to keep the whole visible part.
        let half = (x: 0.5 / scale.x, y: 0.5 / scale.y)
        switch painted.state.clip {
        case .open: break
        case .shape: throw Refusal("the image is clipped to a shape")
        case .box(let clip):
            let needed = box.intersection(shown)
            guard clip.left <= needed.left + half.x, clip.right >= needed.right - half.x,
                clip.bottom <= needed.bottom + half.y, clip.top >= needed.top - half.y
            else { throw Refusal("the image is clipped") }
        }

        // (d) Paper may be visible at the image's sides only as far as a producer's rounding leaves it.
        let slack = (
            x: max(half.x, min(1 / geometry.userUnit, shown.width * 0.0025)),
            y: max(half.y, min(1 / geometry.userUnit, shown.height * 0.0025))
        )
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
        // (e)
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
        let matrix = painted.state.matrix
        guard let turns = matrix.quarterTurns ?? matrix.mirrored.quarterTurns else {
            throw Refusal("the image is slanted")
        }
        let (box, turned) = (matrix.unitSquare, size.rotated(quarters: turns))
        let scale = (x: Double(turned.width) / box.width, y: Double(turned.height) / box.height)
        switch painted.state.clip {
        case .open: break
        case .shape: throw Refusal("the image is clipped to a shape")
        case .box(let clip):
            let seen = box.intersection(geometry.shown)
            guard clip.left <= seen.left + 0.5 / scale.x, clip.right >= seen.right - 0.5 / scale.x,
                clip.bottom <= seen.bottom + 0.5 / scale.y, clip.top >= seen.top - 0.5 / scale.y
            else { throw Refusal("the image is clipped") }
        }
        pending = []
        let inches = geometry.userUnit / 72
        resolution = Resolution(horizontal: scale.x / inches, vertical: scale.y / inches).rotated(quarters: turns)
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
