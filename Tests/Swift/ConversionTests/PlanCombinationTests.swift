import AdapterKit
import PageModel
import Testing

@testable import Conversion
@testable import Planning

/// Combinations of images, edits, requests and outputs whose plans are hard to predict.
@Suite struct PlanCombinationTests {
    /// One page, and the plans that it gets in their order, as "treatment format: reason". The words "if smaller"
    /// stand after the format of a plan whose alternative is the next one.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var output = comic
        var request = EncodingRequest()
        var edits: [PageEdit] = []
        let images: [Picture.Representation]
        var document: DocumentPage?
        let plans: [String]
    }

    private static let comic = SinkCapabilities(formats: [.jpeg, .png, .gif, .webp])
    /// An EPUB whose reading apps show view boxes.
    private static let book = epub(showsParts: true)
    private static let folder = SinkCapabilities(formats: nil)
    private static let crop = PageEdit.crop(PixelRect(x: 1, y: 1, width: 2, height: 3))
    private static let fine = PixelSize(width: 1, height: 1)
    private static let reencoded = "encoded as JPEG with its original quantization tables"

    private static func epub(showsParts: Bool) -> SinkCapabilities {
        var capabilities = SinkCapabilities(
            formats: [.jpeg, .png, .gif], holdsOnlyFormats: true, honorsOrientation: false, showsParts: showsParts)
        capabilities.showsRareJPEGs = false
        return capabilities
    }

    private static func jpeg(
        grid: PixelSize? = fine, orientation: Orientation = .upright, isRare: Bool = false, overlay: Message? = nil
    ) -> Picture.Representation {
        var picture = EncodedPicture(
            encoding: .jpeg, size: Sample.size, orientation: orientation, grid: grid
        ) { Sample.gif }
        picture.isRareJPEG = isRare
        picture.overlay = overlay.map { PictureOverlay($0) }
        return .encoded(picture)
    }

    private static func tiff(grid: PixelSize? = fine) -> [Picture.Representation] {
        [
            .encoded(EncodedPicture(encoding: .tiff, size: Sample.size, isLossless: true) { [] }),
            Sample.encoded(.jpeg, repair: "the JPEG in the TIFF", grid: grid),
        ]
    }

    static let cases = tiffs + rotated + unusual + requested + unread + rendered + joined + documents

    private static let tiffs = [
        Case(
            testDescription: "a TIFF that holds a JPEG, cropped, to an output that shows parts",
            output: book, edits: [crop], images: tiff(),
            plans: ["lossless jpeg: the JPEG in the TIFF, shown in part"]),
        Case(
            testDescription: "a TIFF that holds a JPEG, cropped, to an output that shows no parts",
            output: epub(showsParts: false), edits: [crop], images: tiff(),
            plans: [
                "lossless jpeg: the JPEG's own coefficients, cropped",
                "encoded jpeg: the JPEG's pixels, cropped, \(reencoded): its data is damaged",
            ]),
        Case(
            testDescription: "a TIFF that holds a JPEG, to an output of all formats", output: folder, images: tiff(),
            plans: ["verbatim tiff: the source's own TIFF", "lossless jpeg: the JPEG in the TIFF"]),
        Case(
            testDescription: "a TIFF that holds a JPEG, as JPEG", output: folder,
            request: EncodingRequest(format: .jpeg), images: tiff(), plans: ["lossless jpeg: the JPEG in the TIFF"]),
        Case(
            testDescription: "a TIFF that holds a JPEG, as PNG", output: book, request: EncodingRequest(format: .png),
            images: tiff(),
            plans: ["lossless png: the TIFF's pixels, stored as PNG", "lossless png: the JPEG's pixels, stored as PNG"]),
    ]

    private static let rotated = [
        Case(
            testDescription: "a JPEG that its own metadata rotate, as JPEG XL", output: folder,
            request: EncodingRequest(format: .jpegXL), images: [jpeg(orientation: .upright.rotated(quarters: 1))],
            plans: [
                "lossless jxl: the JPEG's own coefficients, kept in a JPEG XL, shown rotated by 90°",
                "lossless jxl: the JPEG's own coefficients, rotated, kept in a JPEG XL",
                "encoded jxl if smaller: the JPEG's pixels, encoded as JPEG XL at similar quality: "
                    + "JPEG XL cannot hold a JPEG of its kind",
                "verbatim jpeg: the source's own JPEG: as JPEG XL it would be no better",
            ]),
        Case(
            testDescription: "a JPEG that its own metadata rotate, to an output that ignores them", output: book,
            images: [jpeg(orientation: .upright.rotated(quarters: 1))],
            plans: [
                "lossless jpeg: the JPEG's own coefficients, rotated",
                "encoded jpeg: the JPEG's pixels, \(reencoded): its data is damaged",
            ]),
        Case(
            testDescription: "a JPEG that its own metadata rotate and that cannot be cut", output: book,
            images: [jpeg(grid: nil, orientation: .upright.rotated(quarters: 1))],
            plans: [
                "encoded jpeg: the JPEG's pixels, \(reencoded): not every reader rotates it as its metadata state"
            ]),
        Case(
            testDescription: "a JPEG XL that holds a JPEG, rotated", edits: [.turn(quarters: 1)],
            images: [Sample.encoded(.jpegXL, holdsJPEG: true)],
            plans: ["lossless png: the JPEG XL's pixels, rotated, stored as PNG"]),
    ]

    private static let unusual = [
        Case(
            testDescription: "a JPEG that few programs read", output: book, images: [jpeg(isRare: true)],
            plans: [
                "lossless jpeg: the JPEG's own coefficients: few programs read a JPEG of its kind",
                "encoded jpeg: the JPEG's pixels, \(reencoded): its data is damaged",
            ]),
        Case(
            testDescription: "a JPEG that few programs read and that cannot be cut", output: book,
            images: [jpeg(grid: nil, isRare: true)],
            plans: ["encoded jpeg: the JPEG's pixels, \(reencoded): few programs read a JPEG of its kind"]),
        Case(
            testDescription: "a JPEG 2000 alone", images: [Sample.encoded(.jpeg2000)],
            plans: [
                "lossless png: the JPEG 2000's pixels, stored as PNG: few readers show JPEG 2000",
                "verbatim jp2: the source's own JPEG 2000; not every reader shows JPEG 2000: it holds several images",
            ]),
        Case(
            testDescription: "a JPEG 2000 with samples, cropped", edits: [crop],
            images: [Sample.encoded(.jpeg2000), Sample.sampled(), Sample.drawn()],
            plans: [
                "lossless png: CCITT G4 samples stored as PNG, cropped; the JPEG 2000 would have to be decoded",
                "rendered png: at 144 pixels per inch, cropped: the JPEG 2000 would have to be decoded",
            ]),
        Case(
            testDescription: "a crop smaller than the grid",
            edits: [.crop(PixelRect(x: 1, y: 1, width: 3, height: 5))],
            images: [jpeg(grid: PixelSize(width: 8, height: 8))],
            plans: [
                "verbatim jpeg: the source's own JPEG: the few px outside stay, because cutting them off would re-encode",
                "encoded jpeg: the JPEG's pixels, cropped, \(reencoded): its data is damaged",
            ]),
        Case(
            testDescription: "a stamped JPEG, cropped", edits: [crop], images: [jpeg(overlay: "a stamp")],
            plans: [
                "patched jpeg: a stamp laid over the source's own JPEG, cropped",
                "encoded jpeg: a stamp laid over the source's own JPEG, cropped, \(reencoded): its data is damaged",
            ]),
    ]

    private static let requested = [
        Case(
            testDescription: "a JPEG with samples, cropped, at a quality", request: EncodingRequest(quality: 50),
            edits: [crop], images: [jpeg(), Sample.sampled()],
            plans: ["lossless png: CCITT G4 samples stored as PNG, cropped; the JPEG would have to be decoded"]),
        Case(
            testDescription: "a cropped JPEG as WebP at a quality",
            request: EncodingRequest(format: .webp, quality: 50), edits: [crop], images: [jpeg()],
            plans: [
                "encoded webp if smaller: the JPEG's pixels, cropped, encoded as WebP at quality 50",
                "lossless jpeg: the JPEG's own coefficients, cropped: as WebP it would be no better",
            ]),
        Case(
            testDescription: "a JPEG XL that holds a JPEG, as JPEG, to an output that cannot hold it", output: book,
            request: EncodingRequest(format: .jpeg), images: [Sample.encoded(.jpegXL, holdsJPEG: true)],
            plans: [
                "lossless jpeg: the JPEG that the JPEG XL was made of",
                "encoded jpeg: the JPEG XL's pixels, encoded as JPEG at quality 90: the output cannot hold JPEG XL",
            ]),
        Case(
            testDescription: "an image that is too large for the requested format",
            request: EncodingRequest(format: .webp),
            images: [Sample.encoded(.gif, size: PixelSize(width: 20_000, height: 10))],
            plans: ["verbatim gif: the source's own GIF: a WebP holds no more than 16383 pixels across"]),
        Case(
            testDescription: "a quality for an output that makes images of its own",
            output: SinkCapabilities(formats: nil, takesRasters: true), request: EncodingRequest(quality: 50),
            images: [jpeg()], plans: ["lossless: the JPEG's pixels"]),
    ]

    private static let unread = [
        Case(
            testDescription: "a file of unknown size, unchanged", images: [Sample.encoded(.gif, size: nil)],
            plans: ["verbatim gif: the source's own GIF"]),
        Case(
            testDescription: "a file of unknown size, rotated", edits: [.turn(quarters: 1)],
            images: [Sample.encoded(.gif, size: nil), Sample.drawn()],
            plans: [
                "rendered png: at 144 pixels per inch, rotated: the GIF does not tell its size before it is decoded"
            ]),
        Case(
            testDescription: "a TIFF that holds a JPEG makes earlier reasons void", output: book,
            edits: [.deskew(degrees: 1)], images: [Sample.encoded(.gif, size: nil)] + tiff(),
            plans: ["encoded jpeg: the JPEG's pixels, deskewed, \(reencoded)"]),
    ]

    private static let rendered = [
        Case(
            testDescription: "a rendering of a page with a JPEG", images: [Sample.drawn(like: .jpeg { [] })],
            plans: [
                "rendered jpeg: at 144 pixels per inch and encoded as JPEG with the quantization tables of its largest "
                    + "image",
                "rendered png: at 144 pixels per inch",
            ]),
        Case(
            testDescription: "a rendering of a page with a JPEG at a quality", request: EncodingRequest(quality: 40),
            images: [Sample.drawn(like: .jpeg { [] })],
            plans: [
                "rendered jpeg: at 144 pixels per inch and encoded as JPEG at quality 40",
                "rendered png: at 144 pixels per inch",
            ]),
        Case(
            testDescription: "a scan in layers", images: [Sample.drawn(like: .layers, layers: 2)],
            plans: [
                "encoded jpeg: 2 layers of the scan put together at 144 pixels per inch and encoded as JPEG at "
                    + "quality 90: the scan is stored in layers",
                "encoded png: 2 layers of the scan put together at 144 pixels per inch: the scan is stored in layers",
            ]),
        Case(
            testDescription: "a JPEG whose grid does not allow a rotation", edits: [.turn(quarters: 1)],
            images: [jpeg(grid: PixelSize(width: 8, height: 8)), Sample.drawn()],
            plans: [
                "encoded jpeg: the JPEG's pixels, rotated, \(reencoded): the JPEG cannot be rotated without loss",
                "rendered png: at 144 pixels per inch, rotated: the JPEG cannot be rotated without loss",
            ]),
        Case(
            testDescription: "a JPEG whose grid does not allow a rotation, as JPEG XL", output: folder,
            request: EncodingRequest(format: .jpegXL), edits: [.turn(quarters: 1)],
            images: [jpeg(grid: PixelSize(width: 8, height: 8))],
            plans: ["encoded jxl: the JPEG's pixels, rotated, encoded as JPEG XL at similar quality"]),
    ]

    private static let joined = [
        Case(
            testDescription: "two JPEGs in one at a quality", request: EncodingRequest(quality: 50),
            images: [Sample.joined(Sample.joinableJPEG)],
            plans: [
                "encoded jpeg if smaller: the 2 pages' pixels, encoded as JPEG at quality 50",
                "lossless jpeg: the 2 pages' own coefficients: as JPEG it would be no better",
            ]),
        Case(
            testDescription: "two JPEGs in one at a quality, to an output that makes images of its own",
            output: SinkCapabilities(formats: nil, takesRasters: true), request: EncodingRequest(quality: 50),
            images: [Sample.joined(Sample.joinableJPEG)],
            plans: ["lossless jpeg: the 2 pages' own coefficients", "lossless: the 2 pages' pixels"]),
    ]

    private static let documents = [
        Case(
            testDescription: "a page of a document, cropped, to a document of its kind",
            output: SinkCapabilities(formats: nil, showsParts: true, documents: ["pdf"]), edits: [crop],
            images: [jpeg()], document: Sample.document,
            plans: ["verbatim: the PDF's page copied whole, shown in part"]),
        Case(
            testDescription: "a page of a document, to another output", images: [jpeg()], document: Sample.document,
            plans: ["verbatim jpeg: the source's own JPEG"]),
    ]

    @Test(arguments: cases)
    func plans(_ test: Case) throws {
        var picture = Picture(size: Sample.size, representations: test.images)
        picture.document = test.document
        let plans = try Planner(test.output, test.request).plans(for: Sample.page(edits: test.edits), picture)
        #expect(plans.map(Self.text) == test.plans)
    }

    private static func text(_ plan: PagePlan) -> String {
        let format = plan.encoding.map { " \($0.rawValue)" } ?? ""
        let alternative = plan.alternatives.isEmpty ? "" : " if smaller"
        return "\(plan.treatment.rawValue)\(format)\(alternative): \(plan.reason.message.english)"
    }
}
