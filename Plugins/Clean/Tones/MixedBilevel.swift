internal import AdapterKit
internal import Imaging
internal import PageModel

/// The conversion of a page to black and white around its images, which stay as they are.
///
/// Pure black and pure white are only print and paper then: the levels of images begin at 1 and end at 254.
struct MixedBilevel: OmittableOperation {
    static let id = "bilevel"

    let page: OperatedPage
    let tones: [AreaShare]
    /// The box into which the page is enlarged first; nil if it keeps its size.
    let box: FitBox?

    var omission: Omission { page.omission }

    var options: [String] { box == nil ? [Bilevel.id] : [Bilevel.id, "bilevel-dpi"] }

    var note: Note { Note(Note.Code("bilevel-mixed", "made black and white except its images")) }

    var separatesPrint: Bool { true }

    var workingCopies: Int { 1 }

    var workingBytes: Int { 14 }

    func isNoOp(on size: PixelSize, isGray: Bool) -> Bool { false }

    func warning(because error: AdapterError) -> Warning {
        Warning(code: "page-not-bilevel", page.page, "not made black and white", because: error)
    }

    func apply(to raster: Raster) throws -> Raster {
        if case .gray(bits: 1) = raster.format { throw UnchangedPage() }
        let plain = try (raster.format.hasAlpha ? raster.flattened(on: .white) : raster).narrowed().widened()
            .scaled(to: size(after: raster.size))
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
            let columns = tone.columns(of: plain.size)
            for y in tone.rows(of: plain.size) {
                for place in (y * width + columns.lowerBound) * channels..<(y * width + columns.upperBound) * channels {
                    samples[place] = min(254, max(1, plain.samples[place]))
                }
            }
        }
        return Raster(
            size: plain.size, format: plain.format, samples: samples, resolution: plain.resolution,
            iccProfile: plain.iccProfile)
    }

    func apply(toScaled raster: Raster) throws -> Raster { try apply(to: raster) }
}
