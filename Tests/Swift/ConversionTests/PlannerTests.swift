import AdapterKit
import Conversion
import PageModel
import Planning
import Testing

@testable import Flatten

@Suite struct PlannerTests {
    private static let comics: Set<ImageEncoding> = [.jpeg, .png, .gif, .webp]
    private static let bend =
        Flattening(
            columns: 2, rows: 2, shifts: [Flattening.Shift](repeating: Flattening.Shift(across: 0, down: 0.1), count: 4)
        ).map { [PageEdit.flatten($0)] } ?? []
    private static let crop = PageEdit.crop(PixelRect(x: 1, y: 1, width: 2, height: 3))

    /// One page, and the plans it should get in their order, as "treatment: reason".
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var formats: Set<ImageEncoding>? = comics
        var holdsOnlyFormats = false
        var request = EncodingRequest()
        var edits: [PageEdit] = []
        let picture: Picture
        let plans: [String]
    }

    static let cases = [
        Case(
            testDescription: "a format that is displayed is copied", picture: Sample.picture(Sample.encoded(.gif)),
            plans: ["verbatim: the source's own GIF"]),
        Case(
            testDescription: "every format is copied where all are displayed", formats: nil,
            picture: Sample.picture(Sample.encoded(.jpeg2000), Sample.sampled(), Sample.drawn()),
            plans: [
                "verbatim: the source's own JPEG 2000", "lossless: CCITT G4 samples stored as PNG",
                "rendered: at 144 pixels per inch",
            ]),
        Case(
            testDescription: "a format that few display gives way to exact samples",
            picture: Sample.picture(Sample.encoded(.jpeg2000), Sample.sampled(), Sample.drawn()),
            plans: [
                "lossless: CCITT G4 samples stored as PNG; few readers show JPEG 2000",
                "rendered: at 144 pixels per inch: few readers show JPEG 2000",
            ]),
        Case(
            testDescription: "a format that few display is better than nothing",
            picture: Sample.picture(Sample.encoded(.jpegXL)),
            plans: ["verbatim: the source's own JPEG XL; not every reader shows JPEG XL"]),
        Case(
            testDescription: "a format that the output cannot hold is decoded", holdsOnlyFormats: true,
            picture: Sample.picture(Sample.encoded(.jpegXL)),
            plans: ["lossless: the JPEG XL's pixels, stored as PNG: the output cannot hold JPEG XL"]),
        Case(
            testDescription: "a format that few display is better than a drawing",
            picture: Sample.picture(Sample.encoded(.jpegXL), Sample.drawn()),
            plans: [
                "verbatim: the source's own JPEG XL; not every reader shows JPEG XL",
                "rendered: at 144 pixels per inch",
            ]),
        Case(
            testDescription: "a repaired image is not the source's own bytes",
            picture: Sample.picture(Sample.encoded(.jpeg, repair: "its profile was put in")),
            plans: ["lossless: its profile was put in"]),
        Case(
            testDescription: "few shades need PNG, since a JPEG would have many again", edits: [.shades(bits: 4)],
            picture: Sample.picture(Sample.encoded(.jpeg)),
            plans: ["encoded: the JPEG's pixels, dithered to 16 gray levels, stored as PNG"]),
        Case(
            testDescription: "few shades need PNG at any quality", request: EncodingRequest(quality: 80),
            edits: [.shades(bits: 4)], picture: Sample.picture(Sample.encoded(.jpeg)),
            plans: ["encoded: the JPEG's pixels, dithered to 16 gray levels, stored as PNG"]),
        Case(
            testDescription: "few shades become a JPEG when one is asked for",
            request: EncodingRequest(format: .jpeg, quality: 80),
            edits: [.shades(bits: 4)], picture: Sample.picture(Sample.encoded(.jpeg)),
            plans: ["encoded: the JPEG's pixels, dithered to 16 gray levels, encoded as JPEG at quality 80"]),
        Case(
            testDescription: "a TIFF that readers do not show is stored as PNG, whatever else is in it",
            picture: Sample.picture(
                .encoded(EncodedPicture(encoding: .tiff, size: Sample.size, isLossless: true) { [] })),
            plans: ["lossless: the TIFF's pixels, stored as PNG: few readers show TIFF"]),
        Case(
            testDescription: "a TIFF stays as it is when TIFF is asked for", request: EncodingRequest(format: .tiff),
            picture: Sample.picture(
                .encoded(EncodedPicture(encoding: .tiff, size: Sample.size, isLossless: true) { [] })),
            plans: ["verbatim: the source's own TIFF; not every reader shows TIFF"]),
        Case(
            testDescription: "a JPEG in a TIFF comes as that where readers show no TIFF",
            picture: Sample.picture(
                .encoded(EncodedPicture(encoding: .tiff, size: Sample.size, isLossless: true) { [] }),
                Sample.encoded(.jpeg, repair: "the JPEG in the TIFF")),
            plans: ["lossless: the JPEG in the TIFF: few readers show TIFF"]),
        Case(
            testDescription: "samples become PNG", picture: Sample.picture(Sample.sampled()),
            plans: ["lossless: CCITT G4 samples stored as PNG"]),
        Case(
            testDescription: "samples are rotated and cropped without loss", edits: [crop],
            picture: Sample.picture(Sample.sampled(pending: [.turn(quarters: 1)])),
            plans: ["lossless: CCITT G4 samples stored as PNG, cropped and rotated"]),
        Case(
            testDescription: "a drawing says why",
            picture: Sample.picture(Sample.drawn(), reason: "there is text on it"),
            plans: ["rendered: at 144 pixels per inch: there is text on it"]),
        Case(
            testDescription: "a turned JPEG keeps its coefficients",
            picture: Sample.picture(
                Sample.encoded(.jpeg, pending: [.turn(quarters: 2)], grid: PixelSize(width: 2, height: 2)),
                Sample.drawn()),
            plans: [
                "lossless: the JPEG's own coefficients, rotated",
                "encoded: the JPEG's pixels, rotated, encoded as JPEG with its original quantization tables: its data is damaged",
                "rendered: at 144 pixels per inch: its data is damaged",
            ]),
        Case(
            testDescription: "a cropped JPEG keeps what its grid holds together", edits: [crop],
            picture: Sample.picture(Sample.encoded(.jpeg, grid: PixelSize(width: 8, height: 8))),
            plans: [
                "lossless: the JPEG's own coefficients, cropped, with 1 px more on the left and 1 px more on the top",
                "encoded: the JPEG's pixels, cropped, encoded as JPEG with its original quantization tables: its data is damaged",
            ]),
        Case(
            testDescription: "a JPEG whose grid does not fit is encoded anew", edits: [.turn(quarters: 1)],
            picture: Sample.picture(Sample.encoded(.jpeg, grid: PixelSize(width: 8, height: 8)), Sample.drawn()),
            plans: [
                "encoded: the JPEG's pixels, rotated, encoded as JPEG with its original quantization tables: "
                    + "the JPEG cannot be rotated without loss",
                "rendered: at 144 pixels per inch, rotated: the JPEG cannot be rotated without loss",
            ]),
        Case(
            testDescription: "what cannot be written in its own format becomes PNG", edits: [crop],
            picture: Sample.picture(Sample.encoded(.gif), Sample.drawn()),
            plans: ["lossless: the GIF's pixels, cropped, stored as PNG", "rendered: at 144 pixels per inch, cropped"]),
        Case(
            testDescription: "changed pixels are encoded", edits: [crop, .gray, .shades(bits: 2)],
            picture: Sample.picture(Sample.encoded(.png)),
            plans: [
                "encoded: the PNG's pixels, cropped, made gray and dithered to 4 gray levels, stored as PNG"
            ]),
        Case(
            testDescription: "a box that the image fits into asks for nothing",
            edits: [.fit(FitBox(width: 10, height: 10))], picture: Sample.picture(Sample.encoded(.jpeg)),
            plans: ["verbatim: the source's own JPEG"]),
        Case(
            testDescription: "a deskewed JPEG is encoded", edits: [.deskew(degrees: 1), crop],
            picture: Sample.picture(Sample.encoded(.jpeg, grid: PixelSize(width: 1, height: 1))),
            plans: [
                "encoded: the JPEG's pixels, deskewed and cropped, encoded as JPEG with its original quantization tables"
            ]),
        Case(
            testDescription: "deskewed samples are no longer the source's", edits: [.deskew(degrees: 1)],
            picture: Sample.picture(Sample.sampled(), Sample.drawn()),
            plans: ["encoded: CCITT G4 samples stored as PNG, deskewed", "rendered: at 144 pixels per inch, deskewed"]),
        Case(
            testDescription: "a flattened JPEG is encoded", edits: bend + [.deskew(degrees: 1), crop, .gray],
            picture: Sample.picture(Sample.encoded(.jpeg, grid: PixelSize(width: 1, height: 1))),
            plans: [
                "encoded: the JPEG's pixels, flattened, deskewed, cropped and made gray, encoded as JPEG with its original quantization tables"
            ]),
        Case(
            testDescription: "what is straight already stays", edits: [.deskew(degrees: 0)],
            picture: Sample.picture(Sample.encoded(.jpeg)), plans: ["verbatim: the source's own JPEG"]),
        Case(
            testDescription: "a quality asks for a smaller file, or for none", request: EncodingRequest(quality: 50),
            picture: Sample.picture(Sample.encoded(.jpeg)),
            plans: [
                "encoded: the JPEG's pixels, encoded as JPEG at quality 50",
                "verbatim: the source's own JPEG: as JPEG it would be no better",
            ]),
        Case(
            testDescription: "a quality asks for less than the lossless way takes",
            request: EncodingRequest(quality: 50), edits: [crop],
            picture: Sample.picture(Sample.encoded(.jpeg, grid: PixelSize(width: 1, height: 1))),
            plans: [
                "encoded: the JPEG's pixels, cropped, encoded as JPEG at quality 50",
                "lossless: the JPEG's own coefficients, cropped: as JPEG it would be no better",
            ]),
        Case(
            testDescription: "JPEG that is asked for is made, however large", request: EncodingRequest(format: .jpeg),
            picture: Sample.picture(Sample.encoded(.gif)),
            plans: ["encoded: the GIF's pixels, encoded as JPEG at quality 90"]),
        Case(
            testDescription: "WebP is for size's sake", request: EncodingRequest(format: .webp),
            picture: Sample.picture(Sample.encoded(.jpeg)),
            plans: [
                "encoded: the JPEG's pixels, encoded as WebP at similar quality",
                "verbatim: the source's own JPEG: as WebP it would be no better",
            ]),
        Case(
            testDescription: "JPEG XL keeps the coefficients of a JPEG", formats: nil,
            request: EncodingRequest(format: .jpegXL), edits: [.turn(quarters: 2)],
            picture: Sample.picture(Sample.encoded(.jpeg, grid: PixelSize(width: 2, height: 2))),
            plans: [
                "lossless: the JPEG's own coefficients, rotated, kept in a JPEG XL",
                "encoded: the JPEG's pixels, rotated, encoded as JPEG XL at similar quality: JPEG XL cannot hold a JPEG of its kind",
            ]),
        Case(
            testDescription: "a JPEG XL gives back its JPEG where few readers show it",
            picture: Sample.picture(Sample.encoded(.jpegXL, holdsJPEG: true)),
            plans: [
                "lossless: the JPEG that the JPEG XL was made of",
                "verbatim: the source's own JPEG XL; not every reader shows JPEG XL",
            ]),
        Case(
            testDescription: "what is drawn is encoded once", request: EncodingRequest(format: .jpeg),
            picture: Sample.picture(Sample.sampled(), Sample.drawn(), reason: "there is text on it"),
            plans: [
                "encoded: CCITT G4 samples encoded as JPEG at quality 90",
                "rendered: at 144 pixels per inch and encoded as JPEG at quality 90: there is text on it",
            ]),
    ]

    @Test(arguments: cases)
    func treatments(_ test: Case) throws {
        let plans = try Planner(
            SinkCapabilities(formats: test.formats, holdsOnlyFormats: test.holdsOnlyFormats), test.request
        ).plans(
            for: Sample.page(edits: test.edits), test.picture)
        #expect(plans.map { "\($0.treatment.rawValue): \($0.reason.message.english)" } == test.plans)
    }

    @Test func aPageWithoutAWayThrows() {
        let cases: [(Picture, [PageEdit], String)] = [
            (Sample.picture(), [], "the page has no image"),
            (
                Sample.picture(Sample.encoded(.jpeg, size: nil)), [.turn(quarters: 2)],
                "the JPEG does not tell its size before it is decoded"
            ),
        ]
        for (picture, edits, message) in cases {
            let error = #expect(throws: AdapterError.self) {
                try Planner(SinkCapabilities(formats: nil)).plans(for: Sample.page(edits: edits), picture)
            }
            #expect(error?.code == .unsupported)
            #expect(error?.message.english == message)
        }
    }

    @Test func sizesAndCropsAreThoseOfTheOutput() throws {
        let crop = PixelRect(x: 1, y: 2, width: 3, height: 1)
        let edits: [Edit] = [.turn(quarters: 1), .crop(crop)]
        let picture = Sample.picture(Sample.encoded(.gif), Sample.sampled(pending: edits), Sample.drawn())
        let plans = try Planner(SinkCapabilities(formats: nil)).plans(for: Sample.page(), picture)
        #expect(plans.map(\.size) == [Sample.size, crop.size, Sample.size])
        #expect(plans.map(\.crop) == [nil, crop, nil])
        #expect(plans.map(\.encoding) == [.gif, .png, .png])
    }

    /// Every picture × every set of formats × every edit: the promise of the least lossy way.
    @Test func theLeastLossyWayComesFirst() throws {
        let encodings = ImageEncoding.known
        for encoding in encodings {
            for formats in [nil, [], Self.comics, [encoding]] as [Set<ImageEncoding>?] {
                for edits in [[], [Self.crop], [.turn(quarters: 1)]] as [[PageEdit]] {
                    for hasSamples in [false, true] {
                        let picture =
                            hasSamples
                            ? Sample.picture(Sample.encoded(encoding), Sample.sampled(), Sample.drawn())
                            : Sample.picture(Sample.encoded(encoding), Sample.drawn())
                        let plans = try Planner(SinkCapabilities(formats: formats)).plans(
                            for: Sample.page(edits: edits), picture)
                        let isShown = formats?.contains(encoding) ?? true
                        let isKept = isShown && [.jpeg, .webp, .jpegXL].contains(encoding)
                        let isStored = [.jpeg2000, .jpeg2000Codestream].contains(encoding)
                        let expected: Treatment =
                            edits.isEmpty && (isShown || !hasSamples && !isStored)
                            ? .verbatim : hasSamples || !isKept ? .lossless : .encoded
                        #expect(plans.first?.treatment == expected)
                        // The file itself, should it turn out to hold more than one picture, is the last resort.
                        let representations = plans.filter { !$0.reason.message.english.contains("several images") }
                        let order = representations.compactMap { Treatment.allCases.firstIndex(of: $0.treatment) }
                        #expect(order == order.sorted())
                        #expect(plans.last?.treatment == .drawn)
                        #expect(plans.allSatisfy { !$0.reason.message.english.isEmpty })
                    }
                }
            }
        }
    }
}
