internal import AdapterKit
internal import Imaging
internal import PageModel

/// A rectangle of a page with an image or a tone, in 65,535ths of the page: it holds after scaling, too.
struct ToneShare: Hashable, Encodable {
    let left: UInt16
    let top: UInt16
    let right: UInt16
    let bottom: UInt16

    init(_ columns: Range<Int>, _ rows: Range<Int>, of size: PixelSize) {
        func share(_ place: Int, _ whole: Int) -> UInt16 {
            UInt16(Int(clamping: Double(place) / Double(max(1, whole)) * 65_535, to: 0...65_535))
        }
        (left, right) = (share(columns.lowerBound, size.width), share(columns.upperBound, size.width))
        (top, bottom) = (share(rows.lowerBound, size.height), share(rows.upperBound, size.height))
    }

    /// Returns the pixels of the rectangle in a row or a column of `count` pixels.
    static func pixels(_ low: UInt16, _ high: UInt16, of count: Int) -> Range<Int> {
        let first = (Int(low) * count + 32_767) / 65_535
        return first..<max(first, min(count, (Int(high) * count + 32_767) / 65_535))
    }
}

extension ToneAreas {
    /// The areas as rectangles: the runs of cells of each row, joined with equal ones of the row above.
    func shares(of size: PixelSize) -> [ToneShare] {
        var rectangles: [(columns: Range<Int>, rows: Range<Int>)] = []
        var open: [Range<Int>: Int] = [:]
        for y in 0..<down {
            var next: [Range<Int>: Int] = [:]
            var x = 0
            while x < across {
                guard isTone[y * across + x] else {
                    x += 1
                    continue
                }
                let start = x
                while x < across, isTone[y * across + x] { x += 1 }
                let index = open[start..<x] ?? rectangles.count
                if index == rectangles.count { rectangles.append((start..<x, y..<y)) }
                rectangles[index].rows = rectangles[index].rows.lowerBound..<y + 1
                next[start..<x] = index
            }
            open = next
        }
        return rectangles.map { columns, rows in
            ToneShare(
                columns.lowerBound * side..<min(size.width, columns.upperBound * side),
                rows.lowerBound * side..<min(size.height, rows.upperBound * side), of: size)
        }
    }
}

/// The conversion of a page to black and white around its images, which stay as they are.
///
/// Pure black and pure white are only print and paper then: the levels of images begin at 1 and end at 254.
struct MixedBilevel: OmittableOperation {
    static let id = "bilevel"

    private enum Key: String, CodingKey {
        case page, tones
    }

    let page: Page
    let tones: [ToneShare]
    let omission = Omission()

    var note: Note { Note(Note.Code("bilevel-mixed", "made black and white except its images")) }

    var separatesPrint: Bool { true }

    var workingCopies: Int { 14 }

    func warning(because error: AdapterError) -> Warning {
        Warning(code: "page-not-bilevel", page, "not made black and white", because: error)
    }

    func apply(to raster: Raster) throws -> Raster {
        if case .gray(bits: 1) = raster.format { throw UnchangedPage() }
        let plain = (raster.format.hasAlpha ? raster.flattened(on: .white) : raster).narrowed().widened()
        let print = plain.gray().bilevel()
        let (width, height) = (plain.size.width, plain.size.height)
        let channels = plain.format.hasColor ? 3 : 1
        var samples = [UInt8](repeating: UInt8.max, count: width * height * channels)
        for y in 0..<height {
            let row = y * print.bytesPerRow
            for x in 0..<width where print.samples[row + x >> 3] & (0x80 >> UInt8(x & 7)) == 0 {
                for channel in 0..<channels { samples[(y * width + x) * channels + channel] = 0 }
            }
        }
        for tone in tones {
            let columns = ToneShare.pixels(tone.left, tone.right, of: width)
            for y in ToneShare.pixels(tone.top, tone.bottom, of: height) {
                for place in (y * width + columns.lowerBound) * channels..<(y * width + columns.upperBound) * channels {
                    samples[place] = min(254, max(1, plain.samples[place]))
                }
            }
        }
        return Raster(
            size: plain.size, format: plain.format, samples: samples, resolution: plain.resolution,
            iccProfile: plain.iccProfile)
    }

    static func == (one: MixedBilevel, other: MixedBilevel) -> Bool {
        one.page.id == other.page.id && one.tones == other.tones
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(page.id)
        hasher.combine(tones)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(page.id, forKey: .page)
        try container.encode(tones, forKey: .tones)
    }
}
