import Imaging
import PageModel
import Scratch

/// A JPEG of chance, as cjpeg makes it.
struct SyntheticJPEG: CustomStringConvertible, Sendable {
    /// The sampling factors of the luma as cjpeg is told them, where those of the chroma are 1 by 1.
    enum Sampling: String, CaseIterable, Sendable {
        case gray = "1x1 -grayscale"
        /// A sole component is stored block by block, whatever its factors say.
        case oddGray = "2x2 -grayscale"
        case full = "1x1"
        case across = "2x1"
        case both = "2x2"
        case down = "1x2"
        case quarter = "4x1"
        case quarterDown = "1x4"
        case eighth = "4x2"

        var isGray: Bool { self == .gray || self == .oddGray }

        /// The pixels of an MCU.
        var grid: PixelSize {
            if isGray { return PixelSize(width: 8, height: 8) }
            let factors = rawValue.split(separator: "x").compactMap { Int($0) }
            return PixelSize(width: 8 * factors[0], height: 8 * factors[1])
        }

        /// How many pixels beside a cut may change across and down.
        ///
        /// libjpeg spreads chroma of half the size with its neighbors' ("fancy" upsampling), which a cut takes away;
        /// any other chroma it repeats.
        var seam: PixelSize {
            switch self {
            case .across: PixelSize(width: 1, height: 0)
            case .down: PixelSize(width: 0, height: 1)
            case .both: PixelSize(width: 1, height: 1)
            case .gray, .oddGray, .full, .quarter, .quarterDown, .eighth: PixelSize(width: 0, height: 0)
            }
        }

        /// Whether libjpeg spreads the chroma of a picture of this width: not where it has two columns or one.
        func isSpread(atWidth width: Int) -> Bool {
            (self != .across && self != .both) || width > 4
        }
    }

    let file: [UInt8]
    let sampling: Sampling
    let size: PixelSize
    let isProgressive: Bool
    let command: String

    /// Whether it has the Huffman tables of the standard: cjpeg optimizes those of progressive pictures.
    var hasStandardTables: Bool { !isProgressive && !command.contains("-arithmetic") }

    var description: String { "\(size) \(command)" }

    /// - Parameters:
    ///   - size: chance when nil, from 1 to 90 pixels a side.
    ///   - quality: chance when nil; the same for JPEGs that are to go together.
    ///   - plainly: without progression, restart markers and arithmetic coding, which are chance otherwise.
    static func random(
        _ sampling: Sampling, _ size: PixelSize? = nil, quality: Int? = nil, plainly: Bool = false,
        using random: inout SplitMix
    ) throws -> SyntheticJPEG {
        let size =
            size
            ?? PixelSize(width: .random(in: 1...90, using: &random), height: .random(in: 1...90, using: &random))
        var options = "-quality \(quality ?? .random(in: 20...100, using: &random)) -sample \(sampling.rawValue)"
        let isProgressive = !plainly && Int.random(in: 0..<3, using: &random) == 0
        if isProgressive { options += " -progressive" }
        if !plainly && Int.random(in: 0..<3, using: &random) == 0 {
            options += " -restart \(Int.random(in: 1...5, using: &random))B"
        }
        if !plainly && Int.random(in: 0..<5, using: &random) == 0 { options += " -arithmetic" }
        let command = "cjpeg \(options) -outfile out in"
        let file = try ReferenceTool.output(command, portable(size, &random), as: "")
        return SyntheticJPEG(file: file, sampling: sampling, size: size, isProgressive: isProgressive, command: command)
    }

    /// A PPM of slopes, with noise on them.
    private static func portable(_ size: PixelSize, _ random: inout SplitMix) -> [UInt8] {
        Array("P6 \(size.width) \(size.height) 255\n".utf8) + slopes(size, .rgb(bits: 8), &random)
    }

    /// Samples that rise and fall over the picture, with noise on them.
    static func slopes(_ size: PixelSize, _ format: PixelFormat, _ random: inout SplitMix) -> [UInt8] {
        let channels = format.bitsPerPixel / 8
        let noise = Int.random(in: 0...60, using: &random)
        let slopes = (0..<channels).map { _ in
            (Int.random(in: -6...6, using: &random), Int.random(in: -6...6, using: &random))
        }
        var samples: [UInt8] = []
        samples.reserveCapacity(size.area * channels)
        for y in 0..<size.height {
            for x in 0..<size.width {
                for (across, down) in slopes {
                    let value = 128 + x * across + y * down + Int.random(in: -noise...noise, using: &random)
                    // A triangle wave: no jump where the range ends.
                    let folded = (value % 510 + 510) % 510
                    samples.append(UInt8(folded < 256 ? folded : 510 - folded))
                }
            }
        }
        return samples
    }
}
