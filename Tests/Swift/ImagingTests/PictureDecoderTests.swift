import Imaging
import PageModel
import Scratch
import Testing

@Suite struct PictureDecoderTests {
    /// Other files of the same formats, for tests that do not depend on their content.
    static let others = [
        "animated.png", "baseline.jpg", "big.tif", "bitfields.bmp", "boxed.jxl", "cmyk.jpg", "codestream.j2k",
        "codestream.jxl", "extended.webp", "fax.tif", "gray.jp2", "gray.png", "grid.avif", "hevc.heif", "lossless.webp",
        "lossy.webp", "orientation-6.jpg", "progressive-icc.jpg", "single.avif", "still.gif", "top-down.bmp",
    ]
    static let names = others + SyntheticPicture.all.map { "made/\($0.name)" }

    private static func decode(_ file: [UInt8], _ encoding: ImageEncoding, maximumPixels: Int = 100_000) throws
        -> DecodedImage
    {
        try PictureDecoder.decode(file, encoding, maximumPixels: maximumPixels)
    }

    @Test func everyFormatIsThere() throws {
        let encodings = try Set(SyntheticPicture.all.map { try $0.encoding })
        // HEIF is among the others: nothing at hand writes it.
        #expect(encodings == Set(ImageEncoding.known).subtracting([.heif]))
        #expect(SyntheticPicture.all.count > 80)
    }

    /// Depth, palette, alpha and every sample.
    @Test(arguments: SyntheticPicture.all)
    func encodedPicturesAreDecoded(_ picture: SyntheticPicture) throws {
        let file = try picture.bytes()
        let drawing = try Self.decode(file, picture.encoding)
        #expect(drawing.diagnostics == [])
        #expect(drawing.raster.size == picture.size)
        #expect(drawing.raster.format == picture.format)
        if let reference = picture.reference {
            let other = try PNGReader(Fixture.bytes("made/\(reference)")).raster
            try #require(other.format == drawing.raster.format)
            let farthest = zip(other.samples, drawing.raster.samples).map { abs(Int($0) - Int($1)) }.max()
            #expect(try #require(farthest) <= picture.tolerance)
        } else {
            #expect(SyntheticPicture.checksum(of: drawing.raster) == picture.checksum)
        }
    }

    /// A truncated picture is rejected or reported, unless only parts without effect on its pixels are missing.
    @Test(arguments: names)
    func truncatedPicturesAreReportedUnlessComplete(_ name: String) throws {
        let file = try Fixture.bytes(name)
        let encoding = try #require(PictureHeader(file)).encoding
        let whole = try Self.decode(file, encoding).raster
        for count in 0..<file.count {
            guard let drawing = try? Self.decode(Array(file.prefix(count)), encoding),
                drawing.diagnostics.isEmpty
            else { continue }
            #expect(drawing.raster.format == whole.format && drawing.raster.samples == whole.samples, "\(count) bytes")
            #expect(drawing.raster.iccProfile == whole.iccProfile, "\(count) bytes")
        }
    }

    @Test(arguments: names)
    func damageDoesNotTrap(_ name: String) throws {
        let file = try Fixture.bytes(name)
        let encoding = try #require(PictureHeader(file)).encoding
        var random = SplitMix(seed: 11)
        for _ in 0..<100 {
            var copy = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                copy[Int.random(in: 0..<file.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            }
            do {
                #expect(try Self.decode(copy, encoding).raster.size.area <= 100_000)
            } catch {
                #expect((error as? PictureFault)?.message.isEmpty == false, "\(error)")
            }
        }
    }

    @Test(arguments: names)
    func theLimitIsExact(_ name: String) throws {
        let file = try Fixture.bytes(name)
        let header = try #require(PictureHeader(file))
        let area = try #require(header.size).area
        #expect(try Self.decode(file, header.encoding, maximumPixels: area).raster.size.area == area)
        #expect(throws: PictureFault.self) { try Self.decode(file, header.encoding, maximumPixels: area - 1) }
    }

    /// The C libraries are used by several tasks at once.
    @Test func manyDecodeAtOnce() async throws {
        let wholes = try SyntheticPicture.all.map { try Self.decode($0.bytes(), $0.encoding).raster }
        await withTaskGroup(of: Bool.self) { group in
            for (picture, whole) in zip(SyntheticPicture.all, wholes) {
                for _ in 0..<4 {
                    group.addTask {
                        (try? Self.decode(picture.bytes(), picture.encoding).raster) == whole
                    }
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    /// The size in the header matches the decoded size.
    @Test(arguments: names)
    func headerSizeMatchesTheDecodedSize(_ name: String) throws {
        let file = try Fixture.bytes(name)
        let header = try #require(PictureHeader(file))
        #expect(try Self.decode(file, header.encoding).raster.size == header.size)
    }

    @Test(arguments: ImageEncoding.known)
    func otherDataAreRefused(_ encoding: ImageEncoding) {
        for file in [[], [0], [UInt8]("a text about images".utf8), [UInt8](repeating: 0, count: 1000)] {
            #expect(throws: PictureFault.self) { try Self.decode(file, encoding) }
        }
    }

    @Test func faultsAreHalfSentences() throws {
        func fault(_ name: String, _ count: Int) throws -> Message? {
            let file = try Fixture.bytes(name)
            let encoding = try #require(PictureHeader(file)).encoding
            do {
                _ = try PictureDecoder.decode(Array(file.prefix(count)), encoding, maximumPixels: 100_000)
                return nil
            } catch { return error.message }
        }
        #expect(try fault("made/rgb-8.png", 60) == "the PNG ends too early")
        #expect(try fault("made/palette-8.gif", 900) == "the GIF ends too early")
        #expect(try fault("made/rgb-24.bmp", 200) == "the BMP ends too early")
        #expect(try fault("made/rgb.webp", 100) == "the WebP ends too early")
        #expect(try fault("made/rgb-8.tif", 100) == "the TIFF ends too early")
        #expect(try fault("made/rgb.avif", 350) == "the AVIF ends too early")
        #expect(try fault("made/rgb-8.jxl", 60) == "the JPEG XL ends too early")
        #expect(try fault("made/rgb.jp2", 100) == "the JPEG 2000 ends too early")
    }

    @Test func resolutionAndProfileAreKept() throws {
        let profile = try Fixture.bytes("made/wide.icc")
        let png = try Self.decode(Fixture.bytes("made/profile-resolution.png"), .png).raster
        #expect(png.iccProfile == profile)
        let resolution = try #require(png.resolution)
        #expect(abs(resolution.horizontal - 300) < 0.02 && abs(resolution.vertical - 150) < 0.02)
        let tiff = try Self.decode(Fixture.bytes("made/orientation-6.tif"), .tiff).raster
        #expect(tiff.iccProfile == profile)
        #expect(tiff.resolution == Resolution(horizontal: 300, vertical: 150))
        #expect(try Self.decode(Fixture.bytes("made/orientation-6.webp"), .webp).raster.iccProfile == profile)
        let bmp = try #require(try Self.decode(Fixture.bytes("made/rgb-24.bmp"), .bmp).raster.resolution)
        #expect(abs(bmp.horizontal - 300) < 0.02)
        // The colors are converted, so that the profile is of no use any more.
        #expect(try Self.decode(Fixture.bytes("made/cmyk-profile.jpg"), .jpeg).raster.iccProfile == nil)
    }

    /// All rows are there, but the last chunk is not.
    @Test func aLateFaultOfAPNGIsADiagnostic() throws {
        let file = try Fixture.bytes("made/rgb-8.png")
        let drawing = try Self.decode(file.dropLast(), .png)
        #expect(drawing.diagnostics == ["the PNG ends too early"])
        #expect(drawing.raster.samples == (try Self.decode(file, .png)).raster.samples)
    }

    /// libtiff lets any number of bits pass.
    @Test(arguments: 0...64)
    func samplesOfAnyNumberOfBitsDoNotTrap(_ bits: UInt8) throws {
        var decoded = 0
        for name in ["gray-8.tif", "palette-8.tif", "gray-alpha-8.tif", "rgb-8.tif", "rgb-8-planar.tif", "cmyk-8.tif"] {
            let file = try Fixture.bytes("made/\(name)")
            let count = name.contains("rgb") ? 3 : name == "cmyk-8.tif" ? 4 : name == "gray-alpha-8.tif" ? 2 : 1
            let tag: [UInt8] = [2, 1, 3, 0, UInt8(count), 0, 0, 0]
            let place = try #require(file.firstRange(of: tag)).upperBound
            let values =
                count <= 2 ? place : Int(file[place]) | Int(file[place + 1]) << 8 | Int(file[place + 2]) << 16
            var copy = file
            for index in 0..<count { copy[values + 2 * index] = bits }
            do {
                let image = try Self.decode(copy, .tiff)
                decoded += 1
                #expect(image.raster.size.area == 13 * 11)
                if bits == 8 { #expect(image.raster.samples == (try Self.decode(file, .tiff)).raster.samples) }
            } catch {
                #expect((error as? PictureFault)?.message.isEmpty == false, "\(name): \(error)")
            }
        }
        if bits == 8 { #expect(decoded == 6) }
    }

    /// If one strip is lost, the other strips remain.
    @Test func aTIFFWithoutAStripIsMostlyThere() throws {
        let file = try Fixture.bytes("made/rgb-8.tif")
        let whole = try Self.decode(file, .tiff).raster
        // The offset of the second of three strips, far beyond the end.
        let offset = 8 + 4 * 13 * 3
        let place = try #require(file.firstRange(of: [UInt8(offset), 0, 0, 0] as [UInt8])?.lowerBound)
        let drawing = try Self.decode(file.patched(at: place, [0, 0, 0, 0x70]), .tiff)
        #expect(drawing.diagnostics.count == 1)
        let row = whole.bytesPerRow
        #expect(drawing.raster.samples[..<(4 * row)] == whole.samples[..<(4 * row)])
        #expect(drawing.raster.samples[(4 * row)..<(8 * row)].allSatisfy { $0 == 255 })
        #expect(drawing.raster.samples[(8 * row)...] == whole.samples[(8 * row)...])
    }
}
