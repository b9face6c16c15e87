internal import AdapterKit
internal import Imaging
public import PageModel

/// The treatment of one page, and the reason for it.
public struct PagePlan: Sendable {
    /// The operation on the source's image. Without parameters, the sink receives the pixels as they are.
    enum Step: Sendable {
        /// Copies its bytes; the sink shows the framing.
        case copy(EncodedPicture, Framing?)
        /// Lets the sink copy the whole page of a document.
        case copyDocument(DocumentPage, Framing)
        /// Lets the sink place pages next to each other, each treated like a single page.
        case layTogether(SpreadPlan)
        /// Crops and rotates a JPEG on DCT coefficients, which another JPEG or a JPEG XL keeps.
        case operate(EncodedPicture, Framing, ImageEncoding)
        /// Packs a JPEG unchanged in a JPEG XL that shows it in this framing, which is all of it.
        case pack(EncodedPicture, Framing)
        /// Restores the JPEG that a JPEG XL was made from, for an output with these capabilities.
        case restore(EncodedPicture, SinkCapabilities)
        /// Decodes, decompresses or renders the image, changes its pixels, and encodes them.
        case render(Picture.Representation, PixelOperations, EncodingParameters?)
        /// Joins JPEGs on DCT coefficients, which another JPEG or a JPEG XL keeps.
        case join(CoefficientRow)
        /// Renders pages, places them next to each other, and changes and encodes the result.
        case compose(PageComposition, PixelOperations, EncodingParameters?)
    }

    public var treatment: Treatment
    /// The reason for this treatment rather than a less lossy one.
    public var reason: Reason
    /// The format of the page in the output; nil if the output receives it as pixels or as a document page.
    public var encoding: ImageEncoding?
    /// The size in the output, as it is shown, if it is known before the image is read.
    public var size: PixelSize?
    /// The kept part of the source's image, in pixels of the oriented image; nil if all of it is kept.
    public var crop: PixelRect?
    /// The part and orientation of an untouched image that the output shows, if that is not simply all of it.
    public var framing: Framing?
    let step: Step
    /// The place of the used image among the representations of the page; nil for a page of a document.
    var representation: Int?
    /// The plan that keeps every pixel and replaces this one if its result is not larger. It has at most one element.
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

    /// The content that the renderings of the page will lack, one line each.
    public var drawingDefects: [Message] {
        switch step {
        case .render(.drawn(let picture), _, _): [picture.defect].compactMap { $0 }
        case .layTogether(let spread):
            spread.parts.flatMap { part in
                part.plans.first?.drawingDefects.map { "\(page: part.page.name): \($0)" } ?? []
            }
        case .compose(let composition, _, _):
            composition.parts.flatMap { part -> [Message] in
                if case .drawn(let picture)? = part.representations.first?.representation, let defect = picture.defect {
                    ["\(page: part.name): \(defect)"]
                } else {
                    []
                }
            }
        case .copy, .copyDocument, .operate, .pack, .restore, .render, .join: []
        }
    }

    /// The operations without which the page can be planned.
    var omittable: [any OmittableOperation] {
        switch step {
        case .render(_, let operations, _): operations.omittable
        case .compose(let composition, let operations, _):
            composition.parts.flatMap { $0.representations.flatMap(\.operations.omittable) } + operations.omittable
        case .layTogether(let spread): spread.parts.flatMap { $0.plans.flatMap(\.omittable) }
        case .copy, .copyDocument, .operate, .pack, .restore, .join: []
        }
    }

    /// Whether the result must be smaller than that of another plan, or than a PNG, which replaces it otherwise.
    var mustShrink: Bool {
        if case .render(_, _, let parameters?) = step, parameters.mayBePNG { true } else { !rivals.isEmpty }
    }

    /// The plan with notes on facts that only carrying it out will show.
    public var withUncertainties: PagePlan {
        var plan = self
        if treatment == .patched { plan.reason = plan.reason.with(.detail, Note(.ifVisible)) }
        if mustShrink { plan.reason = plan.reason.with(.detail, Note(.ifSmaller)) }
        return plan
    }

    /// Returns a plan that encodes lossily, followed by this one as its rival. The rival is also the fallback if the other fails.
    func rivaling(_ plan: PagePlan, as format: ImageEncoding) -> [PagePlan] {
        var (rival, plan) = (self, plan)
        let hasCause = reason.parts.contains { $0.role == .cause }
        rival.reason = reason.with(hasCause ? .aside : .cause, Note(.noBetter, format: format))
        plan.rivals = [rival]
        return [plan, rival]
    }

    /// Returns the plan, and its rival, as plans for one of the page's representations.
    func of(representation: Int) -> PagePlan {
        var plan = self
        plan.representation = representation
        plan.rivals = rivals.map { $0.of(representation: representation) }
        return plan
    }

    /// The image that the sink will get, without its bytes; nil if it gets none, or the size is unknown.
    var result: EncodedPicture? {
        guard let encoding, let size else { return nil }
        if case .copy(let picture, _) = step { return picture }
        return EncodedPicture(encoding: encoding, size: size) { throw CancellationError() }
    }

    /// Returns the plan with a loss that became known only when it was carried out. The loss is a sentence fragment; nil changes
    /// nothing.
    ///
    /// - Parameter page: its name, for the error.
    /// - Throws: `.unsupported` if no loss is allowed.
    func losing(_ loss: Message?, isAllowed: Bool, page: String) throws(AdapterError) -> PagePlan {
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
