internal import AdapterKit
internal import Imaging
internal import PageModel
internal import Planning

extension ConvertedPage {
    /// Returns the effects of options on the page.
    ///
    /// - Parameters:
    ///   - planner: the planner of the output.
    ///   - seen: the effects in the run so far. They need not be found again.
    func effects(_ planner: Planner, after seen: Set<Effect>) -> Set<Effect> {
        guard let plan, let picture else { return [] }
        var effects = plan.effects
        if picture.isOfDocument { effects.insert(.documentPage) }
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
        guard let format = planner.request.format, encodings.contains(format), !keepsFirstFile else { return false }
        let other = Planner(planner.capabilities, EncodingRequest(quality: planner.request.quality))
        let usual = (try? other.plans(for: page, picture))?.first?.encodings ?? []
        return zip(encodings, usual).contains { $0 == format && $1 != format }
    }

    /// Whether the best image of the page is copied as a file. The same rule applies without a requested format, except
    /// for a TIFF: the JPEG in it may be better.
    private var keepsFirstFile: Bool {
        guard let file = method.copiedFile, representation == 0 else { return false }
        return file.encoding != .tiff
    }

    fileprivate var effects: Set<Effect> {
        var effects: Set<Effect> = []
        let codes = Set(reason.parts.map(\.note.code))
        if codes.contains(.noBetter) { effects.insert(.noSmaller) }
        if codes.contains(.doesNotFit) { effects.insert(.tooLargeForFormat) }
        if !codes.isDisjoint(with: PagePlan.offGrid) { effects.insert(.offGrid) }
        if case .page = method.kept { return [.copiedWhole] }
        if method.joinsPages || !method.parts.isEmpty { effects.insert(.joined) }
        if method.coded != nil, crop != nil { effects.insert(.cropped) }
        for best in method.pixelSources.compactMap(\.best) {
            effects.formUnion(best.representation.effects(cropped: best.operations.crop != nil))
            effects.formUnion(best.operations.effects)
        }
        effects.formUnion(method.operations?.effects ?? [])
        effects.formUnion(method.parameters?.effects ?? [])
        for part in method.parts { effects.formUnion(part.plan.effects) }
        return method.parts.isEmpty ? effects.union([.madePicture]) : effects
    }

    /// The notes on joined JPEGs that do not end on their MCU grid.
    private static let offGrid: Set<Note.Code> = [.offGrid, .wider, .narrower, .cutWherePagesEnd, .movedVertically]

    /// The formats of the page, or of its parts.
    private var encodings: [ImageEncoding?] {
        method.parts.isEmpty ? [encoding] : method.parts.map(\.plan.encoding)
    }
}

extension Picture.Representation {
    fileprivate func effects(cropped: Bool) -> Set<Effect> {
        switch self {
        case .drawn: [.drawn]
        case .encoded: cropped ? [.cropped] : []
        case .sampled, .joined: []
        }
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
            }
            size = next
        }
        return effects
    }
}

extension EncodingParameters {
    fileprivate var effects: Set<Effect> { [isLossless ? .encodedWithoutLosses : .encodedWithLosses] }
}

extension Picture {
    /// Whether the image, or a part of it, is a document page.
    fileprivate var isOfDocument: Bool {
        if document != nil { return true }
        return representations.contains {
            if case .joined(let joined) = $0 { joined.parts.contains { $0.picture.isOfDocument } } else { false }
        }
    }
}
