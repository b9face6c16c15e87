import PageModel
import Testing

@Suite struct EditTests {
    @Test(arguments: [
        (Insets.Length.pixels(3), 10, 4, PixelRect(x: 3, y: 3, width: 4, height: 4)),
        (.percent(10), 20, 10, PixelRect(x: 2, y: 1, width: 16, height: 8)),
        (.percent(0), 5, 5, PixelRect(x: 0, y: 0, width: 5, height: 5)),
    ])
    func insetsLeaveARest(_ length: Insets.Length, _ width: Int, _ height: Int, _ rest: PixelRect) {
        let insets = Insets(top: length, right: length, bottom: length, left: length)
        let size = PixelSize(width: width, height: length == .pixels(3) ? 10 : height)
        #expect(insets.rest(of: size) == rest)
    }

    @Test func insetsThatLeaveNothingAreRejected() {
        let size = PixelSize(width: 10, height: 10)
        for (left, right) in [(5, 5), (11, 0), (0, 10), (-1, 0), (Int.max, 1)] {
            let insets = Insets(top: .pixels(0), right: .pixels(right), bottom: .pixels(0), left: .pixels(left))
            if left == Int.max {
                #expect(Framing(size, edits: [.crop(PixelRect(x: 0, y: 0, width: left, height: 1))]) == nil)
            } else {
                #expect(insets.rest(of: size) == nil, "\(left) and \(right)")
            }
        }
    }

    @Test(arguments: [
        ("100x100", 50, 200, false, 25, 100), ("100x", 50, 200, false, 50, 200), ("100x", 50, 200, true, 100, 400),
        ("x100", 50, 200, false, 25, 100), ("10x10", 3, 1000, false, 1, 10), ("7x7", 7, 7, true, 7, 7),
    ])
    func boxesKeepTheShape(
        _ box: String, _ width: Int, _ height: Int, _ enlarges: Bool, _ toWidth: Int, _ toHeight: Int
    ) {
        let sides = box.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let fit = FitBox(width: sides[0], height: sides[1], enlarges: enlarges)
        #expect(
            fit.size(for: PixelSize(width: width, height: height)) == PixelSize(width: toWidth, height: toHeight))
    }

    /// The eight EXIF orientations, on a picture of 3 by 2: where its top left pixel comes to stand (CIPA DC-008).
    @Test(arguments: [
        (1, [1, 2, 3, 4, 5, 6], 3), (2, [3, 2, 1, 6, 5, 4], 3), (3, [6, 5, 4, 3, 2, 1], 3), (4, [4, 5, 6, 1, 2, 3], 3),
        (5, [1, 4, 2, 5, 3, 6], 2), (6, [4, 1, 5, 2, 6, 3], 2), (7, [6, 3, 5, 2, 4, 1], 2), (8, [3, 6, 2, 5, 1, 4], 2),
    ])
    func orientationsAreThoseOfEXIF(_ value: Int, _ pixels: [Int], _ width: Int) throws {
        let orientation = try #require(Orientation(exif: value))
        let size = PixelSize(width: 3, height: 2)
        #expect(orientation.applied(to: size).width == width)
        var rows = [[1, 2, 3], [4, 5, 6]]
        if orientation.isTransposed { rows = (0..<3).map { x in rows.map { $0[x] } } }
        if orientation.isMirroredAcross { rows = rows.map { $0.reversed() } }
        if orientation.isMirroredDown { rows.reverse() }
        #expect(rows.flatMap { $0 } == pixels)
    }

    @Test func onlyEightOrientationsAreKnown() {
        #expect(Orientation(exif: 0) == nil)
        #expect(Orientation(exif: 9) == nil)
    }

    @Test func fourTurnsChangeNothing() {
        for value in 1...8 {
            guard let orientation = Orientation(exif: value) else { continue }
            #expect(orientation.rotated(quarters: 4) == orientation)
            #expect(orientation.rotated(quarters: 1).rotated(quarters: -1) == orientation)
            #expect(orientation.rotated(quarters: 1) != orientation)
        }
    }

    @Test func colorsAreRead() {
        #expect(RGB("white") == .white)
        #expect(RGB("Black") == .black)
        #expect(RGB("#0a3") == RGB(red: 0, green: 0xAA, blue: 0x33))
        #expect(RGB("#10203F") == RGB(red: 16, green: 32, blue: 63))
        for text in ["", "#", "#12", "#12345", "#1234567", "#xyzxyz", "123456", "#12 45 "] {
            #expect(RGB(text) == nil, "\(text)")
        }
    }
}
