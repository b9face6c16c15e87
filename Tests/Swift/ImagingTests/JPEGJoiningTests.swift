import Imaging
import PageModel
import Scratch
import Testing

@Suite struct JPEGJoiningTests {
    private typealias Piece = JPEGSurgery.Piece

    private static func decode(_ file: [UInt8]) throws -> Raster { try JPEGSurgeryTests.decode(file) }

    @Test(.needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases)
    func splitPictureIsJoinedAgain(_ sampling: SyntheticJPEG.Sampling) throws {
        var random = SplitMix(seed: 1)
        for _ in 0..<8 {
            let (grid, made) = (sampling.grid, try SyntheticJPEG.random(sampling, using: &random))
            // Up to four pieces: a row and a column of the grid to cut at, or none.
            let x = Int.random(in: 0...(made.size.width - 1) / grid.width, using: &random) * grid.width
            let y = Int.random(in: 0...(made.size.height - 1) / grid.height, using: &random) * grid.height
            var pieces: [Piece] = []
            for (top, bottom) in [(0, y), (y, made.size.height)] where top < bottom {
                for (left, right) in [(0, x), (x, made.size.width)] where left < right {
                    let rect = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
                    // Half of them as files of their own.
                    let framing = Framing(made.size).keeping(rect)
                    if Bool.random(using: &random) {
                        pieces.append(Piece(file: made.file, framing: framing, x: left, y: top))
                    } else {
                        let cut = try JPEGSurgery.cut(made.file, to: framing).file
                        pieces.append(Piece(file: cut, framing: Framing(rect.size), x: left, y: top))
                    }
                }
            }
            let joined = try JPEGSurgery.compose(pieces, size: made.size)
            // A picture that stays in one piece keeps its tables where it can.
            let keepsTables = pieces.count == 1 && made.hasStandardTables
            let options = (keepsTables ? "" : "-optimize ") + (made.isProgressive ? "-progressive" : "")
            let wanted = try ReferenceTool.output("jpegtran -copy all \(options) in > out", made.file, as: "")
            #expect(joined.file == wanted, "\(made) \(x) \(y)")
            #expect(joined.diagnostic == nil)
        }
    }

    @Test(.needs("cjpeg"), arguments: SyntheticJPEG.Sampling.allCases, [true, false])
    func differentPicturesAreJoined(_ sampling: SyntheticJPEG.Sampling, _ isVertical: Bool) throws {
        var random = SplitMix(seed: 2)
        for _ in 0..<10 {
            let grid = sampling.grid
            let quality = Int.random(in: 20...100, using: &random)
            func aligned(_ unit: Int) -> Int { unit * Int.random(in: 1...3, using: &random) }
            func any() -> Int { Int.random(in: 1...60, using: &random) }
            // The first ends on the grid; the second, the larger one across, where the result does.
            let sizes: [PixelSize]
            let size: PixelSize
            let gap: Int
            if isVertical {
                let first = PixelSize(width: aligned(grid.width), height: aligned(grid.height))
                let second = PixelSize(width: first.width + any(), height: any())
                (sizes, gap) = ([first, second], grid.height * Int.random(in: 0...2, using: &random))
                size = PixelSize(width: second.width, height: first.height + gap + second.height)
            } else {
                let first = PixelSize(width: aligned(grid.width), height: aligned(grid.height))
                let second = PixelSize(width: any(), height: first.height + any())
                (sizes, gap) = ([first, second], grid.width * Int.random(in: 0...2, using: &random))
                size = PixelSize(width: first.width + gap + second.width, height: second.height)
            }
            let made = try sizes.map { try SyntheticJPEG.random(sampling, $0, quality: quality, using: &random) }
            let places = [
                PixelRect(x: 0, y: 0, sizes[0]),
                isVertical
                    ? PixelRect(x: 0, y: sizes[0].height + gap, sizes[1])
                    : PixelRect(x: sizes[0].width + gap, y: 0, sizes[1]),
            ]
            let level = UInt8.random(in: 0...255, using: &random)
            let joined = try JPEGSurgery.compose(
                zip(made, places).map { Piece(file: $0.file, framing: Framing($0.size), x: $1.x, y: $1.y) },
                size: size, background: [level])
            let picture = try Self.decode(joined.file)
            #expect(picture.size == size)
            guard sampling.isSpread(atWidth: size.width), sizes.allSatisfy({ sampling.isSpread(atWidth: $0.width) })
            else { continue }
            for (page, place) in zip(made, places) {
                let safe = sampling.safe(PixelRect(x: 0, y: 0, page.size), of: place, in: size)
                let part = picture.framed(Framing(size).keeping(place))
                #expect(part.difference(from: try Self.decode(page.file), in: safe) == 0, "\(page) \(place)")
            }
            // Beside the smaller one and in the gap: gray, as near as the table allows.
            let divisor = Int(try #require(JPEGTables(joined.file)?.luma[0] ?? Self.divisor(of: made[0].file)))
            let background = PixelRect(
                x: isVertical ? sizes[0].width : 0, y: isVertical ? 0 : sizes[0].height,
                width: isVertical ? size.width - sizes[0].width : sizes[0].width,
                height: isVertical ? sizes[0].height : size.height - sizes[0].height)
            #expect(
                Self.distance(picture, sampling.safe(background, of: background, in: size), from: [level])
                    <= divisor / 16 + 1, "\(made) \(level)")
        }
    }

    /// The first luma divisor where `JPEGTables` finds the sampling too odd.
    private static func divisor(of file: [UInt8]) -> UInt16? {
        file.indices.first { file[$0...].starts(with: [0xFF, 0xDB]) }.map { UInt16(file[$0 + 5]) }
    }

    /// The distance of samples from a color.
    private static func distance(_ raster: Raster, _ rect: PixelRect, from color: [UInt8]) -> Int {
        let pixel = raster.format.bitsPerPixel / 8
        var maximum = 0
        for y in rect.y..<max(rect.y, rect.y + rect.height) {
            for index in rect.x * pixel..<max(rect.x, rect.x + rect.width) * pixel {
                let wanted = color[color.count == 1 ? 0 : index % pixel]
                maximum = max(maximum, abs(Int(raster.samples[y * raster.bytesPerRow + index]) - Int(wanted)))
            }
        }
        return maximum
    }

    /// Levels are those of YCbCr (JFIF): of red, say, 76, 85 and 255.
    @Test func theBackgroundHasItsColor() throws {
        let size = PixelSize(width: 16, height: 16)
        let writer = try JPEGWriter(size: size, format: .rgb(bits: 8), fidelity: .quality(100))
        try writer.write([UInt8](repeating: 200, count: 3 * size.area))
        let piece = Piece(file: try writer.finish(), framing: Framing(size), x: 32, y: 32)
        let whole = PixelSize(width: 50, height: 70)
        for (levels, color) in [([76, 85, 255], [254, 0, 0]), ([], [128, 128, 128]), ([29], [29, 29, 29])] {
            let background = levels.isEmpty ? nil : levels.map { UInt8($0) }
            let picture = try Self.decode(
                JPEGSurgery.compose([piece], size: whole, background: background).file)
            let wanted = color.map { UInt8($0) }
            #expect(Self.distance(picture, PixelRect(x: 0, y: 0, width: 50, height: 31), from: wanted) <= 1)
            #expect(Self.distance(picture, PixelRect(x: 49, y: 0, width: 1, height: 70), from: wanted) <= 1)
            #expect(Self.distance(picture, PixelRect(x: 0, y: 49, width: 50, height: 21), from: wanted) <= 1)
            #expect(Self.distance(picture, PixelRect(x: 33, y: 33, width: 14, height: 14), from: [200]) <= 1)
        }
    }

    @Test(.needs("cjpeg")) func incompatibleJPEGsAreNotJoined() throws {
        var random = SplitMix(seed: 3)
        let size = PixelSize(width: 32, height: 32)
        func jpeg(_ options: String) throws -> [UInt8] {
            let pixels = SyntheticJPEG.slopes(size, .rgb(bits: 8), &random)
            return try ReferenceTool.output(
                "cjpeg \(options) -outfile out in", Array("P6 32 32 255\n".utf8) + pixels, as: "")
        }
        func join(_ one: [UInt8], _ other: [UInt8], _ orientation: Orientation = .upright) throws -> [UInt8] {
            let pieces = [
                Piece(file: one, framing: Framing(size)),
                Piece(file: other, framing: Framing(size, orientation), x: 32),
            ]
            return try JPEGSurgery.compose(pieces, size: PixelSize(width: 64, height: 32)).file
        }
        let plain = try jpeg("-quality 80 -sample 2x2")
        #expect(throws: Never.self) { try join(plain, try jpeg("-quality 80 -sample 2x2 -progressive -restart 1B")) }
        for other in [
            "-quality 81 -sample 2x2", "-quality 80,81 -sample 2x2", "-quality 80 -sample 1x1",
            "-quality 80 -sample 2x1", "-quality 80 -grayscale",
        ] {
            let file = try jpeg(other)
            #expect(throws: PictureFault.self, "\(other)") { try join(plain, file) }
            #expect(throws: PictureFault.self, "\(other)") { try join(file, plain) }
        }
        // At this quality both tables are the same: only the meaning of the components differs.
        let (colors, differences) = (try jpeg("-quality 100 -rgb"), try jpeg("-quality 100 -sample 1x1"))
        #expect(throws: PictureFault.self) { try join(colors, differences) }
        #expect(throws: Never.self) { try join(colors, try jpeg("-quality 100 -rgb")) }
        // The usual tables are not the same when transposed; a mirrored picture keeps its own.
        #expect(throws: PictureFault.self) { try join(plain, plain, try #require(Orientation(exif: 5))) }
        #expect(throws: Never.self) { try join(plain, plain, try #require(Orientation(exif: 3))) }
        // Data that is not a JPEG, or empty.
        #expect(throws: PictureFault.self) { try join(plain, Array("GIF89a".utf8)) }
        #expect(throws: PictureFault.self) { try join(plain, []) }
        #expect(throws: PictureFault.self) { try JPEGSurgery.compose([], size: size) }
    }

    /// Wrong places computed by a caller must not cause writes outside the picture.
    @Test func placesOutsideThePictureOrGridAreRejected() throws {
        let size = PixelSize(width: 40, height: 40)
        let writer = try JPEGWriter(size: size, format: .rgb(bits: 8), fidelity: .quality(80))
        try writer.write([UInt8](repeating: 90, count: 3 * size.area))
        let file = try writer.finish()
        for (x, y) in [(-16, 0), (0, -16), (8, 0), (0, 8), (48, 0), (0, 48), (160_000, 0), (0, 160_000)] {
            #expect(throws: PictureFault.self, "\(x) \(y)") {
                try JPEGSurgery.compose([Piece(file: file, framing: Framing(size), x: x, y: y)], size: size)
            }
        }
        for rect in [
            PixelRect(x: -16, y: 0, width: 16, height: 16), PixelRect(x: 0, y: -16, width: 16, height: 16),
            PixelRect(x: 1, y: 0, width: 16, height: 16), PixelRect(x: 0, y: 15, width: 16, height: 16),
            PixelRect(x: 0, y: 0, width: 41, height: 16), PixelRect(x: 32, y: 32, width: 8, height: 9),
            PixelRect(x: 0, y: 0, width: 0, height: 16), PixelRect(x: 0, y: 0, width: 16, height: 0),
        ] {
            #expect(throws: PictureFault.self, "\(rect)") {
                try JPEGSurgery.cut(file, to: Framing(size).keeping(rect))
            }
        }
        // A piece that extends beyond the result's end is cut off there.
        let piece = Piece(file: file, framing: Framing(size), x: 16, y: 32)
        #expect(try Self.decode(JPEGSurgery.compose([piece], size: size).file).size == size)
    }

    /// After a piece that ends within an MCU, the rest of that MCU would come from the piece's data, or from the area
    /// below it.
    @Test func aPieceThatEndsInsideTheResultEndsOnTheGrid() throws {
        let size = PixelSize(width: 40, height: 40)
        let writer = try JPEGWriter(size: size, format: .rgb(bits: 8), fidelity: .quality(80))
        try writer.write([UInt8](repeating: 90, count: 3 * size.area))
        let file = try writer.finish()
        func joined(_ rect: PixelRect, x: Int = 0, y: Int = 0, in whole: PixelSize) throws -> PixelSize {
            let piece = Piece(file: file, framing: Framing(size).keeping(rect), x: x, y: y)
            return try Self.decode(JPEGSurgery.compose([piece], size: whole).file).size
        }
        let rect = PixelRect(x: 0, y: 0, size)
        for whole in [PixelSize(width: 41, height: 40), PixelSize(width: 40, height: 41)] {
            #expect(throws: PictureFault.self, "\(whole)") { try joined(rect, in: whole) }
        }
        for (x, y) in [(16, 0), (0, 16)] {
            let whole = PixelSize(width: 48, height: 48)
            #expect(throws: PictureFault.self, "\(x) \(y)") { try joined(rect, x: x, y: y, in: whole) }
            let part = PixelRect(x: 0, y: 0, width: 24, height: 24)
            #expect(throws: PictureFault.self, "\(x) \(y)") { try joined(part, x: x, y: y, in: whole) }
        }
        for whole in [size, PixelSize(width: 16, height: 40), PixelSize(width: 39, height: 9)] {
            #expect(try joined(rect, in: whole) == whole)
        }
        let part = PixelRect(x: 0, y: 0, width: 32, height: 16)
        #expect(try joined(part, x: 16, y: 16, in: PixelSize(width: 90, height: 50)).area == 4500)
    }
}

extension SyntheticJPEG.Sampling {
    /// The part of `rect` that neighbors cannot have changed: those of `place` on a picture of this size.
    fileprivate func safe(_ rect: PixelRect, of place: PixelRect, in size: PixelSize) -> PixelRect {
        let left = place.x > 0 ? seam.width : 0
        let top = place.y > 0 ? seam.height : 0
        let right = place.x + place.width < size.width ? seam.width : 0
        let bottom = place.y + place.height < size.height ? seam.height : 0
        return PixelRect(
            x: rect.x + left, y: rect.y + top, width: rect.width - left - right, height: rect.height - top - bottom)
    }
}
