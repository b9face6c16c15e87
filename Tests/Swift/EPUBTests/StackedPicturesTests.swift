import AdapterKit
import Files
import Imaging
import PageModel
import Scratch
import Testing
import ZipFile

@testable import EPUBSource

/// Pages of EPUBs that consist of several pictures, one below the other, as KCC writes them for Kindles.
@Suite struct StackedPicturesTests {
    private let scratch: ScratchFolder
    private let upper = PixelSize(width: 60, height: 48)
    private let lower = PixelSize(width: 60, height: 31)

    init() throws {
        scratch = try ScratchFolder()
    }

    /// A page in KCC's words. Its frame is 60 by 79 pixels, unless it is told otherwise.
    private func page(
        _ names: [String] = ["p-kcc-above.jpg", "p-kcc-below.jpg"], frame: String? = "width=60, height=79",
        sizes: [PixelSize?]? = nil, style: String = "text-align:center;top:0.0%;"
    ) -> String {
        let viewport = frame.map { "<meta name=\"viewport\" content=\"\($0)\"/>" } ?? ""
        let images = zip(names, sizes ?? [upper, lower]).map { name, size in
            let stated = size.map { " width=\"\($0.width)\" height=\"\($0.height)\"" } ?? ""
            return "<img\(stated) src=\"../Images/\(name)\"/>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
            <head><title>p-kcc</title>\(viewport)</head>
            <body style=""><div style="\(style)"><div style="display:none;">.</div>
            \(images.joined())</div></body></html>
            """
    }

    /// A book of one page with one picture and one that is given.
    private func book(_ page: String, _ pictures: [String: [UInt8]], isFixed: Bool = true) throws {
        let writer = ZipWriter(try OutputFile(at: Destination(path: scratch("book.epub"), mayReplace: true)))
        func add(_ name: String, _ text: String) throws {
            try writer.add(name, Array(text.utf8), compresses: false)
        }
        try add("mimetype", "application/epub+zip")
        let file = "<rootfile full-path='OEBPS/p.opf' media-type='application/oebps-package+xml'/>"
        try add(
            "META-INF/container.xml",
            "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>\(file)</rootfiles></container>"
        )
        let items = (1...2).map { "<item id='p\($0)' href='Text/\($0).xhtml' media-type='application/xhtml+xml'/>" }
        let fixed = isFixed ? "<meta property='rendition:layout'>pre-paginated</meta>" : ""
        try add(
            "OEBPS/p.opf",
            "<package xmlns='http://www.idpf.org/2007/opf'><metadata>\(fixed)</metadata>"
                + "<manifest>\(items.joined())</manifest>"
                + "<spine><itemref idref='p1'/><itemref idref='p2' properties='page-spread-left'/></spine></package>")
        try add("OEBPS/Text/1.xhtml", self.page(["one.jpg"], sizes: [upper]))
        try add("OEBPS/Text/2.xhtml", page)
        try writer.add("OEBPS/Images/one.jpg", try SyntheticEPUB.jpeg(upper, 7), compresses: false)
        for (name, bytes) in pictures.sorted(by: { $0.key < $1.key }) {
            try writer.add("OEBPS/Images/\(name)", bytes, compresses: true)
        }
        try writer.finish()
    }

    private func open() async throws -> OpenedBook {
        try await EPUBSource().open(Input(path: scratch("book.epub")), settings: Settings(), limits: Limits())
    }

    private func jpegs(_ first: PixelSize? = nil) throws -> [String: [UInt8]] {
        [
            "p-kcc-above.jpg": try SyntheticEPUB.jpeg(first ?? upper, 1),
            "p-kcc-below.jpg": try SyntheticEPUB.jpeg(lower, 2),
        ]
    }

    private func decoded(_ file: [UInt8], _ encoding: ImageEncoding = .jpeg) throws -> [UInt8] {
        try PictureDecoder.decode(file, encoding, maximumPixels: 1_000_000).raster.samples
    }

    /// No coefficient changes, whatever says that the pictures are one page: their sizes, scaled or not, or their names.
    @Test(arguments: ["sizes", "scaled", "unstated", "names"])
    func jpegsBecomeOnePage(_ evidence: String) async throws {
        let pictures = try jpegs()
        let half = [PixelSize(width: 30, height: 24), PixelSize(width: 30, height: 15)]
        let text =
            switch evidence {
            case "sizes": page()
            case "scaled": page(frame: "height=39;width=30", sizes: half)
            case "unstated": page(frame: "width=120, height=158", sizes: [nil, nil])
            default: page(frame: nil, sizes: [nil, nil])
            }
        try book(text, pictures)
        let opened = try await open()
        #expect(opened.sequence.pages.map(\.side) == [.single, .left])
        #expect(opened.warnings.map(\.code) == ["images-joined"] && opened.warnings[0].isNote)
        #expect(
            opened.warnings[0].explanation.english
                == "OEBPS/Text/2.xhtml: its images, one below the other, became one page")
        let picture = try await opened.sequence.pages[1].examine()
        #expect(picture.size == PixelSize(width: 60, height: 79))
        guard case .encoded(let jpeg) = picture.representations[0],
            case .sampled(let samples) = picture.representations[1]
        else {
            Issue.record("it has other representations")
            return
        }
        let file = try await jpeg.read().bytes
        let parts = try decoded(pictures["p-kcc-above.jpg"] ?? []) + decoded(pictures["p-kcc-below.jpg"] ?? [])
        #expect(try decoded(file) == parts)
        #expect(try await samples.read().raster.samples == parts)
        let header = try #require(PictureHeader(file))
        #expect(header.joinKey == jpeg.joinKey && header.grid == jpeg.grid && header.size == jpeg.size)
    }

    @Test func pngsBecomeOnePage() async throws {
        let sizes = [upper, lower]
        let rasters = sizes.enumerated().map { index, size in
            Raster(
                size: size, format: .gray(bits: 8),
                samples: (0..<size.area).map { UInt8(truncatingIfNeeded: $0 * (index + 3)) })
        }
        let names = ["a.png", "b.png"]
        try book(page(names), Dictionary(uniqueKeysWithValues: zip(names, rasters.map(PNGWriter.encode))))
        let outcome = try BuiltJisui.run(["book.epub", "-o", "out/", "--verbose"], in: scratch.path)
        #expect(outcome.status == 0 && outcome.errorText.contains("its images, one below the other, became one page"))
        // A note is no reason for the exit status of warnings.
        let info = try BuiltJisui.run(["info", "book.epub", "--check"], in: scratch.path)
        #expect(info.status == 0 && info.errorText.contains("became one page"))
        #expect(!info.outputText.contains("but there are warnings"))
        let name = try #require(try FolderListing.names(in: scratch("out")).first { $0.hasSuffix(".png") })
        let file = try scratch.read("out/\(name)")
        #expect(try decoded(file, .png) == rasters.flatMap(\.samples))
    }

    /// What may be two pages, or could only be joined with losses, stays as it is, and is told.
    @Test(arguments: ["flowing", "frame", "moved", "off grid", "other tables", "swapped", "distorted"])
    func othersStayPagesOfTheirOwn(_ case: String) async throws {
        var pictures = try jpegs()
        var names = ["p-1.jpg", "p-2.jpg"]
        var text = page(names)
        switch `case` {
        case "frame": text = page(names, frame: "width=60, height=120")
        case "moved": text = page(names, style: "position: absolute")
        case "off grid":
            pictures = try jpegs(PixelSize(width: 60, height: 45))
            text = page(names, frame: "width=60, height=76", sizes: [PixelSize(width: 60, height: 45), lower])
        case "other tables":
            let writer = try JPEGWriter(size: lower, format: .gray(bits: 8), fidelity: .quality(50))
            try writer.write([UInt8](repeating: 9, count: lower.area))
            pictures["p-kcc-below.jpg"] = try writer.finish()
        case "swapped":
            names = ["p-kcc-below.jpg", "p-kcc-above.jpg"]
            text = page(names, frame: nil)
        case "distorted":
            text = page(names, sizes: [PixelSize(width: 60, height: 40), PixelSize(width: 60, height: 39)])
        default: break
        }
        if `case` != "swapped" {
            pictures = ["p-1.jpg": pictures["p-kcc-above.jpg"] ?? [], "p-2.jpg": pictures["p-kcc-below.jpg"] ?? []]
        }
        try book(text, pictures, isFixed: `case` != "flowing")
        let opened = try await open()
        #expect(opened.sequence.pages.count == 3 && opened.warnings.map(\.code) == ["images-separated"])
        for page in opened.sequence.pages { _ = try await page.examine() }
    }

    /// The part that is there stays, and the other one is told of.
    @Test func aBrokenPartDoesNotCostTheOther() throws {
        var pictures = try jpegs()
        let count = pictures["p-kcc-below.jpg"]?.count ?? 0
        pictures["p-kcc-below.jpg"]?.removeLast(count / 2)
        try book(page(), pictures)
        let outcome = try BuiltJisui.run(["book.epub", "-o", "out/"], in: scratch.path)
        #expect(outcome.status == 3)
        let names = try #require(try? FolderListing.names(in: scratch("out")), "\(outcome.errorText)")
        #expect(!names.isEmpty, "\(outcome.errorText)")
    }
}
