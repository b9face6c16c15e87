public import PageModel

/// What will be done with one page, and why.
public struct PagePlan: Sendable {
    public var treatment: Treatment
    /// Why it is this treatment and not a less lossy one; a half sentence.
    public var reason: String
    /// The format the page will have in the output.
    public var encoding: ImageEncoding
    /// The size in the output, where it is known before the picture is read.
    public var size: PixelSize?
    /// What is cut out of the source's picture, if anything is.
    public var crop: PixelRect?
    /// What to do with the picture.
    let way: Picture.Way
    /// What is done to the way's samples.
    let edits: [Edit]
}
