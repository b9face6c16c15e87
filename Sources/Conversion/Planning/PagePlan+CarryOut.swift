internal import AdapterKit
internal import Imaging
internal import PageModel

/// A page's picture as the output gets it.
struct FinishedPicture: Sendable {
    var encoding: ImageEncoding
    var size: PixelSize?
    var bytes: [UInt8]
    /// What is wrong with it, one line each.
    var defects: [String] = []
    /// What it lost that only its data could tell; a half sentence.
    var loss: String?
}

extension PagePlan {
    /// Does what the plan says.
    func carryOut(limits: Limits) async throws -> FinishedPicture {
        switch step {
        case .copy(let picture):
            let bytes = try await picture.read()
            let defect = PictureCheck.defect(in: bytes, picture.encoding)
            return FinishedPicture(
                encoding: picture.encoding, size: picture.uprightSize, bytes: bytes, defects: defect.map { [$0] } ?? [])
        case .operate(let picture, let framing, let format):
            try PagePlan.check(framing.source, limits)
            let bytes = try await picture.read()
            return try PagePlan.faulting { () throws(PictureFault) in
                try PagePlan.operate(bytes, framing, format)
            }
        case .restore(let picture):
            let bytes = try await picture.read()
            return try PagePlan.faulting { () throws(PictureFault) in
                FinishedPicture(encoding: .jpeg, size: picture.size, bytes: try JXLReconstruction.jpeg(of: bytes))
            }
        case .remake(let picture, let operations, let parameters):
            try PagePlan.check(operations.framing.source, limits)
            let bytes = try await picture.read()
            return try PagePlan.remake(bytes, picture.encoding, operations, parameters, limits)
        case .store(let picture, let operations, let parameters):
            try PagePlan.check(picture.size, limits)
            return try PagePlan.finished(try await picture.read(), operations, parameters)
        case .draw(let picture, let operations, let parameters):
            try PagePlan.check(picture.size, limits)
            var drawing = try await picture.draw()
            drawing.raster = drawing.raster.withoutNeedlessColor()
            return try PagePlan.finished(drawing, operations, parameters)
        case .join(let row):
            try PagePlan.check(row.size, limits)
            return try await row.carryOut()
        case .compose(let composition):
            try PagePlan.check(composition.operations.framing.source, limits)
            return try await composition.carryOut(limits: limits)
        }
    }

    private static func operate(
        _ bytes: [UInt8], _ framing: Framing, _ format: ImageEncoding
    ) throws(PictureFault) -> FinishedPicture {
        var result = JPEGSurgery.Result(file: bytes)
        if framing != Framing(framing.source) { result = try JPEGSurgery.cut(bytes, to: framing) }
        return FinishedPicture(
            encoding: format, size: framing.rect.size,
            bytes: format == .jpegXL ? try JXLEncoder.transcode(result.file) : result.file,
            defects: result.diagnostic.map { ["the JPEG is damaged (\($0))"] } ?? [])
    }

    /// - Throws: `.unsupported` when the result would be no smaller, and is to be, or would lack some of the pictures in
    ///   the file, and must not.
    private static func remake(
        _ bytes: [UInt8], _ encoding: ImageEncoding, _ operations: PixelOperations, _ parameters: EncodingParameters,
        _ limits: Limits
    ) throws(AdapterError) -> FinishedPicture {
        let count = PictureCount.pictures(in: bytes)
        if parameters.mustKeepAll && count > 1 { throw AdapterError(.unsupported, "it holds \(count) pictures") }
        let lost = count > 1 ? ["only the first of its \(count) pictures is kept"] : []
        let finished = try faulting { () throws(PictureFault) in
            guard let operations = operations.held(PictureHeader(bytes)?.orientation ?? .upright) else {
                throw PictureFault("nothing would be left of it")
            }
            let drawing = try PictureDecoder.decode(bytes, encoding, mostPixels: limits.pixels)
            var finished = try make(drawing, operations, parameters, source: bytes)
            finished.defects = drawing.diagnostics.map { "the \(encoding.name) is damaged (\($0))" } + lost
            return finished
        }
        if parameters.mustShrink && finished.bytes.count >= bytes.count {
            throw AdapterError(.unsupported, "it would be no smaller")
        }
        return finished
    }

    private static func finished(
        _ drawing: DecodedImage, _ operations: PixelOperations, _ parameters: EncodingParameters
    ) throws(AdapterError) -> FinishedPicture {
        try faulting { () throws(PictureFault) in
            var finished = try make(drawing, operations, parameters, source: nil)
            // One fault draws others after it: the first says most.
            finished.defects = drawing.diagnostics.first.map { ["something may be missing from it (\($0))"] } ?? []
            return finished
        }
    }

    /// Changes and encodes a picture.
    ///
    /// - Parameter source: the bytes it was decoded from.
    static func make(
        _ drawing: DecodedImage, _ operations: PixelOperations, _ parameters: EncodingParameters, source: [UInt8]?
    ) throws(PictureFault) -> FinishedPicture {
        // Samples that do not stay as they are are made for one space of colours: that of all programs.
        let isKept = parameters.isLossless && operations.keepsPixels
        let raster = try operations.carryOut(on: isKept ? drawing.raster : drawing.raster.withoutProfile())
        let losses = [drawing.loss, PictureEncoder.loss(of: raster.format, in: parameters.format)].compactMap { $0 }
        return FinishedPicture(
            encoding: parameters.format, size: raster.size,
            bytes: try PictureEncoder.encode(raster, as: parameters.format, parameters.fidelity(source)),
            loss: losses.isEmpty ? nil : losses.joined(separator: ", "))
    }

    static func faulting<Value>(_ body: () throws(PictureFault) -> Value) throws(AdapterError) -> Value {
        do {
            return try body()
        } catch {
            throw AdapterError(error)
        }
    }

    static func check(_ size: PixelSize, _ limits: Limits) throws(AdapterError) {
        if size.area > limits.pixels {
            throw AdapterError(
                .tooLarge, "a picture of \(size) pixels is more than the \(limits.pixels) allowed",
                advice: "--max-pixels allows more, and a lower --dpi draws fewer")
        }
    }
}

extension AdapterError {
    /// What is wrong with a picture, as an error of its page.
    init(_ fault: PictureFault, page: String? = nil) {
        self.init(fault.kind == .unsupported ? .unsupported : .damaged, fault.message, page: page)
    }
}
