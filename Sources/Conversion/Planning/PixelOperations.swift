internal import AdapterKit
internal import Imaging
internal import PageModel

/// The operations on an image's pixels, which are first moved, then changed.
struct PixelOperations: Hashable, Codable, Sendable {
    /// The orientation and cropping of the image.
    let framing: Framing
    /// The edits of the framed image, in order, without those that would have no effect.
    let retouches: [Edit]
    /// The final size.
    let size: PixelSize

    private let orientation: Orientation
    private let edits: [Edit]

    /// Nil if the edits leave nothing of the image.
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
                case .crop, .keep, .inset, .turn, .mirror, .flatten, .depth: false
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

    /// Returns the same operations for an image with another orientation; some formats state it only at their end.
    ///
    /// The result is nil if nothing of the image would be left.
    func oriented(_ orientation: Orientation) -> PixelOperations? {
        orientation == self.orientation ? self : PixelOperations(framing.source, orientation, edits)
    }

    /// Whether every pixel that stays keeps its value.
    var keepsPixels: Bool { retouches.isEmpty }

    /// Whether the result has few gray levels, which only a lossless encoding keeps.
    var isDithered: Bool { retouches.contains { if case .depth = $0 { true } else { false } } }

    /// Whether no change of the image is requested, except perhaps the one that its own orientation requires.
    let isIdle: Bool

    /// The kept part of the oriented image, after any deskewing or dewarping; nil if all of it is kept.
    var crop: PixelRect? {
        let unscaled = edits.prefix { if case .fit = $0 { false } else { true } }
        let whole = Framing(framing.source, orientation, edits: unscaled.filter(\.keepsPixels)) ?? framing
        return whole.isWhole ? nil : whole.rect
    }

    /// The notes on the operations, in order, each kind once.
    var notes: [Note] {
        var notes: [Note] = []
        if !framing.isWhole { notes.append(Note(.cropped)) }
        if let turn = PixelOperations.note(turning: framing.orientation) { notes.append(turn) }
        for edit in retouches where !notes.contains(edit.note) { notes.append(edit.note) }
        return isIdle ? [] : notes
    }

    /// Returns the note on rotating or mirroring an image; nil if it is upright.
    static func note(turning orientation: Orientation) -> Note? {
        orientation == .upright ? nil : Note(orientation.quarterTurns == nil ? .mirrored : .turned)
    }

    /// The operations: "cropped and turned".
    var message: Message { notes.message }

    /// The codes of `notes`, for a value of another note.
    var codes: String { notes.map(\.code.rawValue).joined(separator: ",") }

    /// Returns the stored image's samples after all operations.
    ///
    /// - Throws: `PictureFault` when the pixels cannot be changed.
    func apply(to raster: Raster) throws(PictureFault) -> Raster {
        guard raster.size == framing.source else { throw PictureFault("its size differs from its header") }
        var raster = raster.framed(framing)
        for edit in retouches { raster = try edit.apply(to: raster) }
        return raster
    }
}

extension Edit {
    /// The note on the edit.
    fileprivate var note: Note {
        switch self {
        case .crop, .keep, .inset: Note(.cropped)
        case .turn: Note(.turned)
        case .mirror: Note(.mirrored)
        case .deskew: Note(.deskewed)
        case .flatten: Note(.flattened)
        case .fit: Note(.scaled)
        case .gray: Note(.gray)
        case .tones: Note(.leveled)
        case .depth(let bits): Note(.dithered, "shades", 1 << bits)
        }
    }

    fileprivate func apply(to raster: Raster) throws(PictureFault) -> Raster {
        switch self {
        case .crop, .keep, .inset, .turn, .mirror:
            guard let framing = Framing(raster.size, edits: [self]) else {
                throw PictureFault("nothing would be left of it")
            }
            return raster.framed(framing)
        case .deskew(let degrees): return raster.deskewed(by: degrees)
        case .flatten(let flattening): return raster.laidFlat(by: flattening)
        case .fit(let box): return try raster.scaled(to: box.size(for: raster.size))
        case .gray: return raster.gray()
        case .tones(let tones): return raster.levels(black: tones.black, white: tones.white, gamma: tones.gamma)
        case .depth(let bits):
            let opaque = raster.format.hasAlpha ? raster.flattened(on: .white) : raster
            return try opaque.gray().dithered(toBits: bits)
        }
    }
}
