package import AdapterKit
package import PageModel

/// A planner that chooses the least lossy treatment for each page.
package struct Planner: Sendable {
    package let capabilities: SinkCapabilities
    package let request: EncodingRequest
    /// Whether only plans that keep every pixel are allowed.
    package let isLossless: Bool
    /// Whether the observers of pages need all pixels, as digests do.
    private let needsPixels: Bool

    /// - Parameters:
    ///   - capabilities: the capabilities of the output itself.
    ///   - request: the requested encoding.
    ///   - isLossless: whether only plans that keep every pixel are allowed.
    ///   - needsPixels: whether the observers of pages need all pixels before any change.
    package init(
        _ capabilities: SinkCapabilities, _ request: EncodingRequest = EncodingRequest(), isLossless: Bool = false,
        needsPixels: Bool = false
    ) {
        self.capabilities = capabilities
        self.request = request
        self.isLossless = isLossless
        self.needsPixels = needsPixels
    }

    /// Returns the allowed plans for the page. All but the best are fallbacks for damaged data, or for a plan that
    /// would make the page larger. The best plan comes first.
    ///
    /// - Throws: `.unsupported` if no plan exists, or none is allowed; `.usage` if the edits leave nothing or cannot be
    ///   applied.
    package func plans(for page: Page, _ picture: Picture) throws(AdapterError) -> [PagePlan] {
        let plans = try matches(for: page, picture).flatMap(\.plans)
        let allowed = plans.filter(allows)
        guard allowed.isEmpty, let best = plans.first else { return allowed }
        throw AdapterError(
            .unsupported, "would have to be \(best.treatment.rawValue): \(best.reason.message)",
            hint: "remove --lossless to encode or render it", page: page.name)
    }

    /// Returns whether the request allows the loss of a plan.
    ///
    /// The loss depends on the image, so that jisui filters the plans of the rule and not the rules.
    package func allows(_ plan: PagePlan) -> Bool { !isLossless || plan.keepsEveryPixel }

    /// Returns the rules that apply to the page, each with its plans, the best first. Some may not be allowed.
    ///
    /// - Throws: `.unsupported` if no plan exists; `.usage` if the edits leave nothing or cannot be applied.
    func matches(for page: Page, _ picture: Picture) throws(AdapterError) -> [PlanMatch] {
        var blocker: Note?
        if let candidate = try DocumentCandidate(self, page, picture) {
            let matches = try Planner.apply(DocumentCandidate.rules, to: candidate, &blocker)
            if !matches.isEmpty { return matches }
        }
        var matches: [PlanMatch] = []
        for representation in picture.representations {
            switch representation {
            case .encoded(let encoded):
                matches += try encodedMatches(for: encoded, of: page, picture, &blocker)
            case .sampled(let sampled):
                var cause = blocker
                matches += try Planner.apply(
                    SampledCandidate.rules, to: SampledCandidate(self, sampled, of: page), &cause)
            case .drawn(let drawn):
                var cause =
                    drawn.layers != nil ? Note(.storedInLayers) : blocker ?? picture.reason.map { Note(text: $0) }
                matches += try Planner.apply(DrawnCandidate.rules, to: DrawnCandidate(self, drawn, of: page), &cause)
            case .joined(let joined):
                var cause: Note?
                matches += try Planner.apply(JoinedCandidate.rules, to: JoinedCandidate(self, joined, of: page), &cause)
            }
        }
        guard matches.contains(where: { !$0.plans.isEmpty }) else {
            throw AdapterError(.unsupported, blocker?.message ?? "the page has no image", page: page.name)
        }
        for index in matches.indices {
            matches[index].plans = matches[index].plans.map { plan in
                plan.withScanNotes(on: picture, keepsPaper: shownPart(of: page, picture, plan) != .page)
            }
        }
        return matches
    }

    /// Returns the rules that apply to an image file of the page, as `matches` does.
    ///
    /// - Parameter blocker: the reason that no better image of the page is used. It receives the reason not to use this
    ///   one.
    private func encodedMatches(
        for encoded: EncodedPicture, of page: Page, _ picture: Picture, _ blocker: inout Note?
    ) throws(AdapterError) -> [PlanMatch] {
        guard let size = encoded.size else {
            let requestsNoChange = encoded.edits(on: page).withoutOmissions.isEmpty && request.keeps(encoded.encoding)
            return try Planner.apply(
                UnsizedCandidate.rules,
                to: UnsizedCandidate(planner: self, encoded: encoded, requestsNoChange: requestsNoChange), &blocker)
        }
        let candidate = try EncodedCandidate(self, encoded, size: size, of: page, picture)
        return try Planner.apply(EncodedCandidate.rules, to: candidate, &blocker)
    }

    // MARK: Plans that several rules make

    func copy(_ encoded: EncodedPicture, because cause: Note? = nil) -> PagePlan {
        let framing = encoded.size.map { Framing($0, encoded.orientation) }
        return copy(encoded, framing, shown: nil, because: cause)
    }

    /// Returns the plan that copies a file unchanged.
    ///
    /// - Parameter shown: the framing that the output itself shows.
    func copy(
        _ encoded: EncodedPicture, _ framing: Framing?, shown: Framing?, because cause: Note? = nil
    ) -> PagePlan {
        let repair = encoded.repair.map { Note(.repairedFile, text: $0) }
        let basis = encoded.overlayNote ?? repair ?? Note(.ownFile, format: encoded.encoding)
        let hasInks = encoded.encoding == .jpeg && encoded.bitsPerPixel == 32 && !capabilities.showsInkJPEGs
        let rarity =
            hasInks
            ? Note(.inksRarelyShown)
            : capabilities.shows(encoded) ? nil : Note(.rarelyShown, format: encoded.encoding)
        return PagePlan(
            encoded.unchangedTreatment,
            Reason(basis).with(.detail, encoded.overlay == nil ? nil : repair)
                .showing(shown, own: encoded.orientation).with(.aside, rarity).with(.cause, cause),
            encoding: encoded.encoding, size: framing?.rect.size ?? encoded.uprightSize,
            crop: shown.flatMap { $0.isWhole ? nil : $0.rect }, framing: shown,
            CopyFile(picture: encoded, framing: framing))
    }

    /// Returns the reason that an image does not keep a format that the output does not show.
    func rarity(of format: ImageEncoding) -> Note {
        Note(capabilities.holdsOnlyFormats ? .cannotBeStored : .fewAppsShow, format: format)
    }

    func render(
        _ encoded: EncodedPicture, _ operations: PixelOperations, _ parameters: EncodingParameters,
        because cause: Note?
    ) -> PagePlan {
        let basis = Reason(encoded.overlayNote ?? Note(.pixels, format: encoded.encoding)).with(operations)
        let isOnlyTurned = operations.isNoOp && encoded.orientation != .upright && !capabilities.honorsOrientation
        return rendering(
            .encoded(encoded), operations, parameters,
            capabilities.takesRasters
                ? basis
                : basis.with(.detail, parameters.note(from: encoded.encoding, in: capabilities))
                    .with(.detail, parameters.keepsInks ? Note(.keptCMYK) : nil),
            .cause, cause ?? (isOnlyTurned ? Note(.orientationApplied) : nil))
    }

    func rendering(
        _ representation: Picture.Representation, _ operations: PixelOperations, _ parameters: EncodingParameters,
        _ reason: Reason, _ role: Reason.Role, _ note: Note?
    ) -> PagePlan {
        let parameters = capabilities.takesRasters ? nil : parameters
        let keepsPixels = (parameters?.isLossless ?? true) && operations.keepsPixels
        return PagePlan(
            representation.drawingTreatment
                ?? (!keepsPixels ? .encoded : representation.overlay == nil ? .lossless : .patched),
            reason.with(role, note),
            encoding: parameters?.format, size: operations.size, crop: operations.crop,
            ChangePixels(representation, operations, parameters, needsPixels: needsPixels))
    }

    /// Returns the operations that make a stored image look like the page, followed by the page's edits. The result is nil
    /// if the image does not state its size.
    ///
    /// - Throws: `.usage` if nothing would be left of it.
    package static func operations(
        _ representation: Picture.Representation, _ page: Page
    ) throws(AdapterError) -> PixelOperations? {
        switch representation {
        case .encoded(let picture):
            guard let size = picture.size else { return nil }
            return try operations(
                size, picture.orientation, picture.edits(on: page), page, isGray: picture.isGray)
        case .sampled(let picture):
            return try operations(picture.size, .upright, picture.pending.map(PageEdit.move) + page.edits, page)
        case .drawn(let picture): return try operations(picture.size, .upright, page.edits, page)
        case .joined: return nil
        }
    }

    package static func operations(
        _ size: PixelSize, _ orientation: Orientation, _ edits: [PageEdit], _ page: Page, isGray: Bool = false
    ) throws(AdapterError) -> PixelOperations {
        guard let operations = PixelOperations(size, orientation, edits, isGray: isGray) else {
            throw AdapterError(
                .usage, "cutting that much off would leave nothing of its \(size) pixels", page: page.name)
        }
        return operations
    }
}

extension Reason {
    /// Returns the reason with a note on the framing in which the output shows an untouched image.
    func showing(_ framing: Framing?, own: Orientation) -> Reason {
        guard let framing else { return self }
        var reason = framing.isWhole ? self : with(.detail, Note(.shownInPart))
        guard framing.orientation != own else { return reason }
        if let turns = framing.orientation.quarterTurns {
            reason = reason.with(.detail, Note(.shownRotated, "degrees", turns * 90))
        } else {
            reason = reason.with(.detail, Note(.shownMirrored))
        }
        return reason
    }
}

extension Picture.Representation {
    /// The treatment that a rendering counts as; nil if the representation is not rendered.
    fileprivate var drawingTreatment: Treatment? { if case .drawn(let drawn) = self { drawn.treatment } else { nil } }
}
