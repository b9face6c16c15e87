internal import OrderedJSON
package import PageModel

extension WorkerAnswer {
    /// Makes the answer that transfers an image.
    package init(_ image: DecodedImage) {
        let raster = image.raster
        var members: [(key: String, value: JSON)] = [
            ("size", [.integer(raster.size.width), .integer(raster.size.height)]),
            ("format", .string(raster.format.word)), ("bits", .integer(raster.format.bitsPerSample)),
            ("pictures", .integer(image.pictureCount)),
            ("diagnostics", JSON(image.diagnostics.map(\.answer))), ("loss", image.loss?.answer ?? .null),
        ]
        if let resolution = raster.resolution {
            members.append(("dpi", [.number(resolution.horizontal), .number(resolution.vertical)]))
        }
        if let paper = image.paper {
            members.append(("paper", JSON([paper.red, paper.green, paper.blue].map { .integer(Int($0)) })))
        }
        var parts = [raster.samples]
        if case .palette(_, let colors) = raster.format { parts.append(colors) }
        if let profile = raster.iccProfile {
            parts.append(profile)
            members.append(("icc", true))
        }
        self.init(.object(members), parts)
    }
}

extension DecodedImage {
    /// Reads the image that an answer transfers; nil if the answer does not contain the image that it declares.
    package init?(_ answer: WorkerAnswer) {
        let numbers = (answer.end["size"]?.elements ?? []).compactMap(\.asInteger)
        var parts = answer.parts[...]
        guard numbers.count == 2, numbers.allSatisfy({ (1...(1 << 31)).contains($0) }), let samples = parts.popFirst(),
            let bits = answer.end["bits"]?.asInteger, let word = answer.end["format"]?.asString,
            let format = PixelFormat(word, bits: bits, colors: word == "palette" ? parts.popFirst() : nil)
        else { return nil }
        let size = PixelSize(width: numbers[0], height: numbers[1])
        let (count, isTooMuch) = Raster.bytesPerRow(width: size.width, format: format)
            .multipliedReportingOverflow(by: size.height)
        guard !isTooMuch, count == samples.count else { return nil }
        let dpi = (answer.end["dpi"]?.elements ?? []).compactMap(\.asNumber)
        let raster = Raster(
            size: size, format: format, samples: samples,
            resolution: dpi.count == 2 ? Resolution(horizontal: dpi[0], vertical: dpi[1]) : nil,
            iccProfile: answer.end["icc"]?.asBoolean == true ? parts.popFirst() : nil)
        self.init(
            raster: raster, diagnostics: (answer.end["diagnostics"]?.elements ?? []).compactMap(Message.init(answer:)),
            loss: Message(answer: answer.end["loss"]))
        pictureCount = max(1, answer.end["pictures"]?.asInteger ?? 1)
        let levels = (answer.end["paper"]?.elements ?? []).compactMap { $0.asInteger.flatMap { UInt8(exactly: $0) } }
        if levels.count == 3 { paper = RGB(red: levels[0], green: levels[1], blue: levels[2]) }
    }
}

extension PixelFormat {
    fileprivate var word: String {
        switch self {
        case .gray: "gray"
        case .rgb: "rgb"
        case .palette: "palette"
        case .grayAlpha: "gray-alpha"
        case .rgba: "rgba"
        }
    }

    fileprivate init?(_ word: String, bits: Int, colors: [UInt8]?) {
        switch (word, bits) {
        case ("gray", 1), ("gray", 2), ("gray", 4), ("gray", 8), ("gray", 16): self = .gray(bits: bits)
        case ("rgb", 8), ("rgb", 16): self = .rgb(bits: bits)
        case ("gray-alpha", 8), ("gray-alpha", 16): self = .grayAlpha(bits: bits)
        case ("rgba", 8), ("rgba", 16): self = .rgba(bits: bits)
        case ("palette", 1), ("palette", 2), ("palette", 4), ("palette", 8):
            guard let colors, colors.count % 3 == 0, colors.count <= 768 else { return nil }
            self = .palette(bits: bits, colors: colors)
        default: return nil
        }
    }
}
