internal import AdapterKit
internal import Conversion
internal import PageModel
internal import Planning

/// The effects of options on a page, for the proof that an option did nothing.
extension ConvertedPage {
    /// - Parameter seen: the effects in the run so far. They need not be found again.
    func effects(_ planner: Planner, after seen: Set<Effect>) -> Set<Effect> {
        guard let plan, let picture else { return [] }
        var effects = Set(plan.effects)
        if !picture.documentPages.isEmpty { effects.insert(.documentPage) }
        if isOfSpread { effects.insert(.shownAsSpread) }
        let format = Effect.option("image-format")
        if !seen.contains(format), plan.isInAskedFormat(page, picture, planner) { effects.insert(format) }
        return effects
    }
}

extension PagePlan {
    /// Returns whether the page, or a part of it, has the requested format only because of the request.
    ///
    /// All images of a page decide which rule applies. The page is therefore planned without the request.
    fileprivate func isInAskedFormat(_ page: Page, _ picture: Picture, _ planner: Planner) -> Bool {
        guard let format = planner.request.format, encodings.contains(format) else { return false }
        let other = Planner(planner.capabilities, EncodingRequest(quality: planner.request.quality))
        let usual = (try? other.plans(for: page, picture))?.first?.encodings ?? []
        return zip(encodings, usual).contains { $0 == format && $1 != format }
    }

    /// The formats of the page, or of its parts.
    private var encodings: [ImageEncoding?] {
        method.parts.isEmpty ? [encoding] : method.parts.map(\.plan.encoding)
    }

    fileprivate var effects: [Effect] {
        if case .page = method.kept { return [.copiedWhole] }
        let codes = reason.parts.map(\.note.code)
        let best = method.pixelSources.compactMap(\.best)
        let operations = best.map(\.operations) + [method.operations].compactMap(\.self)
        // Images that are rendered or decompressed are cropped in any case.
        let cropsFile = best.contains { image in
            if case .encoded = image.representation { image.operations.crop != nil } else { false }
        }
        let atSeams: [Note.Code] = [.offGrid, .wider, .narrower, .cutWherePagesEnd, .movedVertically]
        let facts: [(effect: Effect, holds: Bool)] = [
            (.noSmaller, codes.contains(.noBetter)), (.tooLargeForFormat, codes.contains(.doesNotFit)),
            (.option("seam"), codes.contains(where: atSeams.contains)),
            (.joined, method.joinsPages || !method.parts.isEmpty), (.madePicture, method.parts.isEmpty),
            (.option(Setting.bake.name), cropsFile || method.coded != nil && crop != nil),
            (.drawn, best.contains { $0.representation.isDrawn }),
            (.scaledUp, operations.contains(where: \.isEnlarged)),
            (.option("quality"), method.parameters?.isLossless == false),
            (.encodedWithoutLosses, method.parameters?.isLossless == true),
        ]
        return facts.filter(\.holds).map(\.effect) + operations.flatMap(\.options).map(Effect.option)
            + method.parts.flatMap(\.plan.effects)
    }
}
