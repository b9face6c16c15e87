import Files
import PageModel
import Scratch
import Testing

@testable import Work

@Suite struct ComparisonTests {
    /// The pairs of two books whose pages have these keys, as "1-1"; a moved pair ends in "m", and an unmatched one in "?".
    private func pairs(
        _ ones: [String?], _ others: [String?], _ distance: (Int, Int) -> Int = { _, _ in 0 }
    ) -> String {
        var matches = PageMatches(ones.count, others.count)
        matches.match(ones, others)
        return matches.pairs(distance).map { pair in
            let places = [pair.one, pair.other].map { $0.map(String.init) ?? "" }.joined(separator: "-")
            return places + (pair.isMoved ? "m" : pair.isMatched ? "" : "?")
        }.joined(separator: " ")
    }

    @Test func longestRunStaysAndTheRestIsMoved() {
        #expect(pairs(["a", "b", "c", "d"], ["b", "c", "d", "a"]) == "1-0 2-1 3-2 0-3m")
        #expect(pairs(["a", "b", "c", "d"], ["d", "a", "b", "c"]) == "3-0m 0-1 1-2 2-3")
    }

    @Test func equalPagesBelongToTheirNeighbors() {
        // The first of two blank pages is missing.
        #expect(pairs(["x", "b", "x", "c"], ["b", "x", "c"]) == "0-? 1-0 2-1 3-2")
        #expect(pairs(["x", "x", "x"], ["x", "x"]) == "0-0 1-1 2-?")
        #expect(pairs(["a", "x", "b"], ["a", "x", "b", "x"]) == "0-0 1-1 2-2 -3?")
    }

    @Test func otherPagesArePairedBetweenMatchedOnes() {
        #expect(pairs(["a", "b", "c"], ["a", "B", "c"]) == "0-0 1-1? 2-2")
        #expect(pairs(["a", nil], ["a", nil]) == "0-0 1-1?")
        #expect(pairs([], ["a"]) == "-0?")
    }

    @Test func leastSimilarPageStaysAlone() {
        let (ones, others) = ([10, 20, 30, 40], [11, 31, 41])
        let distance = { (one: Int, other: Int) in abs(ones[one] - others[other]) }
        #expect(pairs(["a", "b", "c", "d"], ["A", "C", "D"], distance) == "0-0? 1-? 2-1? 3-2?")
        #expect(
            pairs(["A", "C", "D"], ["a", "b", "c", "d"]) { distance($1, $0) } == "0-0? -1? 1-2? 2-3?")
    }

    private func raster(_ samples: [UInt8], _ format: PixelFormat = .gray(bits: 8)) -> Raster {
        Raster(
            size: PixelSize(width: samples.count * 8 / format.bitsPerPixel, height: 1), format: format, samples: samples
        )
    }

    @Test func differenceIsMeasuredInLevels() throws {
        let difference = try #require(PixelDifference(raster([0, 10, 20, 30]), raster([0, 10, 24, 30])))
        #expect(difference.maximum == 4 && difference.mean == 1)
        // 10 log10 (255² / 4)
        #expect(abs(try #require(difference.psnr) - 42.11) < 0.01)
    }

    @Test func depthAndColorDoNotCount() throws {
        let deep = raster([0, 0, 255, 255], .gray(bits: 16))
        let equal = try #require(PixelDifference(deep, raster([0, 255])))
        #expect(equal.maximum == 0 && equal.psnr == nil)
        let color = raster([0, 0, 0, 255, 255, 254], .rgb(bits: 8))
        #expect(try #require(PixelDifference(color, raster([0, 255]))).maximum == 1)
        let half = try #require(PixelDifference(deep, raster([0, 128, 255, 255], .gray(bits: 16))))
        #expect(abs(half.maximum - 128 / 257) < 1e-9)
        #expect(PixelDifference(deep, raster([0])) == nil)
    }

    @Test func mapShowsOnePixelWhenReduced() throws {
        var samples = [UInt8](repeating: 9, count: 1000)
        let one = raster(samples)
        samples[777] += 1
        let map = try #require(PixelDifference.map(one, raster(samples), size: PixelSize(width: 10, height: 1)))
        #expect(map.samples.enumerated().filter { $0.element < 200 }.map(\.offset) == [7])
    }

    @Test func sampleIsTheSameInEachRun() throws {
        let sample = try #require(PageSample("5%"))
        let places = sample.places(of: 200, in: "book")
        #expect(places.count == 10 && places == places.sorted() && Set(places).count == 10)
        #expect(places == sample.places(of: 200, in: "book") && places != sample.places(of: 200, in: "other"))
        #expect(sample.places(of: 3, in: "book").count == 1 && sample.places(of: 0, in: "book").isEmpty)
        #expect(try #require(PageSample("100%")).places(of: 3, in: "a") == [0, 1, 2])
        for text in ["5", "0%", "101%", "nan%", "-1%", "%"] { #expect(PageSample(text) == nil, "\(text)") }
    }

    @Test func reportsAndJournalsStateDigests() throws {
        let scratch = try ScratchFolder()
        let (output, report) = (scratch("a.cbz"), scratch("report.json"))
        let line =
            #"{"jisui": "1", "report": 1, "input": "a.pdf", "output": "\#(output)", "#
            + #""outputFiles": [{"name": "a.cbz", "sha256": "00"}]}"# + "\n"
        try scratch.write("report.json", Array(line.utf8))
        try scratch.write("other.json", Array("{}".utf8))
        var known = KnownOutputs()
        try known.add(among: [report, scratch("other.json"), output])
        #expect(known.output(at: output)?.sha256 == "00")
        #expect(known.missing(in: scratch("")).map(\.path) == [output])
        // A moved output is found by its name.
        #expect(known.output(at: scratch("moved/a.cbz"))?.record == report)
        #expect(throws: AdapterError.self) { try known.add(file: scratch("other.json")) }
    }
}
