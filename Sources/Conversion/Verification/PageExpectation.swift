internal import AdapterKit
internal import PageModel

/// The expected properties of an output page when it is read back.
struct PageExpectation: Sendable {
    /// The page in its source.
    let source: String
    /// Its name in the output.
    let output: String
    /// The size in the output, if known.
    private(set) var size: PixelSize?
    /// Whether the size counts in pixels; otherwise only the aspect ratio must match.
    let isPixelSize: Bool
    /// Whether its damage has been reported.
    let isDamaged: Bool
    /// The digest of the image file that the sink received; nil if it received other content.
    private(set) var given: String?
    /// The source's image, if its bytes were copied unchanged.
    private(set) var copied: EncodedPicture?
    /// The source's JPEG, if it was packed unchanged in a JPEG XL.
    private(set) var packed: EncodedPicture?
    /// The source's page, if the sink copied it as a whole.
    private(set) var copiedPage: Page?
    /// The digest of the expected pixels; nil if pixels were not made, or some may be lost.
    private(set) var planned: PixelDigest?

    /// The expectation for a page that the sink re-encoded.
    var withoutContents: PageExpectation {
        var copy = self
        (copy.given, copy.copied, copy.packed, copy.copiedPage, copy.planned) = (nil, nil, nil, nil, nil)
        return copy
    }

    /// The expectation for a page on paper of a requested size, whose aspect ratio is not that of a copied page.
    var onGivenPaper: PageExpectation {
        var copy = self
        if !isPixelSize { copy.size = nil }
        return copy
    }

    init(
        _ line: PageReport, _ output: String, _ content: FinishedPage.Content,
        _ finished: PageOutcome.Finished, of page: Page, isDamaged: Bool
    ) {
        source = line.source
        self.output = output
        size = line.size
        switch content {
        case .encoded, .raster: isPixelSize = true
        case .document, .spread: isPixelSize = false
        }
        self.isDamaged = isDamaged
        given = finished.digests?.given
        planned = finished.digests?.planned
        switch finished.plan.step {
        case .copy(let picture, _) where finished.plan.treatment == .verbatim: copied = picture
        case .pack(let picture, _): packed = picture
        case .operate(let picture, let framing, .jpegXL)
        where framing == Framing(framing.source) && !picture.isRareJPEG && picture.orientation == .upright:
            packed = picture
        case .copyDocument: copiedPage = page
        default: break
        }
    }
}
