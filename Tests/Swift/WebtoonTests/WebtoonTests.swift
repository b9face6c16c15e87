import AdapterKit
import Imaging
import PageModel
import Scratch
import Testing

@testable import Webtoon

/// A chapter of long images that continue each other, and the pages that are cut from it.
@Suite struct WebtoonTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// The rows of a chapter: panels of noise with white bands between them.
    private static func chapter(_ count: Int, width: Int, seed: UInt64 = 5) -> [[UInt8]] {
        var random = SplitMix(seed: seed)
        var rows: [[UInt8]] = []
        while rows.count < count {
            for _ in 0..<Int.random(in: 20...70, using: &random) {
                rows.append((0..<width).map { _ in UInt8.random(in: 0...255, using: &random) })
            }
            for _ in 0..<Int.random(in: 4...20, using: &random) { rows.append([UInt8](repeating: 255, count: width)) }
        }
        return Array(rows.prefix(count))
    }

    private func write(_ rows: [[UInt8]], heights: [Int]) throws {
        var start = 0
        for (number, height) in heights.enumerated() {
            let size = PixelSize(width: rows[0].count, height: height)
            let raster = Raster(
                size: size, format: .gray(bits: 8), samples: rows[start..<start + height].flatMap { $0 })
            try scratch.write("chapter/\(number + 1).png", try PictureEncoder.encode(raster, as: .png, .lossless))
            start += height
        }
    }

    private func pages(in folder: String) throws -> [Raster] {
        try scratch.names(in: folder).sorted().map { name in
            try PictureDecoder.decode(scratch.read("\(folder)/\(name)"), .png, maximumPixels: 1_000_000).raster
        }
    }

    @Test func thePagesAreTheRowsOfTheChapter() throws {
        let rows = Self.chapter(1000, width: 60)
        // A page of the screen is 90 rows high; several images are on one page.
        try write(rows, heights: [410, 37, 23, 300, 230])
        let outcome = try BuiltJisui.run([
            scratch("chapter"), "-o", scratch("pages"), "--to", "folder", "--webtoon", "--fit", "80x120",
            "--report", scratch("report.json"),
        ])
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let pages = try pages(in: "pages")
        #expect(pages.allSatisfy { $0.size.width == 60 && $0.size.height <= 90 })
        let areEqual = pages.flatMap(\.samples) == rows.flatMap { $0 }
        #expect(areEqual)
        // Every panel is lower than the screen.
        var end = 0
        for page in pages.dropLast() {
            end += page.size.height
            #expect(Set(rows[end - 1]) == [255] || Set(rows[end]) == [255], "\(end)")
        }
        #expect(!outcome.errorText.contains("artwork"))
    }

    /// The pages of a chapter that is wider than the screen fill its width.
    @Test func widerImagesFillTheScreen() throws {
        try write(Self.chapter(600, width: 120), heights: [300, 300])
        let outcome = try BuiltJisui.run([
            scratch("chapter"), "-o", scratch("pages"), "--to", "folder", "--webtoon", "--fit", "40x60",
        ])
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let sizes = try pages(in: "pages").map(\.size)
        #expect(sizes.allSatisfy { $0.width == 40 && $0.height <= 60 })
        // Scaling rounds the height of each page.
        #expect(abs(sizes.map(\.height).reduce(0, +) - 200) <= sizes.count)
    }

    @Test func aPanelHigherThanTheScreenIsCutWithANote() throws {
        var random = SplitMix(seed: 1)
        let rows = (0..<200).map { _ in (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) } }
        try write(rows, heights: [200])
        let outcome = try BuiltJisui.run([
            scratch("chapter"), "-o", scratch("pages"), "--to", "folder", "--webtoon", "--fit", "60x90",
        ])
        #expect(outcome.status == 0 && outcome.errorText.contains("cut through artwork at the end of 2 pages"))
        let areEqual = try pages(in: "pages").flatMap(\.samples) == rows.flatMap { $0 }
        #expect(areEqual)
    }

    /// A chapter of one image can be divided into volumes.
    @Test func volumesDivideAStrip() throws {
        try write(Self.chapter(600, width: 60), heights: [600])
        let outcome = try BuiltJisui.run([
            scratch("chapter"), "-o", scratch("v.cbz"), "--webtoon", "--fit", "60x90", "--split-volumes", "4pages",
        ])
        #expect(outcome.status == 0 && !outcome.errorText.contains("stay together"), "\(outcome.errorText)")
        #expect(scratch.names().contains("v 2.cbz"))
    }

    @Test(arguments: [
        (["--webtoon"], "needs the width and the height of the screen"),
        (["--webtoon", "--fit", "80x"], "needs the width and the height of the screen"),
        (["--webtoon", "--fit", "80x120", "--trim"], "--webtoon and --trim exclude each other"),
        (["--webtoon", "--fit", "80x120", "--wide", "rotate"], "--webtoon and --wide exclude each other"),
    ])
    func optionsWithoutASenseAreRefused(_ options: [String], _ message: String) throws {
        try write(Self.chapter(100, width: 60), heights: [100])
        let outcome = try BuiltJisui.run([scratch("chapter"), "-o", scratch("book.cbz")] + options)
        #expect(outcome.status == 64 && outcome.errorText.contains(message), "\(outcome.errorText)")
    }
}
