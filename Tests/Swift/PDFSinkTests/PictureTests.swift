import AdapterKit
import Files
import Imaging
import PDFSource
import PDFStructure
import PageModel
import Scratch
import Testing

@testable import PDFSink

/// Pictures in a PDF: copied bytes, and preserved samples.
@Suite struct PictureTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    private func image(_ page: FinishedPage) async throws -> (file: PDFFile, image: PDFObject) {
        let (file, pages) = try await made.written([page])
        return (file, try #require(pages.first).image)
    }

    /// The bytes of a JPEG stand in the PDF as they are.
    @Test(arguments: ["baseline.jpg", "progressive-icc.jpg", "cmyk.jpg", "orientation-6.jpg"])
    func aJPEGIsCopied(_ name: String) async throws {
        let page = try FinishedPage.fixture(1, name, .jpeg)
        let (file, image) = try await image(page)
        #expect(image["Filter"].name == "DCTDecode")
        let offset = try #require(file.offset(of: image))
        let bytes = try page.encoded().bytes
        #expect(file.bytes(at: offset, upTo: bytes.count) == bytes)
        #expect(image["Length"].integer == bytes.count)
    }

    /// Adobe's programs store CMYK the other way round.
    @Test func invertedCMYKIsShownTheRightWay() async throws {
        let (_, image) = try await image(try .fixture(1, "cmyk.jpg", .jpeg))
        #expect(image["Decode"].numbers == [1, 0, 1, 0, 1, 0, 1, 0])
        #expect(image["ColorSpace"].name == "DeviceCMYK")
    }

    /// A TIFF of CMYK keeps its samples, and its profile if there is one.
    @Test(arguments: [nil, "made/cmyk.icc"]) func aTIFFOfCMYKKeepsItsInks(_ profile: String?) async throws {
        let profile = try profile.map { try Files.read("\(BuiltJisui.fixtures)/\($0)") }
        let size = PixelSize(width: 7, height: 4)
        let samples = (0..<size.area * 4).map { UInt8($0) }
        let tiff = try InkPicture(size: size, bits: 8, samples: samples, iccProfile: profile).tiff()
        let (file, image) = try await image(try .made(1, .tiff, tiff))
        #expect(image["BitsPerComponent"].integer == 8)
        if let profile {
            let space = image["ColorSpace"].items
            #expect(space.first?.name == "ICCBased" && space[1]["N"].integer == 4)
            #expect(try profile == file.data(of: space[1], limit: 1 << 20))
        } else {
            #expect(image["ColorSpace"].name == "DeviceCMYK")
        }
        #expect(try file.data(of: image, limit: 1 << 20) == samples)
    }

    @Test func aProfileIsKept() async throws {
        let page = try FinishedPage.fixture(1, "progressive-icc.jpg", .jpeg)
        let (file, image) = try await image(page)
        let space = image["ColorSpace"].items
        #expect(space.first?.name == "ICCBased")
        let profile = JPEGHeader(try page.encoded().bytes)?.iccProfile
        #expect(try profile == file.data(of: space[1], limit: 1 << 20))
        #expect(space[1]["N"].integer == 3)
    }

    /// Rasters of every kind, with the bits and colors that they have in the PDF.
    struct Case: CustomTestStringConvertible, Sendable {
        let raster: Raster
        let colors: String
        var filter = "FlateDecode"

        var testDescription: String { "\(raster.format)".prefix(16) + " \(filter)" }
    }

    static let cases = [
        Case(raster: SyntheticRaster.of(.gray(bits: 1)), colors: "DeviceGray", filter: "JBIG2Decode"),
        Case(raster: SyntheticRaster.bars, colors: "DeviceGray", filter: "CCITTFaxDecode"),
        Case(raster: SyntheticRaster.of(.gray(bits: 2)), colors: "DeviceGray"),
        Case(raster: SyntheticRaster.of(.gray(bits: 8)), colors: "DeviceGray"),
        Case(raster: SyntheticRaster.of(.gray(bits: 16)), colors: "DeviceGray"),
        Case(raster: SyntheticRaster.of(.rgb(bits: 8)), colors: "DeviceRGB"),
        Case(raster: SyntheticRaster.of(.rgb(bits: 16)), colors: "DeviceRGB"),
        Case(raster: SyntheticRaster.of(SyntheticRaster.palette(bits: 1)), colors: "Indexed", filter: "JBIG2Decode"),
        Case(raster: SyntheticRaster.of(SyntheticRaster.palette(bits: 4)), colors: "Indexed"),
        Case(raster: SyntheticRaster.of(SyntheticRaster.palette(bits: 8)), colors: "Indexed"),
    ]

    @Test(arguments: cases) func samplesAreKept(_ test: Case) async throws {
        let page = try FinishedPage.made(1, .png, PNGWriter.encode(test.raster))
        let (file, image) = try await image(page)
        #expect(image["Filter"].name == test.filter)
        #expect((image["ColorSpace"].name ?? image["ColorSpace"].item(0).name) == test.colors)
        #expect(image["BitsPerComponent"].integer == test.raster.format.bitsPerSample)
        let data: [UInt8]
        if test.filter == "CCITTFaxDecode" {
            let fax = try file.data(of: image, keepingFilters: 1, limit: 1 << 20)
            data = try #require(FaxDecoder(coding: .group4, size: test.raster.size).decode(fax))
        } else if test.filter == "JBIG2Decode" {
            let generic = try file.data(of: image, keepingFilters: 1, limit: 1 << 20)
            data = try JBIG2Decoder.decode(generic, globals: [], size: test.raster.size)
        } else {
            data = try file.data(of: image, limit: 1 << 20)
        }
        // The padding of a row is written as 0, or as fax requires it.
        #expect(Raster(size: test.raster.size, format: test.raster.format, samples: data).isSame(as: test.raster))
    }

    /// Alpha becomes a soft mask in addition to the colors, which it does not change.
    @Test(arguments: [PixelFormat.rgba(bits: 8), .grayAlpha(bits: 8), .rgba(bits: 16)])
    func alphaBecomesASoftMask(_ format: PixelFormat) async throws {
        let raster = SyntheticRaster.of(format)
        let (file, image) = try await image(try .made(1, .png, PNGWriter.encode(raster)))
        let (colors, alpha) = raster.separatingAlpha()
        #expect(try file.data(of: image, limit: 1 << 20) == colors.samples)
        #expect(try file.data(of: image["SMask"], limit: 1 << 20) == alpha?.samples)
        #expect(image["SMask"]["BitsPerComponent"].integer == format.bitsPerSample)
    }

    /// A picture with alpha is read back from the PDF unchanged.
    @Test(arguments: [PixelFormat.rgba(bits: 8), .grayAlpha(bits: 8), .rgba(bits: 16), .grayAlpha(bits: 16)])
    func alphaRoundTrips(_ format: PixelFormat) async throws {
        let raster = SyntheticRaster.of(format)
        let path = try await made.write([try .made(1, .png, PNGWriter.encode(raster))])
        let source = PDFSource()
        let settings = try Settings(source.descriptor.settings, given: [:])
        let opened = try await source.open(Input(path: path), settings: settings, limits: Limits())
        guard case .sampled(let found) = try await opened.sequence.pages[0].examine().representations[0] else {
            Issue.record("the page is drawn")
            return
        }
        let read = try await found.read().raster
        #expect(read.format == format && read.samples == raster.samples)
    }

    @Test func opaqueAlphaGivesNoSoftMask() async throws {
        let samples = (0..<SyntheticRaster.size.area * 4).map { $0 % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: $0) }
        let raster = Raster(size: SyntheticRaster.size, format: .rgba(bits: 8), samples: samples)
        let (_, image) = try await image(try .made(1, .png, PNGWriter.encode(raster)))
        #expect(image["SMask"].isNull)
    }

    /// Formats that PDF does not know are decoded, even if the planner passed them.
    @Test(arguments: [("still.gif", ImageEncoding.gif), ("lossless.webp", .webp), ("fax.tif", .tiff)])
    func otherFormatsAreDecoded(_ name: String, _ encoding: ImageEncoding) async throws {
        let page = try FinishedPage.fixture(1, name, encoding)
        let (_, image) = try await image(page)
        let size = try PictureDecoder.decode(page.encoded().bytes, encoding, maximumPixels: 1 << 20).raster.size
        #expect(image["Width"].integer == size.width)
        #expect(image["Height"].integer == size.height)
    }

    @Test func aJP2IsCopied() async throws {
        let page = try FinishedPage.fixture(1, "gray.jp2", .jpeg2000)
        let (file, image) = try await image(page)
        #expect(image["Filter"].name == "JPXDecode")
        #expect(try file.data(of: image, keepingFilters: 1, limit: 1 << 20) == page.encoded().bytes)
    }

    /// A bare codestream does not say what its colors are, and PDF does not hold it.
    @Test func aCodestreamIsDecoded() async throws {
        let (_, image) = try await image(try .fixture(1, "codestream.j2k", .jpeg2000Codestream))
        #expect(image["Filter"].name == "FlateDecode")
    }

    /// A TIFF with one strip of fax keeps its data for either photometric interpretation; one with several strips is
    /// encoded again.
    @Test(arguments: [0, 1]) func faxIsCopied(_ photometric: UInt8) async throws {
        var tiff = try TIFFEncoder.encode(SyntheticRaster.bars)
        let fax = try #require(FaxContents(tiff: tiff))
        #expect(fax.data == FaxEncoder.encode(SyntheticRaster.bars) && !fax.isInverted)
        // PhotometricInterpretation, a SHORT: the sample 0 is white or black.
        let tag = try #require(tiff.firstRange(of: [0x06, 0x01, 3, 0, 1, 0, 0, 0])).upperBound
        tiff[tag] = photometric
        let (file, image) = try await image(try .made(1, .tiff, tiff))
        #expect(image["Filter"].name == "CCITTFaxDecode")
        #expect(image["DecodeParms"]["BlackIs1"].boolean == (photometric == 1))
        #expect(try file.data(of: image, keepingFilters: 1, limit: 1 << 20) == fax.data)
        // poppler reveals its pixels.
        if Program.exists("pdftoppm") {
            let path = made.scratch("book.pdf")
            let size = "-scale-to-x \(fax.size.width) -scale-to-y \(fax.size.height)"
            #expect(Program.run("pdftoppm -png -singlefile \(size) '\(path)' '\(made.scratch("fax"))'") == 0)
            let drawn = try PictureDecoder.decode(made.scratch.read("fax.png"), .png, maximumPixels: 1 << 20).raster
            let wanted = try PictureDecoder.decode(tiff, .tiff, maximumPixels: 1 << 20).raster
            #expect(drawn.widened(to: .rgb(bits: 8)).samples == wanted.widened(to: .rgb(bits: 8)).samples)
        }
    }

    /// Only black and white comes as a TIFF.
    @Test func aTIFFIsTakenWhereItIsBlackAndWhite() throws {
        let request = SinkRequest(book: BookMetadata(), pageCount: 1, destination: Destination(path: "x.pdf"))
        let capabilities = try PDFSink().capabilities(request)
        func picture(_ bits: Int?) -> EncodedPicture {
            EncodedPicture(encoding: .tiff, size: nil, bitsPerPixel: bits) { [] }
        }
        #expect(capabilities.shows(picture(1)))
        #expect(!capabilities.shows(picture(8)) && !capabilities.shows(picture(nil)))
    }

    private func session(isLossless: Bool = false) throws -> any SinkSession {
        let request = SinkRequest(
            book: BookMetadata(), pageCount: 1,
            destination: Destination(path: made.scratch("said.pdf"), mayReplace: true), isLossless: isLossless)
        return try PDFSink().begin(request)
    }

    /// Pictures that are not stored in the PDF in their original form are reported.
    @Test func changesAreReported() async throws {
        let session = try session()
        let pages = [
            try FinishedPage.fixture(1, "baseline.jpg", .jpeg),
            try .made(2, .png, PNGWriter.encode(SyntheticRaster.of(.rgb(bits: 8)))),
            try .made(3, .png, PNGWriter.encode(SyntheticRaster.of(.rgba(bits: 8)))),
            try .made(4, .png, PNGWriter.encode(SyntheticRaster.bars)),
        ]
        for page in pages { _ = try session.add(page) }
        let changes = try await session.compose().compositions
        try await session.finish()
        #expect(changes.keys.sorted() == [3, 4])
        #expect(changes[3]?.treatment == .lossless)
        #expect(changes[3]?.notes == [Note(.recompressed, ["compression": "Flate"])])
        #expect(changes[4]?.notes == [Note(.recompressed, ["compression": "CCITT G4"])])
    }

    /// For pages side by side on one page, the changes of each are reported.
    @Test func changesOfAllPartsAreReported() async throws {
        let session = try session()
        var page = try FinishedPage.made(1, .png, PNGWriter.encode(SyntheticRaster.of(.rgba(bits: 8))))
        let parts = [try FinishedPage.made(1, .png, PNGWriter.encode(SyntheticRaster.bars)), page].enumerated()
        page.content = .spread(
            FinishedPage.Spread(
                parts.map { index, part in
                    FinishedPage.Spread.Part(part.content, at: PixelRect(x: 83 * index, y: 0, SyntheticRaster.size))
                }, size: PixelSize(width: 166, height: 121)))
        _ = try session.add(page)
        let change = try await session.compose().compositions[1]
        let notes = ["CCITT G4", "Flate"].map { Note(.recompressed, ["compression": $0]) }
        #expect(change?.treatment == .lossless && change?.notes == notes)
    }

    /// A PDF's page has one picture.
    @Test func onlyTheFirstPictureIsKept() async throws {
        let session = try session()
        _ = try session.add(try .fixture(1, "animated.png", .png))
        #expect(try await session.compose().warnings.map(\.code).first == "first-image-only")
    }

    @Test func damagedPictureIsRejectedWithItsPage() async throws {
        let session = try await made.write([try .fixture(1, "baseline.jpg", .jpeg)])
        #expect(!session.isEmpty)
        let error = await #expect(throws: AdapterError.self) {
            _ = try await made.write([try .made(1, .png, Array("no picture".utf8))])
        }
        #expect(error?.code == .damaged)
        #expect(error?.page == "page 1")
    }

    /// Two pages that show one picture share it, as the halves of a page that was split do.
    @Test(arguments: [ImageEncoding.jpeg, .png]) func aPictureIsThereOnce(_ encoding: ImageEncoding) async throws {
        let raster = SyntheticRaster.of(.rgb(bits: 8))
        let bytes = try PictureEncoder.encode(raster, as: encoding, encoding == .png ? .lossless : .quality(80))
        let halves = try [0, 40].map { x in
            try FinishedPage.made(x + 1, encoding, bytes) { $0.keeping(PixelRect(x: x, y: 0, width: 40, height: 121)) }
        }
        let (_, pages) = try await made.written(halves)
        #expect(pages[0].image.reference == pages[1].image.reference)
        #expect(pages[0].box("CropBox") != pages[1].box("CropBox"))
    }
}

extension Raster {
    /// Whether all pixels are alike; what pads rows is not looked at.
    func isSame(as other: Raster) -> Bool {
        guard size == other.size, format == other.format else { return false }
        let unused = bytesPerRow * 8 - size.width * format.bitsPerPixel
        let mask = UInt8.max << UInt8(unused)
        return samples.indices.allSatisfy { index in
            let isLast = index % bytesPerRow == bytesPerRow - 1
            return (samples[index] ^ other.samples[index]) & (isLast ? mask : 255) == 0
        }
    }
}
