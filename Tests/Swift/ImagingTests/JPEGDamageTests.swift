import Imaging
import PageModel
import Scratch
import Testing

@Suite struct JPEGDamageTests {
    /// A small JPEG of each kind that `JPEGWriter` makes.
    struct Kind: CustomTestStringConvertible, Sendable {
        let format: PixelFormat
        let isProgressive: Bool

        static let all = [PixelFormat.gray(bits: 8), .rgb(bits: 8)].flatMap { format in
            [false, true].map { Kind(format: format, isProgressive: $0) }
        }

        var testDescription: String { "\(format)\(isProgressive ? " progressive" : "")" }

        func file() throws -> [UInt8] {
            var random = SplitMix(seed: 1)
            let size = PixelSize(width: 43, height: 35)
            let writer = try JPEGWriter(
                size: size, format: format, fidelity: .quality(60), isProgressive: isProgressive)
            try writer.write(SyntheticJPEG.slopes(size, format, &random))
            return try writer.finish()
        }
    }

    /// The result of a file in all readers of JPEGs.
    private struct Outcome {
        var drawing: DecodedImage?
        var cut: JPEGSurgery.Result?
        var turned: JPEGSurgery.Result?

        init(_ file: [UInt8]) {
            drawing = try? JPEGDecoder.decode(file, maximumPixels: 1 << 18)
            _ = JPEGTables(file)?.estimatedQuality
            _ = JPEGMetadata.resettingOrientation(of: file)
            // The caller of a cut knows the size; here it must not be one that takes all memory.
            guard let size = JPEGHeader(file)?.size, size.area < 1 << 18 else { return }
            cut = try? JPEGSurgery.cut(file, to: Framing(size))
            turned = try? JPEGSurgery.cut(file, to: Framing(size, Orientation(exif: 5) ?? .upright))
        }
    }

    /// A progressive JPEG of one gray, with as many scans: each takes the time of all its blocks and few bytes.
    private static func scans(_ count: Int, _ side: Int) -> [UInt8] {
        func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
            [0xFF, marker, UInt8((contents.count + 2) >> 8), UInt8((contents.count + 2) & 0xFF)] + contents
        }
        let sides = [UInt8(side >> 8), UInt8(side & 0xFF)]
        var file: [UInt8] = [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        file += segment(0xC2, [8] + sides + sides + [1, 1, 0x11, 0])
        // One code of one bit: no difference; for runs of 2^14 blocks and more without coefficients, and of one block.
        file += segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])
        file += segment(0xC4, [0x10, 1, 1] + [UInt8](repeating: 0, count: 14) + [0xE0, 0x00])
        file += segment(0xDA, [1, 1, 0x00, 0, 0, 0])
        let blocks = (side / 8) * (side / 8)
        file += [UInt8](repeating: 0, count: blocks / 8)
        var bits: [UInt8] = []
        for _ in 0..<blocks / 32_767 { bits += [0] + [UInt8](repeating: 1, count: 14) }
        for _ in 0..<blocks % 32_767 { bits += [1, 0] }
        var data: [UInt8] = []
        for start in stride(from: 0, to: bits.count, by: 8) {
            let byte = (start..<start + 8).reduce(UInt8(0)) { $0 << 1 | ($1 < bits.count ? bits[$1] : 1) }
            data += byte == 0xFF ? [0xFF, 0] : [byte]
        }
        for scan in 0..<count - 1 {
            // One coefficient after the other.
            let place = UInt8(1 + scan % 63)
            file += segment(0xDA, [1, 1, 0x00, place, place, 0]) + data
        }
        return file + [0xFF, 0xD9]
    }

    /// Each scan costs the whole picture's time: large pictures may have fewer.
    @Test func manyScansOfALargePictureAreRefused() throws {
        func decoded(_ scans: Int, _ side: Int) throws -> DecodedImage {
            try JPEGDecoder.decode(Self.scans(scans, side), maximumPixels: 1 << 27)
        }
        #expect(try decoded(24, 64).diagnostics == [])
        #expect(try decoded(63, 64).diagnostics == [])
        let fault = #expect(throws: PictureFault.self) { try decoded(50, 9600) }
        #expect(fault?.message.english.contains("too many scans for its size") == true)
    }

    @Test(arguments: Kind.all) func truncationIsReported(_ kind: Kind) throws {
        let file = try kind.file()
        let whole = Outcome(file)
        #expect(whole.drawing?.diagnostics == [])
        #expect(whole.cut != nil && whole.cut?.diagnostic == nil)
        for count in 0..<file.count {
            let outcome = Outcome(Array(file[..<count]))
            #expect(outcome.drawing?.diagnostics != [], "\(count)")
            for result in [outcome.cut, outcome.turned] {
                guard let result else { continue }
                #expect(result.diagnostic != nil, "\(count)")
                // The rescued part is a valid JPEG.
                _ = try JPEGSurgeryTests.decode(result.file)
            }
        }
    }

    /// For any content of a file, nothing worse happens than a decoding error.
    @Test(arguments: Kind.all) func changedBytesDoNoHarm(_ kind: Kind) throws {
        let file = try kind.file()
        var random = SplitMix(seed: 2)
        var saved = 0
        for _ in 0..<400 {
            var copy = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                copy[Int.random(in: 2..<copy.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let outcome = Outcome(copy)
            guard let drawing = outcome.drawing, let cut = outcome.cut else { continue }
            saved += 1
            let size = try #require(JPEGHeader(copy)?.size)
            #expect(drawing.raster.size == size)
            let again = try JPEGSurgeryTests.decode(cut.file)
            #expect(again.size == size)
            // libjpeg smooths the missing parts of a progressive picture.
            if JPEGHeader(copy)?.frame == .baseline { #expect(again.samples == drawing.raster.samples) }
        }
        #expect(saved > 100)
    }

    /// Damaged codes are soon in step again, but their values are wrong until the end, which reveals them.
    @Test func damageIsReportedRegardlessOfTheCut() throws {
        let file = try Kind(format: .gray(bits: 8), isProgressive: false).file()
        let scan = try #require(JPEGHeader(file)?.scanOffset)
        let size = PixelSize(width: 43, height: 35)
        let part = Framing(size).keeping(PixelRect(x: 8, y: 0, width: 35, height: 9))
        #expect(try JPEGSurgery.cut(file, to: part).diagnostic == nil)
        /// Whether damage is reported for the file.
        func reportsDamage(_ file: [UInt8], _ framing: Framing) -> Bool {
            do { return try JPEGSurgery.cut(file, to: framing).diagnostic != nil } catch { return true }
        }
        var random = SplitMix(seed: 4)
        var reported = 0
        for _ in 0..<400 {
            var copy = file
            copy[.random(in: scan + 10..<copy.count - 2, using: &random)] ^=
                1 << UInt8.random(in: 0..<8, using: &random)
            #expect(reportsDamage(copy, part) == reportsDamage(copy, Framing(size)))
            if reportsDamage(copy, part) { reported += 1 }
        }
        #expect(reported > 40, "\(reported)")
    }

    /// Tables and segments that libjpeg rejects as bogus are not copied.
    @Test func invalidTablesAndSegmentsAreRejected() throws {
        let file = try Kind(format: .gray(bits: 8), isProgressive: false).file()
        func place(_ marker: UInt8) throws -> Int {
            try #require((0..<file.count).first { file[$0] == 0xFF && file[$0 + 1] == marker })
        }
        // Bytes of the first table of differences: its number, and the value of its last code; the length of the frame
        // header; the number of a table of divisors.
        let codes = try place(0xC4)
        let count = file[codes + 5..<codes + 21].reduce(0) { $0 + Int($1) }
        let part = Framing(PixelSize(width: 43, height: 35)).keeping(PixelRect(x: 8, y: 0, width: 35, height: 9))
        for (place, value) in [
            (codes + 4, UInt8(4)), (codes + 20 + count, 200), (try place(0xC0) + 3, file[try place(0xC0) + 3] + 2),
            (try place(0xDB) + 4, 5),
        ] {
            var copy = file
            copy[place] = value
            #expect(throws: PictureFault.self, "\(place)") { try JPEGSurgery.cut(copy, to: part) }
        }
    }

    /// A part shows the same pixels as the damaged whole, both with copied and with decoded data.
    @Test func aPartOfADamagedPictureIsAsInTheWhole() throws {
        let file = try Kind(format: .gray(bits: 8), isProgressive: false).file()
        let part = PixelRect(x: 16, y: 8, width: 20, height: 15)
        var random = SplitMix(seed: 3)
        var (sound, guessed) = (0, 0)
        for _ in 0..<1500 {
            var copy = file
            copy[Int.random(in: 2..<copy.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            guard let size = JPEGHeader(copy)?.size, size == PixelSize(width: 43, height: 35),
                let whole = try? JPEGDecoder.decode(copy, maximumPixels: 1 << 18).raster,
                let cut = try? JPEGSurgery.cut(copy, to: Framing(size).keeping(part))
            else { continue }
            if cut.diagnostic == nil { sound += 1 } else { guessed += 1 }
            #expect(try JPEGSurgeryTests.decode(cut.file).samples == whole.framed(Framing(size).keeping(part)).samples)
        }
        #expect(sound > 300 && guessed > 100, "\(sound) \(guessed)")
    }

    /// Coefficients that are out of range become known when some of the file is written already.
    @Test func aFailureAtTheEndLeavesNothingBehind() throws {
        let size = PixelSize(width: 64, height: 8)
        #expect(throws: Never.self) { try JPEGSurgery.cut(Self.farGray, to: Framing(size)) }
        let long: [UInt8] = [0xFF, 0xED, 0xF0, 0x02] + [UInt8](repeating: 7, count: 0xF000)
        let marked = Array(Self.farGray[..<2]) + long + long + Self.farGray[2...]
        #expect(throws: Never.self) { try JPEGSurgery.cut(marked, to: Framing(size)) }
        let part = Framing(size).keeping(PixelRect(x: 32, y: 0, width: 32, height: 8))
        for file in [Self.farGray, marked] {
            for _ in 0..<20 {
                #expect(throws: PictureFault.self) { try JPEGSurgery.cut(file, to: part) }
            }
        }
    }

    /// A JPEG whose every block is brighter than the last by the largest possible difference.
    private static let farGray: [UInt8] = {
        func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
            [0xFF, marker, 0, UInt8(contents.count + 2)] + contents
        }
        var bits: [Bool] = []
        // The only code of the first table (11 bits of difference), the difference, the only code of the second (end).
        for _ in 0..<8 { bits += [false] + [Bool](repeating: true, count: 11) + [false] }
        while !bits.count.isMultiple(of: 8) { bits.append(true) }
        let scan = stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
            let byte = bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            return byte == 0xFF ? [0xFF, 0] : [byte]
        }
        let code = [1] + [UInt8](repeating: 0, count: 15)
        return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xC0, [8, 0, 8, 0, 64, 1, 1, 0x11, 0]) + segment(0xC4, [0] + code + [11])
            + segment(0xC4, [0x10] + code + [0]) + segment(0xDA, [1, 1, 0, 0, 63, 0]) + scan + [0xFF, 0xD9]
    }()
}
