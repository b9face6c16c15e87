internal import Imaging
internal import PageModel

/// All that is to be done to a picture's pixels: first they are moved, then changed.
struct PixelOperations: Sendable {
    /// How the picture is laid down and cut.
    let framing: Framing
    /// What is done to the framed picture afterwards, in order; nothing that would do nothing.
    let retouches: [Edit]
    /// The size in the end.
    let size: PixelSize

    private let orientation: Orientation
    private let edits: [Edit]

    /// Nil when nothing would be left of the picture.
    init?(_ size: PixelSize, _ orientation: Orientation = .upright, _ edits: [Edit], isGray: Bool = false) {
        let moves = edits.prefix(while: \.keepsPixels)
        guard let framing = Framing(size, orientation, edits: Array(moves)) else { return nil }
        self.framing = framing
        var (retouches, size, isGray) = ([Edit](), framing.rect.size, isGray)
        for edit in edits.dropFirst(moves.count) {
            guard let next = edit.applied(to: size) else { return nil }
            let isIdle =
                switch edit {
                case .deskew(let degrees): degrees == 0
                case .fit: next == size
                case .gray: isGray
                case .tones(let tones): tones.isNeutral
                case .crop, .keep, .inset, .turn, .depth: false
                }
            if !isIdle { retouches.append(edit) }
            size = next
            if edit == .gray { isGray = true }
        }
        self.retouches = retouches
        self.size = size
        self.orientation = orientation
        self.edits = edits
        isIdle = retouches.isEmpty && framing == Framing(framing.source, orientation)
    }

    /// The same for a picture that turns out to want to be held in another way: some formats say so only at their end.
    func held(_ orientation: Orientation) -> PixelOperations? {
        orientation == self.orientation ? self : PixelOperations(framing.source, orientation, edits)
    }

    /// Whether every pixel that stays keeps its value.
    var keepsPixels: Bool { retouches.isEmpty }

    /// Whether nothing is asked of the picture, but perhaps to hold it as it wants to be held.
    let isIdle: Bool

    /// What is kept of the laid-down picture, deskewed where that is asked for, if not all of it is.
    var crop: PixelRect? {
        let unscaled = edits.prefix { if case .fit = $0 { false } else { true } }
        let whole = Framing(framing.source, orientation, edits: unscaled.filter(\.keepsPixels)) ?? framing
        return whole.isWhole ? nil : whole.rect
    }

    /// What it does to a picture: "cropped, turned and scaled"; "kept whole" when nothing.
    var deed: String {
        let moves = [framing.isWhole ? nil : "cropped", framing.isUpright ? nil : "turned"]
        var deeds = moves.compactMap { $0 }
        for edit in retouches where !deeds.contains(edit.participle) { deeds.append(edit.participle) }
        guard let last = deeds.popLast() else { return "kept whole" }
        return deeds.isEmpty ? last : deeds.joined(separator: ", ") + " and " + last
    }

    /// Does it.
    ///
    /// - Throws: `PictureFault` when the pixels cannot be changed.
    func carryOut(on raster: Raster) throws(PictureFault) -> Raster {
        guard raster.size == framing.source else { throw PictureFault("its size is not what it said") }
        var raster = raster.framed(framing)
        for edit in retouches { raster = try edit.carryOut(on: raster) }
        return raster
    }
}

extension Edit {
    /// What it does to a picture: "cropped".
    var participle: String {
        switch self {
        case .crop, .keep, .inset: "cropped"
        case .turn: "turned"
        case .deskew: "deskewed"
        case .fit: "scaled"
        case .gray: "made gray"
        case .tones: "levelled"
        case .depth(let bits): "dithered to \(1 << bits) shades"
        }
    }

    fileprivate func carryOut(on raster: Raster) throws(PictureFault) -> Raster {
        switch self {
        case .crop, .keep, .inset, .turn:
            guard let framing = Framing(raster.size, edits: [self]) else {
                throw PictureFault("nothing would be left of it")
            }
            return raster.framed(framing)
        case .deskew(let degrees): return raster.deskewed(by: degrees)
        case .fit(let box): return try raster.scaled(to: box.size(for: raster.size))
        case .gray: return raster.gray()
        case .tones(let tones): return raster.levels(black: tones.black, white: tones.white, gamma: tones.gamma)
        case .depth(let bits):
            let opaque = raster.format.hasAlpha ? raster.flattened(on: .white) : raster
            return try opaque.gray().dithered(toBits: bits)
        }
    }
}
