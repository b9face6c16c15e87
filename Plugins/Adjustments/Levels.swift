internal import Imaging
internal import PageModel

/// The black point, the white point and the brightness of the tones between them.
struct Levels: PageOperation {
    static let id = "levels"

    /// The level that becomes black, 0 to 1.
    var black: Double
    /// The level that becomes white, 0 to 1, more than `black`.
    var white: Double
    /// The exponent for the tones between: more than 1 brightens them.
    var gamma: Double

    init(black: Double = 0, white: Double = 1, gamma: Double = 1) {
        self.black = black
        self.white = white
        self.gamma = gamma
    }

    /// Parses typed levels in percent of the range, each with or without a percent sign: "10,95".
    init?(levels text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let values = parts.compactMap { Double($0.hasSuffix("%") ? $0.dropLast() : $0) }
        guard parts.count == 2, values.count == 2, values[0] >= 0, values[0] < values[1],
            values[1] <= AdjustmentLimits.white
        else {
            return nil
        }
        self.init(black: values[0] / AdjustmentLimits.white, white: values[1] / AdjustmentLimits.white)
    }

    /// Whether every sample stays as it is.
    var isNeutral: Bool { self == Levels() }

    var options: [String] {
        (self == Levels(gamma: gamma) ? [] : ["levels"]) + (gamma == 1 ? [] : ["gamma"])
    }

    var note: Note { Note(.leveled) }

    var isSameForParts: Bool { true }

    func isNoOp(on size: PixelSize, isGray: Bool) -> Bool { isNeutral }

    func apply(to raster: Raster) -> Raster { raster.levels(black: black, white: white, gamma: gamma) }
}

extension Note.Code {
    fileprivate static let leveled = Note.Code("leveled", "leveled")
}
