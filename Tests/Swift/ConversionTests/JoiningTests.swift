import AdapterKit
import Conversion
import PageModel
import Planning
import Testing
@testable import Audit

/// Pages that are made of several.
@Suite struct JoiningTests {
    private static let grid = PixelSize(width: 4, height: 2)

    private static func page(
        _ representations: [Picture.Representation], edits: [PageEdit] = [], partEdits: [PageEdit] = [],
        seam: JoinedPicture.Seam = .pad,
        background: RGB = .white, free: Int = 0
    ) -> (Page, Picture) {
        var parts: [JoinedPicture.Part] = []
        for (index, representation) in representations.enumerated() {
            let picture = Sample.picture(representation)
            let place = PixelRect(x: index * Sample.size.width, y: 0, Sample.size)
            parts.append(
                JoinedPicture.Part(
                    page: Sample.page(index + 1, edits: partEdits, picture), picture: picture, place: place))
        }
        let size = PixelSize(width: representations.count * Sample.size.width + free, height: Sample.size.height)
        let joined = JoinedPicture(size: size, parts: parts, background: background, seam: seam)
        let picture = Picture(size: size, representations: [.joined(joined)])
        return (Sample.page(1, edits: edits, picture), picture)
    }

    private static func plans(_ made: (Page, Picture), request: EncodingRequest = EncodingRequest()) throws -> [String]
    {
        try Planner(SinkCapabilities(formats: [.jpeg, .png]), request).plans(for: made.0, made.1).map {
            "\($0.treatment.rawValue): \($0.reason.message.english) \($0.size.map(String.init(describing:)) ?? "")"
        }
    }

    private static func jpeg(
        _ joinKey: JoinKey? = JoinKey(rawValue: "1"), grid: PixelSize? = grid, repair: Message? = nil
    )
        -> Picture.Representation
    {
        Sample.encoded(.jpeg, repair: repair, grid: grid, joinKey: joinKey)
    }

    /// Pages of documents are put side by side as they are, where the output copies such.
    @Test func pagesOfDocumentsAreCopiedOntoOne() throws {
        func page(
            _ format: String, _ shown: Picture.Representation = Self.jpeg(), edits: [PageEdit] = [],
            partEdits: [PageEdit] = []
        ) throws -> (Page, Picture) {
            let (page, picture) = Self.page([shown, shown], edits: edits, partEdits: partEdits)
            guard case .joined(var joined)? = picture.representations.first else { throw Sample.damage }
            for index in joined.parts.indices {
                joined.parts[index].picture.document = DocumentPage(
                    format: index == 0 ? "pdf" : format, path: "/x", index: index, width: 4, height: 6)
            }
            return (page, Picture(size: picture.size, representations: [.joined(joined)]))
        }
        var able = SinkCapabilities(
            formats: [.jpeg, .png], showsParts: true, rotationSupport: .quarterTurns, laysPagesTogether: true)
        able.documents = ["pdf"]
        func plans(_ made: (Page, Picture)) throws -> [String] {
            try Planner(able).plans(for: made.0, made.1).map {
                "\($0.treatment.rawValue): \($0.reason.message.english)"
            }
        }
        #expect(try plans(page("pdf")) == ["verbatim: 2 pages of the PDF copied whole onto one"])
        // Each page in its own way.
        #expect(try plans(page("djvu")) == ["verbatim: 2 pages laid side by side on one"])
        for (edits, partEdits) in [([PageEdit.gray], []), ([], [PageEdit.gray])] {
            // Scans get new pixels, and drawings do not.
            let scans = try plans(page("pdf", edits: edits, partEdits: partEdits))
            #expect(scans[0].hasPrefix("encoded: 2 pages laid side by side on one"), "\(scans)")
            let drawn = try page("pdf", Sample.drawn(), edits: edits, partEdits: partEdits)
            let error = #expect(throws: AdapterError.self) { try plans(drawn) }
            #expect(error?.code == .usage && error?.message.english.contains("cannot be made gray") == true)
        }
    }

    /// An operation that proved needless neither prevents nor changes the way of pages next to each other.
    @Test func omittedOperationsDoNotKeepPagesTogether() async throws {
        let operation = OptionalChange()
        #expect(operation.omit() == nil && operation.omission.isOmitted)
        let able = SinkCapabilities(
            formats: [.jpeg, .png], showsParts: true, rotationSupport: .quarterTurns, laysPagesTogether: true)
        func plans(_ edits: [PageEdit]) throws -> [String] {
            let (page, picture) = Self.page([Sample.sampled(), Sample.sampled()], edits: edits)
            return try Planner(able).plans(for: page, picture).map(\.reason.message.english)
        }
        #expect(try plans([.change(operation), .gray]) == plans([.gray]))

        var page = Self.merged([Sample.sampled(), Sample.sampled()])
        page.edits = [.change(operation)]
        let sink = FakeSink(SinkCapabilities(formats: [.jpeg, .png], showsSpreads: true))
        let report = try await Stage(FakeSource([page]), sink: sink).run()
        #expect(report.pages.map(\.source) == ["page 1", "page 2"])
    }

    @Test func JPEGsAlikeAreJoined() throws {
        let pixels = "encoded: the 2 pages' pixels, encoded as JPEG with its original quantization tables"
        #expect(
            try Self.plans(Self.page([Self.jpeg(), Self.jpeg()])) == [
                "lossless: the 2 pages' own coefficients 8x6", "\(pixels) 8x6",
            ])
        #expect(
            try Self.plans(Self.page([Self.jpeg(), Self.jpeg(JoinKey(rawValue: "2"))])) == [
                "\(pixels): the JPEGs were not encoded alike 8x6"
            ])
        #expect(
            try Self.plans(
                Self.page([
                    Self.jpeg(JoinKey(coding: "1", profile: "a")), Self.jpeg(JoinKey(coding: "1", profile: "b")),
                ])) == ["\(pixels): the JPEGs have different color profiles 8x6"])
        let fine = PixelSize(width: 8, height: 8)
        let off = [Self.jpeg(grid: fine), Self.jpeg(grid: fine)]
        #expect(
            try Self.plans(Self.page(off)).first
                == "lossless: the 2 pages' own coefficients, 4 px wider than they are 12x6")
        #expect(
            try Self.plans(Self.page(off, seam: .exact)) == [
                "\(pixels): the pages do not end where the JPEG's grid does 8x6"
            ])
        #expect(
            try Self.plans(Self.page(off), request: EncodingRequest(format: .jpegXL)).first
                == "lossless: the 2 pages' own coefficients, 4 px wider than they are, kept in a JPEG XL 12x6")
    }

    @Test func joinedPagesWithChangedPixelsAreEncodedOnce() throws {
        let fit = PageEdit.fit(FitBox(width: 4, height: nil))
        let both = [Self.jpeg(), Self.jpeg()]
        #expect(
            try Self.plans(Self.page(both, edits: [fit])) == [
                "encoded: the 2 pages' pixels, scaled, encoded as JPEG with its original quantization tables 4x3"
            ])
        #expect(
            try Self.plans(Self.page(both, partEdits: [.gray])) == [
                "encoded: the 2 pages' pixels, encoded as JPEG with its original quantization tables: page 1 is made gray 8x6"
            ])
        #expect(
            try Self.plans(Self.page(both), request: EncodingRequest(quality: 50)) == [
                "encoded: the 2 pages' pixels, encoded as JPEG at quality 50 8x6",
                "lossless: the 2 pages' own coefficients: as JPEG it would be no better 8x6",
            ])
        #expect(
            try Self.plans(Self.page(both), request: EncodingRequest(format: .png)) == [
                "lossless: the 2 pages' pixels, stored as PNG 8x6"
            ])
    }

    @Test func otherPicturesKeepTheirPixels() throws {
        #expect(
            try Self.plans(Self.page([Sample.sampled(), Sample.sampled()])) == [
                "lossless: the 2 pages' pixels, stored as PNG: page 1 is stored as CCITT G4, not as JPEG 8x6"
            ])
        #expect(
            try Self.plans(Self.page([Self.jpeg(), Sample.sampled()])) == [
                "lossless: the 2 pages' pixels, stored as PNG: page 2 is stored as CCITT G4, not as JPEG 8x6"
            ])
        #expect(
            try Self.plans(Self.page([Sample.drawn(), Sample.sampled()])) == [
                "rendered: the 2 pages' pixels, stored as PNG: page 1 is rendered at 144 pixels per inch 8x6"
            ])
        #expect(
            try Self.plans(Self.page([Self.jpeg()], free: 4)).first == "lossless: the page's own coefficients 8x6")
    }

    private static func merged(_ representations: [Picture.Representation]) -> Page {
        var (page, _) = Self.page(representations)
        page.parts = representations.enumerated().map { Sample.page($0.offset + 1, Sample.picture($0.element)) }
        return page
    }

    /// Pages that cannot be one stay single: none is lost because of another.
    @Test func aDamagedPageCostsTheOtherNothing() async throws {
        let sound = try Stage(FakeSource([Self.merged([Sample.sampled(), Sample.sampled()])]))
        let one = try await sound.run()
        #expect(one.pages.map(\.size) == [PixelSize(width: 8, height: 6)] && one.warnings.isEmpty)
        #expect(one.pages[0].parts.map(\.source) == ["page 1", "page 2"])
        #expect(sound.sink.memory.now.pageCount == 2)

        let broken = try Stage(FakeSource([Self.merged([Sample.sampled(error: Sample.damage), Sample.sampled()])]))
        let report = try await broken.run()
        #expect(report.pages.map(\.source) == ["page 2"])
        #expect(report.warnings.map(\.explanation) == ["page 1: skipped: its data ends too early"])
    }

    @Test func pagesThatStaySingleAreChangedAllTheSame() async throws {
        var stage = try Stage(
            FakeSource([Self.merged([Sample.sampled(error: Sample.damage), Sample.sampled()])]))
        stage.edits = [.fit(FitBox(width: 2, height: nil))]
        #expect(try await stage.run().pages.map(\.size) == [PixelSize(width: 2, height: 3)])
    }

    @Test func pagesTooLargeTogetherAreNotMerged() async throws {
        for isDryRun in [true, false] {
            var stage = try Stage(FakeSource([Self.merged([Sample.sampled(), Sample.sampled()])]))
            stage.job.limits.pixels = 40
            stage.job.isDryRun = isDryRun
            let report = try await stage.run()
            #expect(report.pages.map(\.source) == ["page 1", "page 2"])
            #expect(
                report.warnings.map(\.explanation) == [
                    "page 1: not merged: the image has 8x6 pixels, more than the 40 allowed"
                ])
        }
    }
}
