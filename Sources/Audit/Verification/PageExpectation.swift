internal import AdapterKit
internal import Conversion
internal import Imaging
internal import PageModel
internal import Planning

/// The expected properties of an output page when it is read back.
struct PageExpectation: Sendable {
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

    /// Creates the expectation for a page that the sink received; nil if it is not in the output.
    init?(_ line: PageReport, _ converted: ConvertedPage, _ digests: PageDigests?) {
        guard line.output != nil, let plan = converted.plan, let result = converted.result else { return nil }
        size = line.size
        switch result.content {
        case .encoded, .raster: isPixelSize = true
        // The largest image of layers has the size of the page, but it is not the page.
        case .document, .spread, .layered: isPixelSize = false
        }
        isDamaged = converted.warnings.contains(where: \.isOfDamage)
        given = digests?.given
        planned = digests?.planned
        switch plan.method.kept {
        case .file(let picture) where plan.treatment == .verbatim: copied = picture
        case .packedJPEG(let picture): packed = picture
        case .page: copiedPage = converted.page
        case .none, .file: break
        }
    }
}
