internal import Scratch
internal import Testing

/// The pixels of a PNG or a JPEG as red, green and blue, read without any code of jisui's.
struct PlainPicture {
    struct Unreadable: Error {}

    let width: Int
    let height: Int
    let rgb: [UInt8]

    init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: [0xFF, 0xD8]) else {
            let png = try PNGFile(bytes)
            self.init(width: png.width, height: png.height, rgb: png.rgb)
            return
        }
        let scratch = try ScratchFolder()
        try scratch.write("page.jpg", bytes)
        let outcome = try Program.outcome("djpeg -rgb -pnm -outfile '\(scratch("page.ppm"))' '\(scratch("page.jpg"))'")
        guard outcome.status == 0 else { throw Unreadable() }
        try self.init(ppm: try scratch.read("page.ppm"))
    }

    /// "P6", width, height, 255, one byte of space, samples.
    init(ppm file: [UInt8]) throws {
        let header = file.prefix(40).split(whereSeparator: { $0 == 10 || $0 == 32 }).prefix(4)
        let numbers = header.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard file.starts(with: Array("P6".utf8)), numbers.count == 3, let last = header.last else {
            throw Unreadable()
        }
        (width, height) = (numbers[0], numbers[1])
        rgb = Array(file[(last.endIndex + 1)...])
    }

    private init(width: Int, height: Int, rgb: [UInt8]) {
        (self.width, self.height, self.rgb) = (width, height, rgb)
    }

    /// The picture turned clockwise by a quarter.
    func turned() -> PlainPicture {
        var turned: [UInt8] = []
        turned.reserveCapacity(rgb.count)
        for x in 0..<width {
            for y in (0..<height).reversed() { turned += rgb[3 * (y * width + x)..<3 * (y * width + x + 1)] }
        }
        return PlainPicture(width: height, height: width, rgb: turned)
    }

    /// Whether the picture, turned by any number of quarters, is a part of another one or the whole of it.
    ///
    /// - Parameters:
    ///   - tolerance: by how much the mean sample may differ.
    ///   - isMirrored: whether left and right have changed places.
    func isPart(of other: PlainPicture, tolerance: Double, isMirrored: Bool = false) -> Bool {
        var picture = isMirrored ? mirrored() : self
        for _ in 0..<4 {
            if picture.isUprightPart(of: other, tolerance: tolerance) { return true }
            picture = picture.turned()
        }
        return false
    }

    private func mirrored() -> PlainPicture {
        var mirrored: [UInt8] = []
        mirrored.reserveCapacity(rgb.count)
        for y in 0..<height {
            for x in (0..<width).reversed() { mirrored += rgb[3 * (y * width + x)..<3 * (y * width + x + 1)] }
        }
        return PlainPicture(width: width, height: height, rgb: mirrored)
    }

    private func isUprightPart(of other: PlainPicture, tolerance: Double) -> Bool {
        guard width <= other.width, height <= other.height else { return false }
        return (0...other.height - height).contains { top in
            (0...other.width - width).contains { left in
                let maximum = Int(tolerance * Double(rgb.count))
                var difference = 0
                for y in 0..<height {
                    let (own, theirs) = (3 * y * width, 3 * ((y + top) * other.width + left))
                    for index in 0..<3 * width {
                        difference += abs(Int(rgb[own + index]) - Int(other.rgb[theirs + index]))
                    }
                    if difference > maximum { return false }
                }
                return true
            }
        }
    }

    /// Whether the picture shows what another one shows.
    ///
    /// What is measured is the mean difference of the samples, against that of the page from one of a single color: a
    /// page with a little ink is as strict a judge as a dark one.
    func looksLike(_ other: PlainPicture) -> Bool {
        guard (width, height) == (other.width, other.height), rgb.count == other.rgb.count else { return false }
        let difference = zip(rgb, other.rgb).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(difference) <= 0.05 * Double(other.contrast)
    }

    /// By how much the samples differ from those of the page of one color that is nearest, in sum.
    private var contrast: Int {
        (0..<3).reduce(0) { sum, channel in
            var counts = [Int](repeating: 0, count: 256)
            for index in stride(from: channel, to: rgb.count, by: 3) { counts[Int(rgb[index])] += 1 }
            // The median is nearest to all.
            var (median, seen) = (0, counts[0])
            while 2 * seen < width * height { (median, seen) = (median + 1, seen + counts[median + 1]) }
            return sum + counts.enumerated().reduce(0) { $0 + $1.element * abs($1.offset - median) }
        }
    }
}

/// The judge itself.
@Suite struct PlainPictureTests {
    /// A white page of 100 × 100 pixels with black ones from the corner on.
    private func page(ink: Int) throws -> PlainPicture {
        let samples = [UInt8](repeating: 0, count: 3 * ink) + [UInt8](repeating: 255, count: 3 * (10_000 - ink))
        let file = Array("P6 100 100 255\n".utf8) + samples
        return try PlainPicture(ppm: file)
    }

    @Test func aBlankPageIsNotLikeOneWithLittleInk() throws {
        for ink in [1, 70, 1000] {
            #expect(try !page(ink: 0).looksLike(page(ink: ink)))
            #expect(try !page(ink: ink).looksLike(page(ink: 0)))
            #expect(try page(ink: ink).looksLike(page(ink: ink)))
        }
        #expect(try page(ink: 0).looksLike(page(ink: 0)))
        #expect(try page(ink: 990).looksLike(page(ink: 1000)))
    }

    @Test func partsAreFoundInEveryOrientation() throws {
        let whole = try page(ink: 70)
        #expect(whole.turned().isPart(of: whole, tolerance: 0))
        #expect(try !page(ink: 71).isPart(of: whole, tolerance: 0))
        #expect(try !page(ink: 70).isPart(of: page(ink: 0), tolerance: 0.1))
        let part = try PlainPicture(ppm: Array("P6 2 1 255\n".utf8) + [0, 0, 0, 255, 255, 255])
        #expect(part.isPart(of: whole, tolerance: 0) && part.turned().isPart(of: whole, tolerance: 0))
        #expect(try !part.isPart(of: page(ink: 0), tolerance: 0))
    }
}
