import CDeflate
import Imaging
import PageModel
import Testing

/// A picture of `Fixtures/made`, and what its samples are.
struct SyntheticPicture: CustomTestStringConvertible, Sendable {
    let name: String
    let size: PixelSize
    let format: PixelFormat
    /// The checksum of the samples; nil when the picture is to be compared with another one's.
    let checksum: UInt32?
    /// The PNG that shows what another decoder read.
    let reference: String?
    /// How far a sample may be from the other decoder's.
    let tolerance: Int

    var testDescription: String { name }

    /// All of them, as expected.tsv lists them.
    static let all: [SyntheticPicture] = {
        let table = (try? Fixture.bytes("made/expected.tsv")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return table.split(separator: "\n").dropFirst().compactMap {
            SyntheticPicture($0.split(separator: "\t").map(String.init))
        }
    }()

    private init?(_ fields: [String]) {
        guard fields.count == 6, let width = Int(fields[1]), let height = Int(fields[2]),
            let format = SyntheticPicture.format(fields[3]), let tolerance = Int(fields[5])
        else { return nil }
        name = fields[0]
        size = PixelSize(width: width, height: height)
        self.format = format
        checksum = UInt32(fields[4], radix: 16)
        reference = checksum == nil ? fields[4] : nil
        self.tolerance = tolerance
    }

    func bytes() throws -> [UInt8] { try Fixture.bytes("made/\(name)") }

    var encoding: ImageEncoding {
        get throws { try PictureHeader(bytes())?.encoding ?? ImageEncoding(rawValue: "none") }
    }

    /// The checksum of samples whose unused bits are 0.
    static func checksum(of raster: Raster) -> UInt32 {
        let samples = PixelGrid(raster).raster().samples
        return samples.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
    }

    private static func format(_ text: String) -> PixelFormat? {
        let words = text.split(separator: " ")
        guard words.count >= 2, let bits = Int(words[1]) else { return nil }
        switch words[0] {
        case "gray": return .gray(bits: bits)
        case "rgb": return .rgb(bits: bits)
        case "grayAlpha": return .grayAlpha(bits: bits)
        case "rgba": return .rgba(bits: bits)
        case "palette" where words.count == 3:
            let digits = Array(words[2])
            let colors = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            }
            return .palette(bits: bits, colors: colors)
        default: return nil
        }
    }
}
