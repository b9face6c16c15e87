internal import AdapterKit
internal import Imaging
public import PageModel

/// What will be done with one page, and why.
public struct PagePlan: Sendable {
    /// What to do with the source's picture.
    enum Step: Sendable {
        /// Copy its bytes.
        case copy(EncodedPicture)
        /// Cut and turn a JPEG in its coefficients, and keep those in another JPEG or in a JPEG XL.
        case operate(EncodedPicture, Framing, ImageEncoding)
        /// Make the JPEG again that a JPEG XL was made of.
        case restore(EncodedPicture)
        /// Decode it, change it, and encode it.
        case remake(EncodedPicture, PixelOperations, EncodingParameters)
        /// Change its samples and encode them.
        case store(SampledPicture, PixelOperations, EncodingParameters)
        /// Have it drawn, change that and encode it.
        case draw(DrawnPicture, PixelOperations, EncodingParameters)
        /// Put JPEGs beside each other in their coefficients, and keep those in another JPEG or in a JPEG XL.
        case join(Row)
        /// Decode pages, put them beside each other, and encode that.
        case compose(Composition)
    }

    public var treatment: Treatment
    /// Why it is this treatment and not a less lossy one; a half sentence.
    public var reason: String
    /// The format the page will have in the output.
    public var encoding: ImageEncoding
    /// The size in the output, where it is known before the picture is read.
    public var size: PixelSize?
    /// What is kept of the source's picture, in pixels of it as it is laid down, if not all of it is.
    public var crop: PixelRect?
    let step: Step

    /// The plan as it turned out: one that meant to keep every pixel, and could not.
    ///
    /// - Parameters:
    ///   - loss: what was lost; a half sentence, or nil.
    ///   - page: the page's name, for the error.
    /// - Throws: `.unsupported` when nothing may be lost.
    func losing(_ loss: String?, isAllowed: Bool, page: String) throws(AdapterError) -> PagePlan {
        guard let loss, treatment < .encoded else { return self }
        guard isAllowed else {
            throw AdapterError(
                .unsupported, "would not keep every pixel: \(reason), \(loss)", advice: "without --lossless it is done",
                page: page)
        }
        var plan = self
        plan.treatment = .encoded
        plan.reason += ", \(loss)"
        return plan
    }
}
