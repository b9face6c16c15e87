internal import AdapterKit
internal import PageModel

/// What a page of the output has to be when it is read back.
struct PageExpectation: Sendable {
    /// The page in its source.
    let source: String
    /// Its name in the output.
    let output: String
    /// The size in the output, where that is known.
    let size: PixelSize?
    /// Whether the size counts in pixels; else only the shape is the same.
    let isPixelSize: Bool
    /// Whether its damage was told of.
    let isDamaged: Bool
    /// The digest of the picture file that the sink was given; nil where it was given something else.
    private(set) var given: String?
    /// The source's picture, where its bytes were copied as they are.
    private(set) var copied: EncodedPicture?
    /// The digest of the pixels that it is to have; nil where no pixels were made, or some may be lost.
    private(set) var planned: PixelDigest?

    /// The same for a page that the sink encoded anew.
    var withoutContents: PageExpectation {
        var copy = self
        (copy.given, copy.copied, copy.planned) = (nil, nil, nil)
        return copy
    }

    init(
        _ line: PageReport, _ output: String, _ content: FinishedPage.Content,
        _ finished: PageOutcome.Finished,
        isDamaged: Bool
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
        if case .copy(let picture, _) = finished.plan.step, finished.plan.treatment == .verbatim {
            copied = picture
        } else {
            copied = nil
        }
    }
}
