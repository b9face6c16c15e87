internal import AdapterKit
internal import Imaging
public import PageModel

/// What will be done with one page, and why.
public struct PagePlan: Sendable {
    /// What to do with the source's picture. Where parameters are nil the sink takes the pixels as they are.
    enum Step: Sendable {
        /// Copy its bytes; the framing is for the sink to show.
        case copy(EncodedPicture, Framing?)
        /// Have the sink copy the whole page of a document.
        case copyDocument(DocumentPage, Framing)
        /// Have the sink lay pages beside each other, each as it would be alone.
        case layTogether(SpreadPlan)
        /// Crop and turn a JPEG in its coefficients, and keep those in another JPEG or in a JPEG XL.
        case operate(EncodedPicture, Framing, ImageEncoding)
        /// Pack a JPEG as it is in a JPEG XL that shows it in this framing, which is all of it.
        case pack(EncodedPicture, Framing)
        /// Make the JPEG again that a JPEG XL was made of, for an output that can do so much.
        case restore(EncodedPicture, SinkCapabilities)
        /// Decode, decompress or draw the picture, change its pixels, and encode them.
        case render(Picture.Representation, PixelOperations, EncodingParameters?)
        /// Put JPEGs beside each other in their coefficients, and keep those in another JPEG or in a JPEG XL.
        case join(CoefficientRow)
        /// Render pages, put them beside each other, change and encode that.
        case compose(PageComposition, PixelOperations, EncodingParameters?)
    }

    public var treatment: Treatment
    /// Why it is this treatment and not a less lossy one.
    public var reason: Reason
    /// The format the page will have in the output; nil when it gets there as pixels or as a page of a document.
    public var encoding: ImageEncoding?
    /// The size in the output, as a reader sees it, where it is known before the picture is read.
    public var size: PixelSize?
    /// What is kept of the source's picture, in pixels of the oriented picture, if not all of it is.
    public var crop: PixelRect?
    /// What the output shows of an untouched picture, where that is not simply all of it.
    public var framing: Framing?
    let step: Step
    /// The way that keeps every pixel and takes this one's place where its result is no larger; one, or none.
    var rivals: [PagePlan] = []

    init(
        _ treatment: Treatment, _ reason: Reason, encoding: ImageEncoding?, size: PixelSize?, crop: PixelRect? = nil,
        framing: Framing? = nil, _ step: Step
    ) {
        self.treatment = treatment
        self.reason = reason
        self.encoding = encoding
        self.size = size
        self.crop = crop
        self.framing = framing
        self.step = step
    }

    /// What the drawings lack that the page will be made of, one line each.
    public var drawingDefects: [String] {
        switch step {
        case .render(.drawn(let picture), _, _): [picture.defect].compactMap { $0 }
        case .layTogether(let spread):
            spread.parts.flatMap { part in
                part.plans.first?.drawingDefects.map { "\(part.page.name): \($0)" } ?? []
            }
        case .compose(let composition, _, _):
            composition.parts.flatMap { part in
                if case .drawn(let picture)? = part.representations.first?.representation, let defect = picture.defect {
                    ["\(part.name): \(defect)"]
                } else {
                    [String]()
                }
            }
        case .copy, .copyDocument, .operate, .pack, .restore, .render, .join: []
        }
    }

    /// Whether another plan takes the place of this one when its result turns out no smaller than that plan's, or than a PNG.
    var mustShrink: Bool {
        if case .render(_, _, let parameters?) = step, parameters.mayBePNG { true } else { !rivals.isEmpty }
    }

    /// The plan with what only carrying it out will tell.
    public var withDoubts: PagePlan {
        var plan = self
        if treatment == .patched { plan.reason = plan.reason.with(.detail, Note(.ifSeen)) }
        if mustShrink { plan.reason = plan.reason.with(.detail, Note(.ifSmaller)) }
        return plan
    }

    /// The plan as a rival of one that encodes with losses, and that plan: the rival is also what remains where the other fails.
    func rivaling(_ plan: PagePlan, as format: ImageEncoding) -> [PagePlan] {
        var (rival, plan) = (self, plan)
        let hasCause = reason.parts.contains { $0.role == .cause }
        rival.reason = reason.with(hasCause ? .aside : .cause, Note(.noBetter, format: format))
        plan.rivals = [rival]
        return [plan, rival]
    }

    /// The picture that the sink will get, without its bytes; nil where it gets none, or its size is not known.
    var result: EncodedPicture? {
        guard let encoding, let size else { return nil }
        if case .copy(let picture, _) = step { return picture }
        return EncodedPicture(encoding: encoding, size: size) { throw CancellationError() }
    }

    /// The plan as it turned out: one that meant to keep every pixel, and could not.
    ///
    /// - Parameters:
    ///   - loss: what was lost; a half sentence, or nil.
    ///   - page: the page's name, for the error.
    /// - Throws: `.unsupported` when nothing may be lost.
    func losing(_ loss: String?, isAllowed: Bool, page: String) throws(AdapterError) -> PagePlan {
        guard let loss else { return self }
        guard isAllowed || treatment >= .encoded else {
            throw AdapterError(
                .unsupported, "would not keep every pixel: \(reason.english), \(loss)",
                advice: "without --lossless it is done", page: page)
        }
        var plan = self
        plan.treatment = max(treatment, .encoded)
        plan.reason = reason.with(.detail, Note(.loss, ["text": loss]))
        return plan
    }
}
