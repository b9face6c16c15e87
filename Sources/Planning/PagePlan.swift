internal import AdapterKit
package import PageModel

/// The treatment of one page, and the reason for it.
package struct PagePlan: Sendable {
    package var treatment: Treatment
    /// The reason for this treatment rather than a less lossy one.
    package var reason: Reason
    /// The format of the page in the output; nil if the output receives it as pixels or as a document page.
    package var encoding: ImageEncoding?
    /// The size in the output, as it is shown, if it is known before the image is read.
    package var size: PixelSize?
    /// The kept part of the source's image, in pixels of the oriented image; nil if all of it is kept.
    package var crop: PixelRect?
    /// The part and orientation of an untouched image that the output shows, if that is not simply all of it.
    package var framing: Framing?
    package let method: any PageMethod
    /// The plan that keeps every pixel and replaces this one if its result is not larger. It has at most one element.
    var alternatives: [PagePlan] = []

    init(
        _ treatment: Treatment, _ reason: Reason, encoding: ImageEncoding?, size: PixelSize?, crop: PixelRect? = nil,
        framing: Framing? = nil, _ method: any PageMethod
    ) {
        self.treatment = treatment
        self.reason = reason
        self.encoding = encoding
        self.size = size
        self.crop = crop
        self.framing = framing
        self.method = method
    }

    /// The content that the renderings of the page will lack, one line each.
    package var drawingDefects: [Message] { method.drawingDefects }

    /// Whether the result must be smaller than that of another plan, or than a PNG, which replaces it otherwise.
    var mustShrink: Bool {
        !alternatives.isEmpty || !method.joinsPages && method.parameters?.allowsPNG == true
    }

    /// The plan with notes on facts that only carrying it out will show.
    package var withUncertainties: PagePlan {
        var plan = self
        if treatment == .patched { plan.reason = plan.reason.with(.detail, Note(.ifVisible)) }
        if mustShrink { plan.reason = plan.reason.with(.detail, Note(.ifSmaller)) }
        return plan
    }

    /// Returns a plan that encodes lossily, followed by this one as its alternative. The alternative is also the fallback if the other fails.
    func following(_ plan: PagePlan, as format: ImageEncoding) -> [PagePlan] {
        var (alternative, plan) = (self, plan)
        let hasCause = reason.parts.contains { $0.role == .cause }
        alternative.reason = reason.with(hasCause ? .aside : .cause, Note(.noBetter, format: format))
        plan.alternatives = [alternative]
        return [plan, alternative]
    }

    /// The image that the sink will get, without its bytes; nil if it gets none, or the size is unknown.
    package var expectedPicture: EncodedPicture? {
        guard let encoding, let size else { return nil }
        return method.copiedFile ?? EncodedPicture(encoding: encoding, size: size) { throw CancellationError() }
    }

    /// Returns the plan with a loss that became known only when it was carried out. The loss is a sentence fragment; nil changes
    /// nothing.
    ///
    /// - Parameter page: its name, for the error.
    /// - Throws: `.unsupported` if no loss is allowed.
    package func losing(_ loss: Message?, isAllowed: Bool, page: String) throws(AdapterError) -> PagePlan {
        guard let loss else { return self }
        guard isAllowed || treatment >= .encoded else {
            throw AdapterError(
                .unsupported, "would not keep every pixel: \(reason.message), \(loss)",
                hint: "remove --lossless to do it", page: page)
        }
        var plan = self
        plan.treatment = max(treatment, .encoded)
        plan.reason = reason.with(.detail, Note(.loss, text: loss))
        return plan
    }
}

extension PlannedCopies {
    /// Adds the document pages that the plan for a page copies.
    package mutating func add(_ plan: PagePlan) {
        if plan.reason.parts.contains(where: { $0.note.code == .textRecognized }) { hasNewText = true }
        let (copied, parts) = (plan.method.copiedPages, plan.method.parts)
        pages += copied
        if !parts.isEmpty { staysPages = false }
        if copied.count < max(1, parts.count) { showsOthers = true }
    }
}
