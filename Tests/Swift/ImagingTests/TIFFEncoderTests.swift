import CTIFF
import Imaging
import PageModel
import Scratch
import Testing

@Suite struct TIFFEncoderTests {
    @Test(arguments: RasterFramingTests.formats)
    func everySampleRoundTrips(_ format: PixelFormat) throws {
        for size in PNGWriterTests.sizes + [PixelSize(width: 203, height: 170)] {
            let grid = PNGWriterTests.Motif.noise.grid(format, size)
            let file = try TIFFEncoder.encode(grid.raster(padding: 1))
            let tiff = try TIFFReader(file)
            #expect(tiff[TIFFTAG_IMAGEWIDTH] == size.width && tiff[TIFFTAG_IMAGELENGTH] == size.height)
            #expect(tiff[TIFFTAG_BITSPERSAMPLE] == format.bitsPerSample)
            #expect(tiff[TIFFTAG_SAMPLESPERPIXEL] == format.bitsPerPixel / format.bitsPerSample)
            #expect(tiff.extraSamples == (format.hasAlpha ? [UInt16(EXTRASAMPLE_UNASSALPHA)] : []))
            var samples = tiff.samples
            if tiff[TIFFTAG_PHOTOMETRIC] == Int(PHOTOMETRIC_MINISWHITE) { samples = samples.map { ~$0 } }
            #expect(PixelGrid(Raster(size: size, format: format, samples: samples)) == grid, "\(size)")
            if case .palette(_, let colors) = format { #expect(tiff.colors == colors) }
            #expect(tiff.resolution == nil && tiff.profile == nil)
            // Neither the padding bits nor the time matters.
            #expect(try TIFFEncoder.encode(grid.raster(padding: 0)) == file)
            #expect(PictureHeader(file)?.size == size)
        }
    }

    @Test func compressionsFitTheSamples() throws {
        func tags(_ format: PixelFormat) throws -> [Int?] {
            let raster = PNGWriterTests.Motif.plane.grid(format, PixelSize(width: 30, height: 20)).raster()
            let tiff = try TIFFReader(try TIFFEncoder.encode(raster))
            return [tiff[TIFFTAG_COMPRESSION], tiff[TIFFTAG_PHOTOMETRIC], tiff[TIFFTAG_PREDICTOR] ?? 1]
        }
        #expect(try tags(.gray(bits: 1)) == [4, 0, 1])
        #expect(try tags(.gray(bits: 4)) == [8, 1, 1])
        #expect(try tags(.gray(bits: 8)) == [8, 1, 2])
        #expect(try tags(.rgba(bits: 16)) == [8, 2, 2])
        #expect(try tags(RasterFramingTests.palette(8)) == [8, 3, 1])
        #expect(try tags(RasterFramingTests.palette(1)) == [8, 3, 1])
    }

    @Test func resolutionAndProfileAreWritten() throws {
        let profile = (0..<3000).map { UInt8(truncatingIfNeeded: $0) }
        let raster = PixelGrid(.gray(bits: 8), [[1, 2]]).raster(
            resolution: Resolution(horizontal: 300, vertical: 151.5), iccProfile: profile)
        let tiff = try TIFFReader(try TIFFEncoder.encode(raster))
        #expect(tiff.resolution == Resolution(horizontal: 300, vertical: 151.5))
        #expect(tiff[TIFFTAG_RESOLUTIONUNIT] == 2)
        #expect(tiff.profile == profile)
        for value in [0, -1, .infinity, .nan] as [Double] {
            let impossible = PixelGrid(.gray(bits: 8), [[1]]).raster(resolution: Resolution(value))
            #expect(try TIFFReader(try TIFFEncoder.encode(impossible)).resolution == nil)
        }
    }

    @Test func stripsAreAbout256KB() throws {
        let size = PixelSize(width: 1000, height: 1000)
        let raster = Raster(size: size, format: .rgb(bits: 8), samples: [UInt8](repeating: 200, count: 3_000_000))
        let tiff = try TIFFReader(try TIFFEncoder.encode(raster))
        #expect(tiff[TIFFTAG_ROWSPERSTRIP] == 87 && tiff.strips == 12)
        #expect(tiff.samples == raster.samples)
        // A white page of fax is nearly nothing.
        let page = Raster(
            size: PixelSize(width: 2480, height: 3508), format: .gray(bits: 1),
            samples: [UInt8](repeating: 255, count: 310 * 3508))
        #expect(try TIFFEncoder.encode(page).count < 2000)
    }
}
