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
}

extension PagePlan {
    /// Does what the plan says.
    func carryOut(limits: Limits) async throws -> FinishedPicture {
        switch step {
        case .copy(let picture):
            let bytes = try await picture.read()
            let defect = PictureCheck.defect(in: bytes, picture.encoding)
            return FinishedPicture(
                encoding: picture.encoding, size: picture.size, bytes: bytes, defects: defect.map { [$0] } ?? [])
        case .operate(let picture, let framing):
            try PagePlan.check(framing.source, limits)
            let bytes = try await picture.read()
            let result = try PagePlan.faulting { () throws(PictureFault) in try JPEGSurgery.cut(bytes, to: framing) }
            return FinishedPicture(
                encoding: .jpeg, size: framing.rect.size, bytes: result.file,
                defects: result.complaint.map { ["the JPEG is damaged (\($0))"] } ?? [])
        case .recode(let picture, let framing):
            try PagePlan.check(framing.source, limits)
            return try PagePlan.recode(try await picture.read(), framing, limits)
        case .store(let picture, let framing):
            try PagePlan.check(picture.size, limits)
            return finished(try await picture.read(), framing)
        case .draw(let picture, let framing):
            try PagePlan.check(picture.size, limits)
            var drawing = try await picture.draw()
            drawing.raster = drawing.raster.withoutNeedlessColor()
            return finished(drawing, framing)
        }
    }

    private static func recode(
        _ bytes: [UInt8], _ framing: Framing, _ limits: Limits
    ) throws(AdapterError) -> FinishedPicture {
        try faulting { () throws(PictureFault) in
            let drawing = try JPEGDecoder.decode(bytes, mostPixels: limits.pixels)
            guard drawing.raster.size == framing.source else { throw PictureFault("its size is not what it said") }
            let raster = drawing.raster.framed(framing)
            let writer = try JPEGWriter(
                size: raster.size, format: raster.format,
                fidelity: JPEGTables(bytes).map { .like($0) } ?? .quality(92), resolution: raster.resolution,
                iccProfile: raster.iccProfile)
            try writer.write(raster.samples)
            return FinishedPicture(
                encoding: .jpeg, size: raster.size, bytes: try writer.finish(),
                defects: drawing.complaints.map { "the JPEG is damaged (\($0))" })
        }
    }

    private func finished(_ drawing: Drawing, _ framing: Framing) -> FinishedPicture {
        let raster = drawing.raster.framed(framing)
        // One fault draws others after it: the first says most.
        let defects = drawing.complaints.first.map { ["something may be missing from it (\($0))"] } ?? []
        return FinishedPicture(
            encoding: .png, size: raster.size, bytes: PNGWriter.encode(raster), defects: defects)
    }

    private static func faulting<Value>(_ body: () throws(PictureFault) -> Value) throws(AdapterError) -> Value {
        do {
            return try body()
        } catch {
            throw AdapterError(.damaged, error.message)
        }
    }

    private static func check(_ size: PixelSize, _ limits: Limits) throws(AdapterError) {
        if size.area > limits.pixels {
            throw AdapterError(
                .tooLarge, "a picture of \(size) pixels is more than the \(limits.pixels) allowed",
                advice: "use a lower --dpi")
        }
    }
}
