internal import OrderedJSON
internal import PageModel
internal import Processes

/// The image in a plug-in's answer to the request `image`.
struct ImageAnswer: Sendable {
    private let picture: GivenPicture
    /// The format of an image file; nil for samples.
    private let encoding: ImageEncoding?

    /// The keys that describe an image.
    private static let keys = ["encoding", "format", "icc"]
    /// The maximum size of the header and the metadata of an image.
    private static let headerBytes = 1 << 20

    /// Returns the maximum number of bytes of an answer: four samples a pixel, as in red, green, blue and opacity, and
    /// a header.
    static func maximumBytes(for sent: Raster) -> Int {
        4 * (sent.format.bitsPerSample / 8) * sent.size.area + headerBytes
    }

    /// Nil if the answer has no image.
    ///
    /// - Parameter limit: the maximum number of bytes.
    /// - Throws: `PluginProcess.Fault` for an invalid answer; `AdapterError`, `.tooLarge`.
    init?(_ answer: JSON, _ page: Int, limit: Int, in process: PluginProcess) throws {
        guard let count = try answer.wholeNumber("bytes", "an image") else {
            for key in ImageAnswer.keys where answer[key].map({ !$0.isNull }) ?? false {
                throw PluginProcess.Fault.protocolViolation("gives page \(page) a '\(key)', but no 'bytes'")
            }
            return nil
        }
        encoding = try answer.encoding(of: page)
        picture = try GivenPicture(inBufferOf: process, page, answer, count: count, limit: limit)
    }

    /// Returns the image.
    ///
    /// - Parameter sent: the image in the request. The answer has its size, and no more bits a sample.
    /// - Throws: `AdapterError`, `.damaged`.
    func decoded(to sent: Raster) throws -> Raster {
        let image =
            try encoding.map { try picture.decoded(from: $0, size: sent.size) }
            ?? picture.decoded(size: sent.size, format: nil)
        let (bits, maximum) = (image.raster.format.bitsPerSample, sent.format.bitsPerSample)
        guard bits <= maximum else {
            throw AdapterError(
                .damaged, "the image that the plug-in gave has \(bits) bits a sample, and the page only \(maximum)",
                hint: "report it to the authors of the plug-in")
        }
        return image.raster
    }
}
