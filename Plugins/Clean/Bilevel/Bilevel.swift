internal import AdapterKit
internal import Imaging
internal import PageModel

/// The conversion of a page of text to black and white, with thresholds that follow its print.
struct Bilevel: OmittableOperation {
    static let id = "bilevel"

    let page: OperatedPage
    /// The box into which the page is enlarged first; nil if it keeps its size.
    let box: FitBox?

    var omission: Omission { page.omission }

    var options: [String] { box == nil ? [Bilevel.id] : [Bilevel.id, "bilevel-dpi"] }

    var note: Note { Note(Note.Code("bilevel", "made black and white")) }

    var makesGray: Bool { true }

    var grayLevels: Int? { 2 }

    /// The box is that of one page.
    var isSameForParts: Bool { box == nil }

    func isNoOp(on size: PixelSize, isGray: Bool) -> Bool { false }

    var workingCopies: Int { 1 }

    /// Strengths and thresholds take four bytes each or fewer; levels, labels, directions and marks of edges one each.
    var workingBytes: Int { 13 }

    func warning(because error: AdapterError) -> Warning {
        Warning(code: "page-not-bilevel", page.page, "not made black and white", because: error)
    }

    func apply(to raster: Raster) throws -> Raster {
        if case .gray(bits: 1) = raster.format { throw UnchangedPage() }
        return try (raster.format.hasAlpha ? raster.flattened(on: .white) : raster).gray().narrowed().widened()
            .scaled(to: size(after: raster.size)).bilevel()
    }

    func apply(toScaled raster: Raster) throws -> Raster { try apply(to: raster) }
}

extension Raster {
    /// Returns a page of text in black and white.
    ///
    /// - Precondition: it is gray of 8 bits.
    func bilevel() -> Raster {
        let field = EdgeField(samples, width: size.width, height: size.height)
        var bits = [UInt8](repeating: UInt8.max, count: (size.width + 7) / 8 * size.height)
        if let strength = field.usualStrength() {
            // Without stains and grain, all edges are of about one strength, and none exceeds the usual one by much.
            let usual = min(BilevelLimits.strong * Double(strength), BilevelLimits.attained * field.greatestStrength)
            // A blank page has no other edges than those of its grain.
            let high = max(usual, field.greatestGrain)
            let edges = field.edges(low: BilevelLimits.hysteresis * high, high: high)
            if !edges.isEmpty {
                var ink = InkField(samples, width: size.width, height: size.height, edges: edges)
                ink.relax(strength: strength)
                var components = InkComponents(ink, field)
                bits = components.bits(strength: strength)
            }
        }
        return Raster(size: size, format: .gray(bits: 1), samples: bits, resolution: resolution)
    }
}
