import Imaging
import PageModel
import Testing

@testable import Clean

/// Pages that are made here: white ones with print or art, and the same ones as a scanner sees them.
@Suite struct WhitenTests {
    private static let size = PixelSize(width: 1040, height: 1400)

    /// A source of noise that is the same in every run.
    private struct Noise {
        var state: UInt64 = 7

        /// Returns a number of about normal distribution: the sum of four equal ones.
        mutating func next(deviation: Double) -> Double {
            var sum = 0.0
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                sum += Double(state >> 40) / Double(1 << 24) - 0.5
            }
            return sum * deviation * 1.732
        }
    }

    /// Returns a white page with lines of strokes.
    private static func text() -> [UInt8] {
        var samples = [UInt8](repeating: 255, count: size.area)
        for line in 0..<30 {
            for letter in 0..<70 where (letter * 7 + line) % 9 != 0 {
                let (left, top) = (90 + 12 * letter, 100 + 40 * line)
                for y in top..<top + 16 { for x in left..<left + 3 { samples[y * size.width + x] = 30 } }
            }
        }
        return samples
    }

    /// Returns a page as a scanner sees it: on paper of a color, under light that falls to the left and the bottom.
    private static func scan(_ white: [UInt8], paper: [Double], shade: Double = 0.25, deviation: Double = 2) -> Raster {
        var noise = Noise()
        let channels = paper.count
        var samples = [UInt8](repeating: 0, count: size.area * channels)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let away = 1 - Double(x) / Double(size.width)
                let light = 1 - shade * away * away - 0.1 * Double(y) / Double(size.height)
                let grain = noise.next(deviation: deviation)
                for channel in 0..<channels {
                    let own = Double(SRGBCurve.light8[Int(white[y * size.width + x])])
                    let level = Double(SRGBCurve.level(Float(own * light * paper[channel]))) + grain
                    samples[channels * (y * size.width + x) + channel] = UInt8(min(255, max(0, level.rounded())))
                }
            }
        }
        return Raster(size: size, format: channels == 1 ? .gray(bits: 8) : .rgb(bits: 8), samples: samples)
    }

    private static func whitened(_ scan: Raster, paper: RGB = .white) throws -> Raster {
        let surface = try #require(PaperReading(scan).surface)
        return Whiten(surface, paper: paper).apply(to: scan)
    }

    /// Returns the mean of the levels where a page is white.
    private static func paperMean(_ raster: Raster, _ white: [UInt8]) -> Double {
        let channels = raster.format.hasColor ? 3 : 1
        var (sum, count) = (0, 0)
        for place in white.indices where white[place] == 255 {
            for channel in 0..<channels { sum += Int(raster.samples[channels * place + channel]) }
            count += channels
        }
        return Double(sum) / Double(count)
    }

    @Test(arguments: [[0.55], [0.6, 0.5, 0.36]])
    func paperBecomesWhite(_ paper: [Double]) throws {
        let white = Self.text()
        let scan = Self.scan(white, paper: paper)
        #expect(Self.paperMean(scan, white) < 205)
        let result = try Self.whitened(scan)
        #expect(Self.paperMean(result, white) >= 253)
        #expect(result.format == scan.format)
    }

    /// A dark image may divide the paper of a page, and the light falls on both sides of it.
    @Test func lightGoesOnFallingWhereNoPaperIsSeen() {
        let (across, down) = (48, 68)
        let light = (0..<across * down).map { 0.6 - 0.002 * Float($0 / across) - 0.001 * Float($0 % across) }
        let seen: [Float] = light.indices.map { $0 / across < 44 ? 1 : 0 }
        let filled = PaperSurface.filled(light, seen, across, down)
        #expect(light.indices.allSatisfy { abs(filled[$0] - light[$0]) < 0.05 * light[$0] })
    }

    /// A shadow of some depth falls from the left edge, or a dark image is there.
    @Test(arguments: [0.5, 0.8, nil])
    func onlyTheShadowAtTheFoldIsLifted(_ depth: Float?) throws {
        let white = Self.text()
        var scan = Self.scan(white, paper: [0.6], shade: 0.05)
        var samples = scan.samples
        for y in 0..<Self.size.height {
            for x in 0..<60 where depth != nil || 300..<1100 ~= y {
                let place = y * Self.size.width + x
                let share = depth.map { 1 - $0 / ((1 + Float(x) / 15) * (1 + Float(x) / 15)) } ?? 0.3
                samples[place] = UInt8(SRGBCurve.level(SRGBCurve.light8[Int(samples[place])] * share))
            }
        }
        scan = Raster(size: Self.size, format: scan.format, samples: samples)
        let result = try Self.whitened(scan)
        var sum = 0
        for y in 400..<1000 { for x in 2..<30 { sum += Int(result.samples[y * Self.size.width + x]) } }
        let mean = Double(sum) / 16_800
        #expect(depth == nil ? mean < 160 : mean >= 250)
    }

    @Test func paperGetsTheColorThatTheUserChose() throws {
        let white = Self.text()
        let cream = RGB(red: 255, green: 248, blue: 231)
        let result = try Self.whitened(Self.scan(white, paper: [0.5]), paper: cream)
        let corner = 3 * (20 * Self.size.width + 500)
        #expect(result.format == .rgb(bits: 8) && Array(result.samples[corner..<corner + 3]) == [255, 248, 231])
    }

    @Test func tonesKeepTheirDistanceFromThePaper() throws {
        var white = Self.text()
        // A gray image in the middle of the page.
        for y in 500..<900 { for x in 300..<740 { white[y * Self.size.width + x] = UInt8(90 + (x - 300) / 4) } }
        let result = try Self.whitened(Self.scan(white, paper: [0.55]))
        var (sum, count) = (0, 0)
        for y in 510..<890 {
            for place in y * Self.size.width + 310..<y * Self.size.width + 730 {
                sum += abs(Int(result.samples[place]) - Int(white[place]))
                count += 1
            }
        }
        #expect(Double(sum) / Double(count) <= 12)
    }

    /// Texture decides, not the level: the same mean is paper if it is flat, and art if it has dots.
    @Test func screentoneOfTenPercentKeepsItsDots() throws {
        var white = Self.text()
        let (side, period) = (400, 8)
        for y in 500..<500 + side {
            for x in 300..<300 + side where (x % period < 3) && (y % period < 2) { white[y * Self.size.width + x] = 0 }
        }
        let clean = Raster(size: Self.size, format: .gray(bits: 8), samples: white)
        func tone(_ raster: Raster) -> Double {
            var sum = 0
            for y in 500..<500 + side {
                for x in 300..<300 + side { sum += Int(raster.samples[y * Self.size.width + x]) }
            }
            return Double(sum) / Double(side * side)
        }
        // One level is about a third of ΔE at this tone.
        #expect(abs(tone(try Self.whitened(clean)) - tone(clean)) <= 5)
        let scan = Self.scan(white, paper: [0.6], shade: 0.05)
        #expect(abs(tone(try Self.whitened(scan)) - tone(clean)) <= 6)
    }

    @Test func pencilStays() throws {
        var white = Self.text()
        for x in 200..<800 {
            for y in 1320..<1323 { white[y * Self.size.width + x] = 215 }
        }
        let result = try Self.whitened(Self.scan(white, paper: [0.6]))
        let stroke = (200..<800).map { Int(result.samples[1321 * Self.size.width + $0]) }.reduce(0, +) / 600
        #expect(stroke < 235)
    }

    private func decision(_ raster: Raster, agreement: Double? = nil, mayChangeArt: Bool = false) -> PaperFinding {
        PaperReading(raster).decision(agreement: agreement, mayChangeArt: mayChangeArt)
    }

    @Test func whitePagesStay() {
        let finding = decision(Raster(size: Self.size, format: .gray(bits: 8), samples: Self.text()))
        #expect(!finding.isWhitened && finding.remark.english == "not whitened: its paper is white already")
    }

    @Test func yellowedPagesAreWhitened() {
        let finding = decision(Self.scan(Self.text(), paper: [0.6, 0.5, 0.36], shade: 0.1))
        #expect(finding.isWhitened && (finding.confidence ?? 0) > 0.5)
    }

    /// A comic on yellowed paper: a third of it is in color.
    @Test func yellowedPagesOfArtInColorStay() {
        var samples = Self.scan(Self.text(), paper: [0.6, 0.5, 0.36], shade: 0.1).samples
        for y in 200..<800 {
            for x in 200..<800 {
                let place = 3 * (y * Self.size.width + x)
                (samples[place], samples[place + 1], samples[place + 2]) = (200, UInt8(40 + y / 8), UInt8(60 + x / 16))
            }
        }
        let page = Raster(size: Self.size, format: .rgb(bits: 8), samples: samples)
        #expect(decision(page).remark.english == "not whitened: it shows art in color")
        #expect(decision(page, mayChangeArt: true).isWhitened)
    }

    @Test func platesThatFillThePageStay() {
        var noise = Noise()
        let samples = (0..<Self.size.area).map { place -> UInt8 in
            let (x, y) = (place % Self.size.width, place / Self.size.width)
            let level = 120 + 60 * (Double((x / 9) * (y / 7) % 17) / 17) + noise.next(deviation: 20)
            return UInt8(min(255, max(0, level)))
        }
        #expect(!decision(Raster(size: Self.size, format: .gray(bits: 8), samples: samples)).isWhitened)
    }

    /// Where a program made the paper white, a gray ground is a tone, however slightly it differs.
    @Test func grayGroundInABookOfWhitePaperIsArt() {
        let white = PaperReading(Raster(size: Self.size, format: .gray(bits: 8), samples: Self.text()))
        let gray = PaperReading(Self.scan(Self.text(), paper: [0.85], shade: 0.02))
        let book = BookPaperLight([white, white, gray, white])
        #expect(gray.surface != nil && book.agreement(of: 2) == 0 && book.agreement(of: 1) == 1)
    }

    /// A pale plate is as flat and light as paper; the pages around it show that it is none.
    @Test func palePlatesDifferFromThePaperOfTheBook() {
        let page = PaperReading(Self.scan(Self.text(), paper: [0.6, 0.5, 0.36], shade: 0.1))
        let plate = PaperReading(Self.scan(Self.text(), paper: [0.5, 0.6, 0.75], shade: 0.05))
        let book = BookPaperLight([page, page, plate, page, page])
        #expect(book.agreement(of: 0) == 1 && book.agreement(of: 2) == 0)
        let finding = plate.decision(agreement: book.agreement(of: 2), mayChangeArt: true)
        #expect(finding.remark.english == "not whitened: its ground differs from the paper of the pages around it")
    }
}
