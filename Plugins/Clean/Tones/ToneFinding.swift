internal import AdapterKit
internal import Imaging
public import PageModel

/// The images and tones on a page, and the decision to make its print black and white.
public struct ToneFinding: PageFinding {
    public let remark: Message
    /// The share of the page that shows images and tones, 0 to 1; nil for a page that could not be analyzed.
    public let share: Double?
    /// The damage of the page's data that the analysis found; nil for intact data.
    public let damage: Message?

    init(_ remark: Message, share: Double?, damage: Message? = nil) {
        (self.remark, self.share, self.damage) = (remark, share, damage)
    }

    public func members(side: Side) -> [(key: String, value: FindingValue)] {
        [("toneShare", share.map { .number(($0 * 1000).rounded() / 1000) } ?? .none)]
    }
}

/// The reading of a page for `--bilevel mixed`.
struct ToneReading: Sendable {
    let finding: ToneFinding
    /// The operation for the page; nil for a page that stays as it is.
    var edit: Edit?

    /// The part of the page that becomes black and white.
    enum Edit {
        case whole
        case around([AreaShare])
    }

    init(_ seen: PreviewResult) {
        switch seen {
        case .unseen(let reason, let damage, _):
            finding = ToneFinding("not made black and white: \(reason)", share: nil, damage: damage)
        case .seen(let preview):
            let raster = preview.raster
            let tiles = PaperTiles(raster, luma: raster.gray().samples)
            // A cover or a plate may have a light part that looks like paper.
            guard let sheet = tiles.sheet(),
                Double(sheet.count { $0 }) >= PaperLimits.minimumShare * Double(sheet.count)
            else {
                finding = ToneFinding("not made black and white: it shows no paper, or too little", share: 1)
                return
            }
            let resolution = Resolution.probable(preview.resolution, of: preview.size) / preview.scale.across
            let side = Int(clamping: resolution * ToneLimits.cell, to: 2...64)
            let surface = PaperSurface(tiles, isPaper: sheet)
            let areas = ToneAreas(ToneCells(raster, on: surface, tile: tiles.side, side: side))
            let percent = max(1, Int(clamping: areas.share * 100, to: 0...100))
            switch areas.share {
            case 0:
                (finding, edit) = (ToneFinding("it shows print only", share: 0), .whole)
            case ...ToneLimits.plate:
                finding = ToneFinding("images on \(percent) % of it stay", share: areas.share)
                edit = .around(
                    AreaShare.all(
                        areas.isTone, across: areas.across, down: areas.down, side: areas.side, of: raster.size))
            default:
                finding = ToneFinding("not made black and white: most of it is art", share: areas.share)
            }
        }
    }
}
