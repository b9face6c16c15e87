internal import AdapterKit
internal import Files
internal import Imaging
internal import OrderedJSON
internal import PageModel
internal import Processes

/// An image from a plug-in: its bytes and their description.
struct GivenPicture: Sendable {
    let bytes: [UInt8]
    private let form: String?
    private let size: PixelSize?
    private let resolution: Double?
    private let profile: [UInt8]?
    private let diagnostics: [Message]
    private let loss: Message?

    /// The location of an answer's bytes.
    struct Place {
        let answer: JSON
        /// The offset in the input; nil for the shared-memory buffer.
        private let offset: Int?
        let count: Int

        /// Requests an image.
        ///
        /// - Throws: `PluginProcess.Fault`; `AdapterError`, `.tooLarge` for one with too many bytes.
        init(
            _ id: Int, method: Int, _ request: RenderingRequest?, _ opener: BookOpener, _ process: PluginProcess
        ) throws {
            var more: [(key: String, value: JSON)] = [("representation", .integer(method))]
            if let request {
                more += [
                    ("dpi", .number(request.resolution)),
                    ("size", [.integer(request.size.width), .integer(request.size.height)]),
                ]
            }
            answer = try process.request("read", id, more, seconds: opener.seconds)
            if let span = answer["span"] {
                let numbers = span.elements?.compactMap(\.asInteger) ?? []
                guard numbers.count == 2, numbers[0] >= 0, numbers[1] >= 0, numbers[0] <= opener.file.size,
                    numbers[1] <= opener.file.size - numbers[0]
                else {
                    throw PluginProcess.Fault.protocolViolation(
                        "gives page \(id) as a part that the input does not have")
                }
                (offset, count) = (numbers[0], numbers[1])
            } else {
                guard let bytes = answer["bytes"]?.asInteger, bytes >= 0 else {
                    throw PluginProcess.Fault.protocolViolation("gives page \(id) without a number of bytes")
                }
                (offset, count) = (nil, bytes)
            }
            try GivenPicture.check(count, limit: opener.limits.entryBytes)
        }

        /// Returns the first bytes, or all of them.
        func bytes(upTo limit: Int, _ opener: BookOpener, _ process: PluginProcess) throws -> [UInt8] {
            if let offset { return try opener.file.read(at: offset, exactly: min(count, limit)) }
            return try process.bytesInBuffer(min(count, limit))
        }
    }

    /// Requests an image and receives it.
    init(_ id: Int, method: Int, _ request: RenderingRequest?, _ opener: BookOpener, _ process: PluginProcess) throws {
        let place = try Place(id, method: method, request, opener, process)
        try self.init(
            id, place.answer, place.bytes(upTo: place.count, opener, process), resolution: request?.resolution)
    }

    /// Receives the image in the shared-memory buffer that an answer describes.
    ///
    /// - Throws: `PluginProcess.Fault`; `AdapterError`, `.tooLarge` if it has more bytes than the limit.
    init(inBufferOf process: PluginProcess, _ id: Int, _ answer: JSON, count: Int, limit: Int) throws {
        try GivenPicture.check(count, limit: limit)
        try self.init(id, answer, process.bytesInBuffer(count), resolution: nil)
    }

    /// - Parameter resolution: the resolution if the answer states none.
    private init(_ id: Int, _ answer: JSON, _ bytes: [UInt8], resolution usual: Double?) throws {
        self.bytes = bytes
        form = try answer.text("format", of: id)
        size = form == nil ? nil : try ExternalPicture.size(answer["size"], of: id)
        resolution = answer["dpi"]?.asNumber.flatMap { (1...10_000).contains($0) ? $0 : nil } ?? usual
        profile = try answer.profile(of: id)
        diagnostics = JSON.messages(answer["defects"])
        loss = JSON.message(answer["loss"])
    }

    private static func check(_ count: Int, limit: Int) throws(AdapterError) {
        guard count <= limit else {
            throw .beyondLimit("the page has \(count) bytes, and \(limit) is the limit")
        }
    }

    /// Returns the decoded image file.
    ///
    /// - Parameter size: the promised size.
    /// - Throws: `AdapterError`, `.damaged`.
    func decoded(from encoding: ImageEncoding, size: PixelSize) throws -> DecodedImage {
        do throws(PictureFault) {
            let image = try PictureDecoder.decode(bytes, encoding, maximumPixels: max(size.area, 1))
            guard image.raster.size == size else {
                throw PictureFault("it has \(image.raster.size) pixels instead of the promised \(size)")
            }
            if let diagnostic = image.diagnostics.first { throw PictureFault(diagnostic) }
            return image
        } catch {
            throw AdapterError(
                .damaged, "the image that the plug-in gave cannot be used: \(error.message)",
                hint: "report it to the authors of the plug-in")
        }
    }

    /// Returns the samples.
    ///
    /// - Parameters:
    ///   - size: the promised size.
    ///   - format: the promised format; nil for any.
    /// - Throws: `AdapterError`, `.damaged`.
    func decoded(size: PixelSize, format: PixelFormat?) throws -> DecodedImage {
        guard var raster = try PNM.raster(bytes) ?? bare(size: size, format: format) else {
            throw GivenPicture.fault(
                "are neither a binary PNM file of 8 or 16 bits nor as many as their size and format have")
        }
        guard raster.size == size, format == nil || raster.format == format else {
            throw GivenPicture.fault("have \(raster.size) pixels, or another format, instead of the promised \(size)")
        }
        raster.resolution = resolution.map { Resolution($0) }
        raster.iccProfile = profile
        return DecodedImage(raster: raster, diagnostics: diagnostics, loss: loss)
    }

    /// Returns samples without a header, of the size and format in the answer, or else of the promised ones.
    private func bare(size: PixelSize, format: PixelFormat?) throws -> Raster? {
        guard let format = try form.map(GivenPicture.knownFormat) ?? format else { return nil }
        let size = self.size ?? size
        let (count, isTooMuch) = Raster.bytesPerRow(width: size.width, format: format)
            .multipliedReportingOverflow(by: size.height)
        return isTooMuch || count != bytes.count ? nil : Raster(size: size, format: format, samples: bytes)
    }

    private static func knownFormat(_ name: String) throws -> PixelFormat {
        guard let format = format(name) else { throw fault("are of an unknown format '\(name)'") }
        return format
    }

    private static func fault(_ message: Message) -> AdapterError {
        AdapterError(
            .damaged, "the samples that the plug-in gave \(message)", hint: "report it to the authors of the plug-in")
    }

    /// Returns the format of samples with this name in the protocol.
    static func format(_ name: String) -> PixelFormat? {
        switch name {
        case "gray1": .gray(bits: 1)
        case "gray8": .gray(bits: 8)
        case "gray16": .gray(bits: 16)
        case "rgb8": .rgb(bits: 8)
        case "rgb16": .rgb(bits: 16)
        case "rgba8": .rgba(bits: 8)
        default: nil
        }
    }
}

/// Binary Netpbm images: P4, P5 and P6, whose rows are those of a raster, except for the meaning of 1 in a bitmap.
enum PNM {
    /// Returns nil for anything else, and for samples that do not use all values of 8 or 16 bits.
    static func raster(_ bytes: [UInt8]) -> Raster? {
        guard bytes.count > 2, bytes[0] == UInt8(ascii: "P"), let kind = [52: 4, 53: 5, 54: 6][Int(bytes[1])] else {
            return nil
        }
        var place = 2
        func number() -> Int? {
            while place < bytes.count {
                if bytes[place] == UInt8(ascii: "#") {
                    while place < bytes.count, bytes[place] != 10 { place += 1 }
                } else if [9, 10, 11, 12, 13, 32].contains(bytes[place]) {
                    place += 1
                } else {
                    break
                }
            }
            var value = 0
            let start = place
            while place < bytes.count, place - start < 9, (48...57).contains(bytes[place]) {
                value = value * 10 + Int(bytes[place] - 48)
                place += 1
            }
            return place > start ? value : nil
        }
        guard let width = number(), let height = number(), width > 0, height > 0 else { return nil }
        let maximumSample = kind == 4 ? 1 : number()
        guard let maximumSample, [1: 4, 255: 8, 65_535: 16][maximumSample] != nil, (maximumSample == 1) == (kind == 4)
        else { return nil }
        let bits = maximumSample == 1 ? 1 : maximumSample == 255 ? 8 : 16
        let format: PixelFormat = kind == 6 ? .rgb(bits: bits) : .gray(bits: bits)
        // Exactly one white-space character ends the header.
        place += 1
        let (count, isTooMuch) = Raster.bytesPerRow(width: width, format: format).multipliedReportingOverflow(
            by: height)
        guard !isTooMuch, place <= bytes.count, bytes.count - place == count else { return nil }
        let samples = bytes[place...]
        return Raster(
            size: PixelSize(width: width, height: height), format: format,
            samples: kind == 4 ? samples.map { ~$0 } : Array(samples))
    }

    /// Returns an image of gray or color, with samples of 8 or 16 bits, as a file.
    static func file(_ raster: Raster) -> [UInt8] {
        let (kind, maximum) = (raster.format.hasColor ? 6 : 5, raster.format.bitsPerSample == 8 ? 255 : 65_535)
        return Array("P\(kind)\n\(raster.size.width) \(raster.size.height)\n\(maximum)\n".utf8) + raster.samples
    }
}
