public import AdapterKit
internal import Imaging
public import PageModel

/// A planner that chooses the least lossy treatment for each page.
public struct Planner: Sendable {
    let capabilities: SinkCapabilities
    let request: EncodingRequest

    /// - Parameters:
    ///   - capabilities: the capabilities of the output itself.
    ///   - request: the requested encoding.
    public init(_ capabilities: SinkCapabilities, _ request: EncodingRequest = EncodingRequest()) {
        self.capabilities = capabilities
        self.request = request
    }

    /// Returns the plans for the page. All but the best are fallbacks for damaged data, or for a plan that would make the page
    /// larger. The best plan comes first.
    ///
    /// - Throws: `.unsupported` if no plan exists; `.usage` if the edits leave nothing or cannot be applied.
    public func plans(for page: Page, _ picture: Picture) throws(AdapterError) -> [PagePlan] {
        var plans: [PagePlan] = []
        if let document = picture.document, capabilities.documents.contains(document.format) {
            return [try copy(document, of: page, picture)]
        }
        var blocker: Note?
        for representation in picture.representations {
            switch representation {
            case .encoded(let encoded):
                plans += try self.plans(for: encoded, of: page, picture, &blocker)
            case .sampled(let sampled):
                plans.append(try store(sampled, of: page, after: blocker))
            case .drawn(let drawn):
                plans += try draw(drawn, of: page, because: blocker ?? picture.reason.map { Note(text: $0) })
            case .joined(let joined):
                plans += try self.plans(for: joined, of: page)
            }
        }
        guard !plans.isEmpty else {
            throw AdapterError(.unsupported, blocker?.message ?? "the page has no image", page: page.name)
        }
        return plans.map { $0.withScanNotes(on: picture) }
    }

    // MARK: Pages that are not touched

    /// Returns the plan that copies a page of a document unchanged.
    ///
    /// - Throws: `.usage` if the sink cannot show the requested edits. An image of the page would lose its text and links, so
    ///   jisui makes one only on request.
    private func copy(
        _ document: DocumentPage, of page: Page, _ picture: Picture
    ) throws(AdapterError) -> PagePlan {
        let framing = try framing(of: document, page, picture)
        var document = document
        document.book = page.book
        let shown = framing == Framing(framing.source) ? nil : framing
        return PagePlan(
            .verbatim, Reason(Note(.documentPage, ["format": document.format])).showing(shown, own: .upright),
            encoding: nil, size: framing.rect.size, crop: framing.isWhole ? nil : framing.rect, framing: shown,
            .copyDocument(document, framing))
    }

    /// Returns the part and orientation that the output shows of a page that is copied unchanged.
    ///
    /// - Throws: `.usage` if it cannot show them.
    func framing(
        of document: DocumentPage, _ page: Page, _ picture: Picture
    ) throws(AdapterError) -> Framing {
        let points = DrawnPicture(width: document.width, height: document.height, resolution: 72) {
            throw CancellationError()
        }
        let operations = try Planner.operations(picture.size ?? points.size, .upright, page.edits, page)
        let framing = operations.framing
        if request == EncodingRequest(), operations.keepsPixels, capabilities.shows(framing, own: .upright) {
            return framing
        }
        let what: Message =
            request == EncodingRequest()
            ? operations.isIdle ? "shown in this way" : operations.message : "re-encoded"
        let options = (operations.options + request.options).map { "--\($0)" }
        let change: Message = options.isEmpty ? what : "\(what) (\(options.joined(separator: ", ")))"
        throw AdapterError(
            .usage, "cannot be \(change): the page is copied whole, with its text and links",
            hint: capabilities.hintForDocuments, page: page.name)
    }

    func copy(_ encoded: EncodedPicture, because cause: Note? = nil) -> PagePlan {
        let framing = encoded.size.map { Framing($0, encoded.orientation) }
        return copy(encoded, framing, shown: nil, because: cause)
    }

    /// - Parameter shown: the framing that the output itself shows.
    private func copy(
        _ encoded: EncodedPicture, _ framing: Framing?, shown: Framing?, because cause: Note? = nil
    ) -> PagePlan {
        let repair = encoded.repair.map { Note(.repairedFile, text: $0) }
        let basis = encoded.patchNote ?? repair ?? Note(.ownFile, format: encoded.encoding)
        let rarity = capabilities.shows(encoded) ? nil : Note(.rarelyShown, format: encoded.encoding)
        return PagePlan(
            encoded.unchangedTreatment,
            Reason(basis).with(.detail, encoded.seenPatch == nil ? nil : repair)
                .showing(shown, own: encoded.orientation).with(.aside, rarity).with(.cause, cause),
            encoding: encoded.encoding, size: framing?.rect.size ?? encoded.uprightSize,
            crop: shown.flatMap { $0.isWhole ? nil : $0.rect }, framing: shown, .copy(encoded, framing))
    }

    // MARK: Pages whose image is a file of its own

    /// - Parameter blocker: receives the reason that the best representation cannot be used.
    private func plans(
        for encoded: EncodedPicture, of page: Page, _ picture: Picture, _ blocker: inout Note?
    ) throws(AdapterError) -> [PagePlan] {
        let (format, edits) = (encoded.encoding, encoded.pending.map(PageEdit.move) + page.edits)
        guard let size = encoded.size else {
            if edits.isEmpty && request.keeps(format) { return [copy(encoded)] }
            blocker = Note(.sizeUnknown, format: format)
            return []
        }
        let operations = try Planner.operations(size, encoded.orientation, edits, page, isGray: encoded.isGray)
        let showsFraming = capabilities.shows(operations.framing, own: encoded.orientation)
        let isKept = operations.isIdle && request.keeps(format) && showsFraming
        // A JPEG in a TIFF is more useful alone, even if the TIFF's samples would be kept.
        let isShown = capabilities.shows(encoded) && !(format == .tiff && picture.holdsJPEG && prefersJPEG)
        if isKept && isShown { return [copy(encoded, because: blocker)] }
        if operations.keepsPixels, request.keeps(format), isShown, showsFraming {
            return [copy(encoded, operations.framing, shown: operations.framing)]
        }
        if format == .tiff && picture.holdsJPEG && prefersJPEG {
            blocker = isKept ? rarity(of: format) : nil
            return []
        }
        var plans =
            isKept && !encoded.isRareJPEG || request.quality != nil
            ? [] : surgery(encoded, operations, as: request.format ?? .jpeg)
        if let packed = pack(encoded, operations) { plans.insert(packed, at: 0) }
        if picture.hasSamples && plans.isEmpty {
            blocker = isKept ? rarity(of: format) : Note(.mustBeDecoded, format: format)
            return []
        }
        if encoded.holdsJPEG && operations.isIdle && request.quality == nil
            && (request.format == .jpeg || isKept && capabilities.shows(.jpeg))
        {
            return restore(encoded, size, operations)
        }
        if isKept {
            guard capabilities.holdsOnlyFormats || canBeStored(encoded) else { return [copy(encoded)] }
            blocker = encoded.isRareJPEG ? Note(.rareJPEG) : rarity(of: format)
        }
        var parameters = EncodingParameters(
            request, own: format, isLossy: !encoded.isLossless, isDithered: operations.isDithered,
            formats: capabilities.formats)
        if !plans.isEmpty {
            // For example, JPEG XL cannot pack a CMYK JPEG.
            blocker = Note(request.format == .jpegXL ? .notKeptInJPEGXL : .damagedData)
        } else if format == .jpeg && operations.keepsPixels && !operations.isIdle && request.keeps(.jpeg) {
            blocker = Note(.notWithoutLoss, ["format": format.rawValue], operations: operations.notes)
        }
        // A TIFF that no reading app shows is useless, but its first image is not. A warning reports the others. (Each page of a
        // file that is named as a TIFF is converted separately.)
        parameters.mustKeepAll = isKept && format != .tiff && !capabilities.holdsOnlyFormats
        parameters.keepsInks =
            encoded.isCMYK && parameters.format == .tiff && operations.keepsPixels && !capabilities.takesRasters
        let canStay = operations.isIdle && isShown && showsFraming
        let maximum = PictureEncoder.maximumPixelsPerSide(parameters.format)
        if canStay && max(operations.size.width, operations.size.height) > maximum {
            let cause = Note(.doesNotFit, ["format": parameters.format.rawValue, "maximum": String(maximum)])
            return plans + [copy(encoded, because: cause)]
        }
        let rendered = render(encoded, operations, parameters, because: blocker)
        let exact =
            !parameters.isSizeOptimization(from: format) || capabilities.takesRasters
            ? nil
            : canStay
                ? copy(encoded) : isShown && plans.isEmpty ? surgery(encoded, operations, as: .jpeg).first : nil
        plans += exact?.rivaling(rendered, as: parameters.format) ?? [rendered]
        if parameters.mustKeepAll { plans.append(copy(encoded, because: Note(.severalImages))) }
        return plans
    }

    /// Returns the reason that an image does not keep a format that the output does not show.
    func rarity(of format: ImageEncoding) -> Note {
        Note(capabilities.holdsOnlyFormats ? .cannotBeStored : .fewAppsShow, format: format)
    }

    /// Whether a JPEG is more useful than the TIFF that contains it.
    private var prefersJPEG: Bool {
        guard let format = request.format else { return !capabilities.shows(.tiff) }
        return format == .jpeg || format == .jpegXL
    }

    /// Returns whether a page benefits from being stored as PNG.
    private func canBeStored(_ encoded: EncodedPicture) -> Bool {
        switch encoded.encoding.format?.storing {
        case .never: false
        case .always: true
        case .ifLossless, nil: encoded.isLossless
        }
    }

    /// Returns the plan that keeps a JPEG's coefficients, or an empty array.
    ///
    /// - Parameter target: the format that keeps them.
    private func surgery(
        _ encoded: EncodedPicture, _ operations: PixelOperations, as target: ImageEncoding
    ) -> [PagePlan] {
        guard encoded.encoding == .jpeg, let grid = encoded.grid, operations.keepsPixels,
            target == .jpeg || target == .jpegXL, let wider = JPEGSurgery.lossless(operations.framing, grid: grid)
        else { return [] }
        // A file with an orientation in its own metadata cannot be copied: the framed result is upright.
        let isShown = capabilities.shows(encoded)
        if wider == Framing(wider.source), encoded.orientation == .upright, target == .jpeg, isShown {
            return [copy(encoded, because: operations.isIdle ? nil : Note(.tooLittleToCut))]
        }
        // The orientation in its own metadata is applied to the coefficients, although no rotation was requested.
        let turn = operations.isIdle ? PixelOperations.note(turning: encoded.orientation) : nil
        let reason = Reason(encoded.patchNote ?? Note(.coefficients)).with(operations).with(.operation, turn)
            .with(.detail, operations.isIdle ? nil : Planner.surplus(operations.framing, wider))
            .with(.detail, target == .jpegXL ? Note(.keptInJPEGXL) : nil)
            .with(.cause, operations.isIdle && !isShown ? Note(.rareJPEG) : nil)
        return [
            PagePlan(
                encoded.seenPatch == nil ? .lossless : .patched, reason, encoding: target, size: wider.rect.size,
                crop: wider.isWhole ? nil : wider.rect,
                .operate(encoded, wider, target))
        ]
    }

    /// Returns the note on pixels that are kept in excess of the request.
    private static func surplus(_ wanted: Framing, _ kept: Framing) -> Note? {
        let sides = [("left", wanted.rect.x - kept.rect.x), ("top", wanted.rect.y - kept.rect.y)].filter { $0.1 > 0 }
        return sides.isEmpty
            ? nil : Note(.moreKept, Dictionary(uniqueKeysWithValues: sides.map { ($0.0, String($0.1)) }))
    }

    func render(
        _ encoded: EncodedPicture, _ operations: PixelOperations, _ parameters: EncodingParameters,
        because cause: Note?
    ) -> PagePlan {
        let basis = Reason(encoded.patchNote ?? Note(.pixels, format: encoded.encoding)).with(operations)
        return rendering(
            .encoded(encoded), operations, parameters,
            capabilities.takesRasters
                ? basis
                : basis.with(.detail, parameters.note(from: encoded.encoding, in: capabilities))
                    .with(.detail, parameters.keepsInks ? Note(.keptCMYK) : nil),
            .cause, cause)
    }

    // MARK: Pages that are decompressed or rendered

    private func store(
        _ sampled: SampledPicture, of page: Page, after blocker: Note?
    ) throws(AdapterError) -> PagePlan {
        let operations = try Planner.operations(
            sampled.size, .upright, sampled.pending.map(PageEdit.move) + page.edits, page,
            isGray: sampled.format?.isGray ?? false)
        let parameters = EncodingParameters(request, own: nil, isLossy: false, formats: capabilities.formats)
        let basis = Reason(sampled.patchNote ?? Note(.samples, ["compression": sampled.compression]))
        let stored =
            capabilities.takesRasters ? basis : basis.with(.result, parameters.note(from: nil, in: capabilities))
        return rendering(.sampled(sampled), operations, parameters, stored.with(operations), .aside, blocker)
    }

    private func draw(
        _ drawn: DrawnPicture, of page: Page, because cause: Note?
    ) throws(AdapterError) -> [PagePlan] {
        let cause = drawn.layers == nil ? cause : Note(.storedInLayers)
        let operations = try Planner.operations(drawn.size, .upright, page.edits, page)
        let exact = EncodingParameters(request, own: nil, isLossy: false, formats: capabilities.formats)
        var like = EncodingParameters(
            request, own: .jpeg, isLossy: true, isDithered: operations.isDithered, formats: capabilities.formats)
        var plans: [PagePlan] = []
        if let likeness = drawn.likeness, likeness.isLossy, like.format == .jpeg, capabilities.composition == nil {
            var reason = Reason(drawn.note).with(operations)
            if case .layers = likeness { like.mayBePNG = request == EncodingRequest() }
            if case .jpeg = likeness, like.quality == nil {
                reason = reason.with(.addition, Note(.encodedLikeImage, format: .jpeg))
            } else {
                reason = reason.with(.addition, like.note(from: nil, in: capabilities))
            }
            plans.append(
                PagePlan(
                    drawn.treatment, reason.with(.cause, cause), encoding: .jpeg, size: operations.size,
                    crop: operations.crop,
                    .render(.drawn(drawn), operations, like)))
        }
        return plans + [draw(drawn, operations, exact, because: cause)]
    }

    private func draw(
        _ drawn: DrawnPicture, _ operations: PixelOperations, _ parameters: EncodingParameters, because cause: Note?
    ) -> PagePlan {
        let isStored = capabilities.takesRasters || parameters.isLossless
        let reason = Reason(drawn.note).with(operations)
            .with(.addition, isStored ? nil : parameters.note(from: nil, in: capabilities))
        return rendering(.drawn(drawn), operations, parameters, reason, .cause, cause)
    }

    private func rendering(
        _ representation: Picture.Representation, _ operations: PixelOperations, _ parameters: EncodingParameters,
        _ reason: Reason, _ role: Reason.Role, _ note: Note?
    ) -> PagePlan {
        let parameters = capabilities.takesRasters ? nil : parameters
        let keepsPixels = (parameters?.isLossless ?? true) && operations.keepsPixels
        return PagePlan(
            representation.drawingTreatment
                ?? (!keepsPixels ? .encoded : representation.patch == nil ? .lossless : .patched),
            reason.with(role, note),
            encoding: parameters?.format, size: operations.size, crop: operations.crop,
            .render(representation, operations, parameters))
    }

    static func operations(
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

extension Picture {
    /// Whether the exact pixels are available in another form than the source's own bytes.
    fileprivate var hasSamples: Bool {
        representations.contains { if case .sampled = $0 { true } else { false } }
    }

    /// Whether its data are available as a JPEG.
    fileprivate var holdsJPEG: Bool {
        representations.contains { if case .encoded(let picture) = $0 { picture.encoding == .jpeg } else { false } }
    }
}

extension Picture.Representation {
    /// The treatment that a rendering counts as; nil if the representation is not rendered.
    fileprivate var drawingTreatment: Treatment? { if case .drawn(let drawn) = self { drawn.treatment } else { nil } }
}

extension DrawnPicture {
    /// The resolution, rounded for messages.
    var roundedResolution: Int { Int(checked: resolution) ?? 0 }

    /// Layers of a scan are decoded, merged and encoded; no page layout is rendered.
    fileprivate var treatment: Treatment { layers == nil ? .drawn : .encoded }

    fileprivate var note: Note {
        guard let layers else { return Note(.drawing, "resolution", roundedResolution) }
        return Note(.combinedLayers, ["layers": String(layers), "resolution": String(roundedResolution)])
    }
}

extension DrawnPicture.Likeness {
    /// Whether the pixels were encoded with losses.
    fileprivate var isLossy: Bool { if case .bilevel = self { false } else { true } }
}

extension PixelFormat {
    fileprivate var isGray: Bool {
        if case .gray = self { true } else { false }
    }
}
