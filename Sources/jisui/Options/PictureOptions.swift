internal import ArgumentParser
internal import PageModel

/// The options for the encoding of images, and for their limits.
struct PictureOptions: ParsableArguments {
    @Option(help: .option("image-format"), completion: .list(["keep"] + EncodingRequest.formats.map(\.rawValue)))
    var imageFormat: String?

    @Option(help: .option("quality"))
    var quality: Int?

    @Option(help: .option("max-pixels"))
    var maxPixels: Int?

    @Option(help: .option("max-memory"))
    var maxMemory: Int?

    @Flag(help: .option("lossless"))
    var lossless = false

    func validate() throws {
        if let imageFormat, imageFormat != "keep", format == nil {
            let known = EncodingRequest.formats.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(message: "--image-format takes keep, \(known), not '\(imageFormat)'")
        }
        if let quality, !(1...100).contains(quality) {
            throw ValidationError(message: "--quality takes a number from 1 to 100, not '\(quality)'")
        }
        if quality != nil, let format, !format.hasQuality {
            throw ValidationError(message: "--quality has no effect on \(format.name), which keeps every pixel")
        }
        if quality != nil && lossless { throw ValidationError(message: "--quality and --lossless exclude each other") }
        if let maxPixels, !(1...10_000).contains(maxPixels) {
            throw ValidationError(message: "--max-pixels takes millions of pixels from 1 to 10000, not '\(maxPixels)'")
        }
        if let maxMemory, !(100...1_000_000).contains(maxMemory) {
            throw ValidationError(message: "--max-memory takes megabytes from 100 to 1000000, not '\(maxMemory)'")
        }
    }

    var encoding: EncodingRequest { EncodingRequest(format: format, quality: quality) }

    private var format: ImageEncoding? {
        imageFormat.flatMap { name in EncodingRequest.formats.first { $0.rawValue == name || $0.fileExtension == name }
        }
    }
}
