internal import AdapterKit
internal import Imaging
package import PageModel

/// Plans that keep a JPEG's coefficients, pack a JPEG in a JPEG XL, or unpack it again.
extension Planner {
    /// Returns the plan that keeps a JPEG's coefficients, or nil.
    ///
    /// - Parameter target: the format that keeps them.
    package func transformCoefficients(
        _ encoded: EncodedPicture, _ operations: PixelOperations, as target: ImageEncoding
    ) -> PagePlan? {
        guard encoded.encoding == .jpeg, let grid = encoded.grid, operations.keepsPixels,
            target == .jpeg || target == .jpegXL, let wider = JPEGSurgery.lossless(operations.framing, grid: grid)
        else { return nil }
        // A file with an orientation in its own metadata cannot be copied: the framed result is upright.
        let isShown = capabilities.shows(encoded)
        if wider == Framing(wider.source), encoded.orientation == .upright, target == .jpeg, isShown {
            return copy(encoded, because: operations.isNoOp ? nil : Note(.tooLittleToCut))
        }
        // The orientation in its own metadata is applied to the coefficients, although no rotation was requested.
        let turn = operations.isNoOp ? PixelOperations.note(turning: encoded.orientation) : nil
        let reason = Reason(encoded.overlayNote ?? Note(.coefficients)).with(operations).with(.operation, turn)
            .with(.detail, operations.isNoOp ? nil : Planner.surplus(operations.framing, wider))
            .with(.detail, target == .jpegXL ? Note(.keptInJPEGXL) : nil)
            .with(.cause, operations.isNoOp && !isShown ? Note(.rareJPEG) : nil)
        return PagePlan(
            encoded.overlay == nil ? .lossless : .patched, reason, encoding: target, size: wider.rect.size,
            crop: wider.isWhole ? nil : wider.rect,
            MoveCoefficients(picture: encoded, framing: wider, format: target))
    }

    /// Returns the note on pixels that are kept in excess of the request.
    private static func surplus(_ wanted: Framing, _ kept: Framing) -> Note? {
        let sides = [("left", wanted.rect.x - kept.rect.x), ("top", wanted.rect.y - kept.rect.y)].filter { $0.1 > 0 }
        return sides.isEmpty
            ? nil : Note(.moreKept, Dictionary(uniqueKeysWithValues: sides.map { ($0.0, String($0.1)) }))
    }

    /// Returns the plan that packs a JPEG whole although its own metadata rotate it. The JPEG XL's codestream contains
    /// the same orientation, so that the JPEG round-trips byte for byte.
    func pack(_ encoded: EncodedPicture, _ operations: PixelOperations) -> PagePlan? {
        guard encoded.encoding == .jpeg, encoded.grid != nil, !encoded.isRareJPEG, encoded.orientation != .upright,
            operations.isNoOp, request.format == .jpegXL, request.quality == nil
        else { return nil }
        let framing = operations.framing
        let reason = Reason(encoded.overlayNote ?? Note(.coefficients)).with(.detail, Note(.keptInJPEGXL)).showing(
            framing, own: .upright)
        return PagePlan(
            encoded.overlay == nil ? .lossless : .patched, reason, encoding: .jpegXL, size: framing.rect.size,
            PackJPEG(picture: encoded, framing: framing))
    }

    /// Returns the plans that restore the JPEG that a JPEG XL was made from.
    func restore(_ encoded: EncodedPicture, _ operations: PixelOperations) -> [PagePlan] {
        let plan = PagePlan(
            .lossless, Reason(Note(.originalJPEG)), encoding: .jpeg, size: operations.framing.source,
            RestoreJPEG(picture: encoded, capabilities: capabilities))
        if !capabilities.holdsOnlyFormats || capabilities.shows(.jpegXL) { return [plan, copy(encoded)] }
        let parameters = EncodingParameters(
            request, own: encoded.encoding, isLossy: true, formats: capabilities.formats)
        return [plan, render(encoded, operations, parameters, because: rarity(of: encoded.encoding))]
    }
}
