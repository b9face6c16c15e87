internal import PageModel

/// How a page's picture can be had without drawing it.
struct Extraction: Sendable {
    enum Kind: Sendable, Hashable {
        /// A JPEG whose bytes may be copied, after putting right what only PDF knew: `nil` for nothing.
        ///
        case jpeg(EmbeddedJPEG)
        /// JPEG 2000: the file's or the codestream's own bytes.
        case jpeg2000(ImageEncoding)
        /// Samples that qpdf decompresses.
        case samples(compression: String)
        /// CCITT fax data.
        case fax(FaxParameters)
        /// Bilevel samples that only poppler decompresses.
        case bilevel(compression: String)
    }

    let kind: Kind
    let stream: PDFReference
    /// The number of filters that are left for us to undo.
    let kept: Int
    /// Where the bytes lie in the file, when they can be copied from there.
    let place: Range<Int>?
    let size: PixelSize
    /// What the samples mean, unless only the data itself tells.
    let format: PixelFormat?
    let isInverted: Bool
    let profile: [UInt8]?
    /// What turns the picture into the page.
    let pending: [Edit]
    let resolution: Resolution
}

/// What has to be put into a JPEG because only the PDF around it knew.
struct JPEGRepair: Sendable, Hashable {
    /// A profile to insert.
    var profile: [UInt8]?
    /// Whether an EXIF orientation, which PDF ignores and readers of pictures do not, has to be made harmless.
    var resetsOrientation: Bool

    /// For the report.
    var description: String {
        switch (profile != nil, resetsOrientation) {
        case (true, true): "its colour profile was put in, its EXIF orientation made harmless"
        case (true, false): "its colour profile was put in"
        default: "its EXIF orientation was made harmless"
        }
    }
}

/// The parameters of CCITTFaxDecode (ISO 32000-1, table 11).
struct FaxParameters: Sendable, Hashable {
    var k: Int
    /// Whether 1 stands for black in the decoded samples.
    var blackIsOne: Bool
}
