import AdapterKit
import Conversion
import PageModel
import Testing

/// Pages that are made of several.
@Suite struct JoiningTests {
    private static let grid = PixelSize(width: 4, height: 2)

    private static func page(
        _ ways: [Picture.Way], edits: [Edit] = [], partEdits: [Edit] = [], seam: JoinedPicture.Seam = .pad,
        background: RGB = .white, free: Int = 0
    ) -> (Page, Picture) {
        var parts: [JoinedPicture.Part] = []
        for (index, way) in ways.enumerated() {
            let picture = Sample.picture(way)
            let place = PixelRect(x: index * Sample.size.width, y: 0, Sample.size)
            parts.append(
                JoinedPicture.Part(
                    page: Sample.page(index + 1, edits: partEdits, picture), picture: picture, place: place))
        }
        let size = PixelSize(width: ways.count * Sample.size.width + free, height: Sample.size.height)
        let joined = JoinedPicture(size: size, parts: parts, background: background, seam: seam)
        let picture = Picture(size: size, ways: [.joined(joined)])
        return (Sample.page(1, edits: edits, picture), picture)
    }

    private static func plans(_ made: (Page, Picture), wish: EncodingWish = EncodingWish()) throws -> [String] {
        try Planner(displays: [.jpeg, .png], wish: wish).plans(for: made.0, made.1).map {
            "\($0.treatment): \($0.reason) \($0.size.map(String.init(describing:)) ?? "")"
        }
    }

    private static func jpeg(_ likeness: Int? = 1, grid: PixelSize? = grid, repair: String? = nil) -> Picture.Way {
        Sample.encoded(.jpeg, repair: repair, grid: grid, likeness: likeness)
    }

    @Test func JPEGsAlikeAreJoined() throws {
        let pixels = "encoded: the 2 pages' pixels, encoded as JPEG with its own tables"
        #expect(
            try Self.plans(Self.page([Self.jpeg(), Self.jpeg()])) == [
                "lossless: the 2 pages' own coefficients 8x6", "\(pixels) 8x6",
            ])
        #expect(
            try Self.plans(Self.page([Self.jpeg(), Self.jpeg(2)])) == [
                "\(pixels): the JPEGs were not encoded alike 8x6"
            ])
        let fine = PixelSize(width: 8, height: 8)
        let off = [Self.jpeg(grid: fine), Self.jpeg(grid: fine)]
        #expect(
            try Self.plans(Self.page(off)).first
                == "lossless: the 2 pages' own coefficients, 4 px wider than they are 12x6")
        #expect(
            try Self.plans(Self.page(off, seam: .exact)) == [
                "\(pixels): they do not end where the JPEG's grid does 8x6"
            ])
        #expect(
            try Self.plans(Self.page(off), wish: EncodingWish(format: .jpegXL)).first
                == "lossless: the 2 pages' own coefficients, 4 px wider than they are, kept in a JPEG XL 12x6")
    }

    @Test func whatChangesPixelsIsEncodedOnce() throws {
        let fit = Edit.fit(FitBox(width: 4, height: nil))
        let both = [Self.jpeg(), Self.jpeg()]
        #expect(
            try Self.plans(Self.page(both, edits: [fit])) == [
                "encoded: the 2 pages' pixels, scaled, encoded as JPEG with its own tables 4x3"
            ])
        #expect(
            try Self.plans(Self.page(both, partEdits: [.gray])) == [
                "encoded: the 2 pages' pixels, encoded as JPEG with its own tables: page 1 is made gray 8x6"
            ])
        #expect(
            try Self.plans(Self.page(both), wish: EncodingWish(quality: 50)) == [
                "encoded: the 2 pages' pixels, encoded as JPEG at quality 50 8x6"
            ])
        #expect(
            try Self.plans(Self.page(both), wish: EncodingWish(format: .png)) == [
                "lossless: the 2 pages' pixels, stored as PNG 8x6"
            ])
    }

    @Test func otherPicturesKeepWhatTheyHave() throws {
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
                "drawn: the 2 pages' pixels, stored as PNG: page 1 is drawn at 144 pixels per inch 8x6"
            ])
        #expect(
            try Self.plans(Self.page([Self.jpeg()], free: 4)).first == "lossless: the page's own coefficients 8x6")
    }
}
