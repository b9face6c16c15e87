internal import AdapterKit
internal import PageModel

/// An image that its source renders.
struct DrawnCandidate: Sendable {
    let planner: Planner
    let drawn: DrawnPicture
    let operations: PixelOperations

    static let rules: [PlanRule<DrawnCandidate>] = [
        PlanRule(
            name: "Render, and encode like the images",
            condition: "The images are encoded with loss. JPEG is requested, or the output shows it and neither "
                + "another format nor gray levels are requested. The output does not combine pages.",
            treatments: .rendering,
            next: .fallback { _ in nil },
            applies: { $0.isEncodedLikeImages },
            plans: { candidate, cause in [candidate.encodedLikeImages(because: cause)] }),
        PlanRule(
            name: "Render",
            condition: "Always.",
            treatments: .rendering,
            applies: { _ in true },
            plans: { candidate, cause in [candidate.rendered(because: cause)] }),
    ]

    /// - Throws: `.usage` if the edits leave nothing.
    init(_ planner: Planner, _ drawn: DrawnPicture, of page: Page) throws(AdapterError) {
        self.planner = planner
        self.drawn = drawn
        operations = try Planner.operations(drawn.size, .upright, page.edits, page)
    }

    /// Whether a JPEG loses no more than the images on the page have lost already.
    private var isEncodedLikeImages: Bool {
        drawn.likeness?.isLossy == true && likeParameters.format == .jpeg && planner.capabilities.composition == nil
    }

    /// The parameters for encoding the rendering like the images on the page.
    private var likeParameters: EncodingParameters {
        var parameters = EncodingParameters(
            planner.request, own: .jpeg, isLossy: true, isDithered: operations.isDithered,
            formats: planner.capabilities.formats
        ).storing(operations, in: planner.capabilities)
        if case .layers? = drawn.likeness { parameters.allowsPNG = planner.request == EncodingRequest() }
        return parameters
    }

    private func encodedLikeImages(because cause: Note?) -> PagePlan {
        let parameters = likeParameters
        let note: Note
        if case .jpeg? = drawn.likeness, parameters.quality == nil {
            note = Note(.encodedLikeImage, format: .jpeg)
        } else {
            note = parameters.note(from: nil, in: planner.capabilities)
        }
        return PagePlan(
            drawn.treatment, Reason(drawn.note).with(operations).with(.addition, note).with(.cause, cause),
            encoding: .jpeg, size: operations.size, crop: operations.crop,
            ChangePixels(.drawn(drawn), operations, parameters))
    }

    private func rendered(because cause: Note?) -> PagePlan {
        let capabilities = planner.capabilities
        let parameters = EncodingParameters(
            planner.request, own: nil, isLossy: false, isDithered: operations.isDithered, formats: capabilities.formats
        ).storing(operations, in: capabilities)
        let isStored = capabilities.takesRasters || parameters.isLossless
        let reason = Reason(drawn.note).with(operations)
            .with(.addition, isStored ? nil : parameters.note(from: nil, in: capabilities))
        return planner.rendering(.drawn(drawn), operations, parameters, reason, .cause, cause)
    }
}

extension DrawnPicture {
    /// The resolution, rounded for messages.
    var roundedResolution: Int { Int(checked: resolution) ?? 0 }

    /// Layers of a scan are decoded, merged and encoded; no page layout is rendered.
    var treatment: Treatment { layers == nil ? .drawn : .encoded }

    fileprivate var note: Note {
        guard let layers else { return Note(.drawing, "resolution", roundedResolution) }
        return Note(.combinedLayers, ["layers": String(layers), "resolution": String(roundedResolution)])
    }
}

extension DrawnPicture.Likeness {
    /// Whether the pixels were encoded with losses.
    fileprivate var isLossy: Bool { if case .bilevel = self { false } else { true } }
}
