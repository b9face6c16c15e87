internal import ArgumentParser
internal import PageModel

/// The options that change every page's image.
struct PictureOptions: ParsableArguments {
    @Option(help: .option("crop"))
    var crop: String?

    @Option(help: .option("rotate"), completion: .list(["90", "180", "270"]))
    var rotate: Int?

    @Option(help: .option("fit"))
    var fit: String?

    @Flag(help: .option("enlarge"))
    var enlarge = false

    @Flag(help: .option("gray"))
    var gray = false

    @Option(help: .option("shades"), completion: .list(["2", "4", "16"]))
    var shades: Int?

    @Option(help: .option("levels"))
    var levels: String?

    @Option(help: .option("gamma"))
    var gamma: Double?

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
        if let crop, Insets(crop) == nil {
            throw ValidationError(
                message: "--crop takes lengths like 40 or 5%, one, two or four of them, not '\(crop)'")
        }
        if let rotate, ![90, 180, 270].contains(rotate) {
            throw ValidationError(message: "--rotate takes 90, 180 or 270, not '\(rotate)'")
        }
        if let fit, FitBox(fit, enlarges: enlarge) == nil {
            throw ValidationError(message: "--fit takes a box like 1072x1448, 1072x or x1448, not '\(fit)'")
        }
        if enlarge && fit == nil { throw ValidationError(message: "--enlarge needs --fit") }
        if let shades, ![2, 4, 16].contains(shades) {
            throw ValidationError(message: "--shades takes 2, 4 or 16, not '\(shades)'")
        }
        if let levels, Tones(levels: levels) == nil {
            throw ValidationError(
                message:
                    "--levels takes two percentages, the smaller one first, like 10,95, not '\(levels)'")
        }
        if let gamma, !(0.1...10).contains(gamma) {
            throw ValidationError(message: "--gamma takes a number from 0.1 to 10, not '\(gamma)'")
        }
        if let imageFormat, imageFormat != "keep", format == nil {
            let known = EncodingRequest.formats.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(message: "--image-format takes keep, \(known), not '\(imageFormat)'")
        }
        if let quality, !(1...100).contains(quality) {
            throw ValidationError(message: "--quality takes a number from 1 to 100, not '\(quality)'")
        }
        if quality != nil, let format, [.png, .tiff].contains(format) {
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

    /// The edits of the options, in the order in which they are made.
    var edits: [Edit] {
        var tones = levels.flatMap(Tones.init(levels:)) ?? Tones()
        tones.gamma = gamma ?? 1
        let edits: [Edit?] = [
            crop.flatMap { Insets($0) }.map { .inset($0) },
            rotate.map { .turn(quarters: $0 / 90) },
            fit.flatMap { FitBox($0, enlarges: enlarge) }.map { .fit($0) },
            gray || shades != nil ? .gray : nil,
            tones.isNeutral ? nil : .tones(tones),
            // 2, 4 and 16 gray levels need 1, 2 and 4 bits.
            shades.map { .depth(bits: $0.trailingZeroBitCount) },
        ]
        return edits.compactMap { $0 }
    }

    var encoding: EncodingRequest { EncodingRequest(format: format, quality: quality) }

    private var format: ImageEncoding? {
        imageFormat.flatMap { name in EncodingRequest.formats.first { $0.rawValue == name || $0.fileExtension == name }
        }
    }
}
