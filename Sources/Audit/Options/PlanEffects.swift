internal import AdapterKit
internal import Conversion
internal import PageModel
internal import Planning

/// The effects of options on a page, for the proof that an option did nothing.
extension ConvertedPage {
    /// - Parameter seen: the effects in the run so far. They need not be found again.
    func effects(_ planner: Planner, after seen: Set<Effect>) -> Set<Effect> {
        guard let plan, let picture else { return [] }
        var effects = plan.effects
        if !picture.documentPages.isEmpty { effects.insert(.documentPage) }
        if isOfSpread { effects.insert(.shownAsSpread) }
        if !seen.contains(.inAskedFormat), plan.isInAskedFormat(page, picture, planner) {
            effects.insert(.inAskedFormat)
        }
        return effects
    }
}

extension PagePlan {
    /// Returns whether the page, or a part of it, has the requested format only because of the request.
    ///
    /// All images of a page decide which rule applies. If the plan does not answer the question, the page is therefore
    /// planned without the request. In most runs, this happens once.
    fileprivate func isInAskedFormat(_ page: Page, _ picture: Picture, _ planner: Planner) -> Bool {
        guard let format = planner.request.format, encodings.contains(format) else { return false }
        // The same rule copies the best image without a requested format, except a TIFF: the JPEG in it may be better.
        if let file = method.copiedFile, representation == 0, file.encoding != .tiff { return false }
        let other = Planner(planner.capabilities, EncodingRequest(quality: planner.request.quality))
        let usual = (try? other.plans(for: page, picture))?.first?.encodings ?? []
        return zip(encodings, usual).contains { $0 == format && $1 != format }
    }

    /// The formats of the page, or of its parts.
    private var encodings: [ImageEncoding?] {
        method.parts.isEmpty ? [encoding] : method.parts.map(\.plan.encoding)
    }

    fileprivate var effects: Set<Effect> {
        if case .page = method.kept { return [.copiedWhole] }
        let codes = reason.parts.map(\.note.code)
        let best = method.pixelSources.compactMap(\.best)
        let cropsFile = best.contains { image in
            if case .encoded = image.representation { image.operations.crop != nil } else { false }
        }
        let offGrid: [Note.Code] = [.offGrid, .wider, .narrower, .cutWherePagesEnd, .movedVertically]
        // An array, because a table of hashes for each page takes longer than all of these questions.
        let facts: [(effect: Effect, holds: Bool)] = [
            (.noSmaller, codes.contains(.noBetter)), (.tooLargeForFormat, codes.contains(.doesNotFit)),
            (.offGrid, codes.contains(where: offGrid.contains)),
            (.joined, method.joinsPages || !method.parts.isEmpty), (.madePicture, method.parts.isEmpty),
            (.cropped, cropsFile || method.coded != nil && crop != nil),
            (.drawn, best.contains { $0.representation.isDrawn }),
            (.encodedWithLosses, method.parameters?.isLossless == false),
            (.encodedWithoutLosses, method.parameters?.isLossless == true),
        ]
        let operations = best.map(\.operations) + [method.operations].compactMap(\.self)
        let others = operations.flatMap(\.effects) + method.parts.flatMap(\.plan.effects)
        return Set(others + facts.filter(\.holds).map(\.effect))
    }
}

extension PixelOperations {
    fileprivate var effects: Set<Effect> {
        var (effects, size) = (Set<Effect>(), framing.rect.size)
        for edit in retouches {
            let next = edit.applied(to: size) ?? size
            if let operation = edit.operation {
                if next != size { effects.insert(.scaled) }
                if next.width > size.width || next.height > size.height { effects.insert(.scaledUp) }
                if operation.makesGray { effects.insert(.madeGray) }
                // An operation that may prove needless tells itself.
                let options = operation is any OmittableOperation ? [] : operation.options
                effects.formUnion(options.map(Effect.option))
            }
            size = next
        }
        return effects
    }
}
