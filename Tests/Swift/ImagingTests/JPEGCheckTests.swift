import Imaging
import PageModel
import Scratch
import Testing

@Suite struct JPEGCheckTests {
    private static func check(_ file: [UInt8]) -> DecodingCheck {
        DecodingCheck(file, .jpeg, maxPixels: 1_000_000)
    }

    private static func isDamaged(_ file: [UInt8]) -> Bool {
        if case .damaged = check(file) { true } else { false }
    }

    private static func sides(_ side: Int) -> PixelSize { PixelSize(width: side, height: side) }

    @Test(arguments: SyntheticJPEG.Sampling.allCases)
    func soundJPEGOfAnyKindDecodes(sampling: SyntheticJPEG.Sampling) throws {
        var random = SplitMix(seed: 62)
        for quality in [nil, nil, nil, nil, 1, 5, 100] {
            let made = try SyntheticJPEG.random(sampling, quality: quality, using: &random)
            #expect(Self.check(made.file) == .decodes, "\(made)")
        }
    }

    @Test func jpegThatDjpegWarnsAboutIsDamaged() throws {
        var random = SplitMix(seed: 20)
        var warnings = 0
        for _ in 0..<60 {
            let made = try SyntheticJPEG.random(.both, Self.sides(200), plainly: true, using: &random)
            var file = made.file
            // Codes that do not exist show only there.
            file[.random(in: file.count / 2..<file.count - 2, using: &random)] = 0xFE
            do {
                _ = try ReferenceTool.output("djpeg -strict -outfile out in 2> /dev/null", file, as: "")
            } catch {
                warnings += 1
                #expect(Self.isDamaged(file), "\(made)")
            }
        }
        #expect(warnings > 10)
    }

    @Test(arguments: [30, 75, 90, 98]) func zeroedSectorIsDamaged(quality: Int) throws {
        var random = SplitMix(seed: UInt64(quality))
        for _ in 0..<10 {
            let sampling: SyntheticJPEG.Sampling = Bool.random(using: &random) ? .gray : .both
            var file = try SyntheticJPEG.random(
                sampling, Self.sides(400), quality: quality, plainly: true, using: &random
            ).file
            guard file.count > 3000 else { continue }
            let start = Int.random(in: 700...file.count - 700, using: &random)
            file.replaceSubrange(start..<start + 512, with: repeatElement(0, count: 512))
            #expect(Self.isDamaged(file))
        }
    }

    @Test func dataLeftOverAfterLastBlockIsDamaged() throws {
        var random = SplitMix(seed: 3)
        let made = try SyntheticJPEG.random(.both, Self.sides(64), plainly: true, using: &random)
        let file = made.file.dropLast(2) + [0x12, 0x34, 0xFF, 0xD9]
        #expect(Self.isDamaged(Array(file)))
    }
}
