internal import AdapterKit
internal import Imaging
internal import PageModel

/// Plans that pack a JPEG in a JPEG XL, or unpack it again.
extension Planner {
    /// Returns the plan that packs a JPEG whole although its own metadata rotate it. The JPEG XL's codestream contains the same
    /// orientation, so that the JPEG round-trips byte for byte.
    func pack(_ encoded: EncodedPicture, _ operations: PixelOperations) -> PagePlan? {
        guard encoded.encoding == .jpeg, encoded.grid != nil, !encoded.isRareJPEG, encoded.orientation != .upright,
            operations.isIdle, request.format == .jpegXL, request.quality == nil
        else { return nil }
        let framing = operations.framing
        let reason = Reason(encoded.patchNote ?? Note(.coefficients)).with(.detail, Note(.keptInJPEGXL)).showing(
            framing, own: .upright)
        return PagePlan(
            encoded.seenPatch == nil ? .lossless : .patched, reason, encoding: .jpegXL, size: framing.rect.size,
            .pack(encoded, framing))
    }

    /// Returns the plans that restore the JPEG that a JPEG XL was made from.
    func restore(
        _ encoded: EncodedPicture, _ size: PixelSize, _ operations: PixelOperations
    ) -> [PagePlan] {
        let plan = PagePlan(
            .lossless, Reason(Note(.originalJPEG)), encoding: .jpeg, size: size, .restore(encoded, capabilities))
        if !capabilities.holdsOnlyFormats || capabilities.shows(.jpegXL) { return [plan, copy(encoded)] }
        let parameters = EncodingParameters(
            request, own: encoded.encoding, isLossy: true, formats: capabilities.formats)
        return [plan, render(encoded, operations, parameters, because: rarity(of: encoded.encoding))]
    }
}
