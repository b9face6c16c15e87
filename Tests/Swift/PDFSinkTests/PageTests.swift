import AdapterKit
import Imaging
import PDFStructure
import PageModel
import Scratch
import Testing

/// The sizes of pages, and what of their pictures they show.
@Suite struct PageTests {
    private var made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    private static func page(
        resolution: Resolution? = nil, framing: (Framing) -> Framing = { $0 }
    ) throws -> FinishedPage {
        let raster = SyntheticRaster.of(.gray(bits: 8), resolution: resolution)
        return try .made(1, .png, PNGWriter.encode(raster), framing: framing)
    }

    private func node(_ page: FinishedPage) async throws -> PageNode {
        try #require(try await made.written([page]).pages.first)
    }

    @Test func pageSizeFollowsThePictureResolution() async throws {
        let box = try await node(try Self.page(resolution: Resolution(horizontal: 200, vertical: 100))).box("MediaBox")
        // pHYs counts pixels per metre.
        #expect(abs(box[2] - 83 * 0.36) < 0.02)
        #expect(abs(box[3] - 121 * 0.72) < 0.02)
    }

    @Test func pictureWithoutAResolutionGets300PixelsPerInch() async throws {
        #expect(try await node(try Self.page()).box("MediaBox") == [0, 0, 19.92, 29.04])
    }

    @Test func theResolutionThatIsAskedForCounts() async throws {
        var copy = self
        copy.made.settings = ["dpi": "144"]
        let page = try Self.page(resolution: Resolution(600))
        #expect(try await copy.node(page).box("MediaBox") == [0, 0, 41.5, 60.5])
    }

    /// A page that comes from paper keeps its size, regardless of the options for pictures.
    @Test func paperCountsMore() async throws {
        var copy = self
        copy.made.settings = ["dpi": "144"]
        var page = try Self.page()
        page.resolution = Resolution(72)
        #expect(try await copy.node(page).box("MediaBox") == [0, 0, 83, 121])
    }

    @Test func pageSizesStayWithinViewerLimits() async throws {
        let long = Raster(
            size: PixelSize(width: 1, height: 60_000), format: .gray(bits: 8),
            samples: [UInt8](repeating: 7, count: 60_000), resolution: Resolution(72))
        let box = try await node(try .made(1, .png, PNGWriter.encode(long))).box("MediaBox")
        #expect(box[3] <= 14_400 && box[3] > 14_399)
        let small = Raster(size: PixelSize(width: 2, height: 1), format: .gray(bits: 8), samples: [0, 9])
        #expect(try await node(try .made(1, .png, PNGWriter.encode(small))).box("MediaBox") == [0, 0, 6, 3])
    }

    /// The cropped area is still there, and the crop box hides it.
    @Test func aPartIsShownByTheCropBox() async throws {
        let page = try Self.page { $0.keeping(PixelRect(x: 10, y: 20, width: 50, height: 60)) }
        let node = try await node(page)
        #expect(node.box("MediaBox") == [0, 0, 19.92, 29.04])
        #expect(node.box("CropBox") == [2.4, 9.84, 14.4, 24.24])
    }

    /// On paper of a given size a clip leaves it out, and the part fills the page.
    @Test func aPartFillsPaper() async throws {
        var copy = self
        copy.made.settings = ["page-size": "100x120pt"]
        let page = try Self.page { $0.keeping(PixelRect(x: 10, y: 20, width: 50, height: 60)) }
        let (file, pages) = try await copy.made.written([page])
        #expect(pages[0].box("MediaBox") == [0, 0, 100, 120])
        let content = String(decoding: try file.contents(of: pages[0].page, limit: 1000), as: UTF8.self)
        #expect(content.hasPrefix("q 0 0 100 120 re W n 165.98 0 0 241.98 -19.99 "))
    }

    /// Paper lies sideways for wide pictures.
    @Test func paperIsTurnedForWidePictures() async throws {
        var copy = self
        copy.made.settings = ["page-size": "a4"]
        #expect(try await copy.node(try Self.page()).box("MediaBox") == [0, 0, 595.276, 841.89])
        let wide = try Self.page { $0.keeping(PixelRect(x: 0, y: 0, width: 80, height: 40)) }
        #expect(try await copy.node(wide).box("MediaBox") == [0, 0, 841.89, 595.276])
    }

    @Test(arguments: [(["page-size": "a4"], true), ([:], nil), (["dpi": "150"], nil)] as [([String: String], Bool?)])
    func paperIsTheReasonWhyAResolutionDidNothing(_ settings: [String: String], _ isPaper: Bool?) async throws {
        var copy = self
        copy.made.settings = settings
        _ = try await copy.node(try Self.page())
        let cause = Setting.dpi.effect?.cause(of: "dpi", after: copy.made.effects.seen)
        #expect(cause?.message.english.contains("--page-size") == isPaper)
    }

    @Test(arguments: ["a9", "0x5mm", "5x8", "x8in", "nanximm", "99999x1in", "-5x8mm"])
    func noPaper(_ text: String) async throws {
        var copy = self
        copy.made.settings = ["page-size": text]
        let error = await #expect(throws: AdapterError.self) { _ = try await copy.made.write([]) }
        #expect(error?.code == .usage)
        #expect(error?.message.english.contains("'\(text)'") == true)
    }

    /// Each of EXIF's orientations is shown by the matrix: where the first row begins, and where it ends.
    @Test(arguments: [
        (1, [0.0, 1, 1, 1]), (2, [1, 1, 0, 1]), (3, [1, 0, 0, 0]), (4, [0, 0, 1, 0]), (5, [0, 1, 0, 0]),
        (6, [1, 1, 1, 0]), (7, [1, 0, 1, 1]), (8, [0, 0, 0, 1]),
    ])
    func orientations(_ value: Int, _ corners: [Double]) async throws {
        let orientation = try #require(Orientation(exif: value))
        let page = try Self.page { Framing($0.source, orientation) }
        let (file, pages) = try await made.written([page])
        let text = String(decoding: try file.contents(of: pages[0].page, limit: 1000), as: UTF8.self)
        let numbers = text.split(separator: " ").compactMap { Double($0) }
        let box = pages[0].box("MediaBox")
        #expect(numbers.count == 6)
        // The first row of a picture is the upper edge of the unit square.
        let start = (numbers[2] + numbers[4], numbers[3] + numbers[5])
        let end = (start.0 + numbers[0], start.1 + numbers[1])
        let found = [start.0 / box[2], start.1 / box[3], end.0 / box[2], end.1 / box[3]].map { $0.rounded() }
        #expect(found == corners)
    }
}
