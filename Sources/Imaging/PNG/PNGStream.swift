public import PageModel

/// A PNG (ISO/IEC 15948) that is written as its rows come, in bands.
public struct PNGStream: Sendable {
    private var joiner = ZlibJoiner()

    /// What the file begins with.
    public let head: [UInt8]

    /// The longest side a PNG can have (ISO/IEC 15948, 11.2.2).
    public static let mostPixelsAcross = Int(Int32.max)

    /// - Parameter size: the size of the whole picture; the bands must make up its height.
    public init(size: PixelSize, format: PixelFormat, resolution: Resolution? = nil, iccProfile: [UInt8]? = nil) {
        head = PNGWriter.head(size: size, format: format, resolution: resolution, iccProfile: iccProfile)
    }

    /// What the next band adds to the file.
    public mutating func append(_ band: PNGBand) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendChunk("IDAT", joiner.append(band.piece))
        return bytes
    }

    /// What the file ends with.
    public mutating func finish() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendChunk("IDAT", joiner.finish())
        bytes.appendChunk("IEND", [])
        return bytes
    }
}
