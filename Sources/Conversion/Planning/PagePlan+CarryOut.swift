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
        switch way {
        case .encoded(let picture):
            let bytes = try await picture.read()
            let defect = PictureCheck.defect(in: bytes, picture.encoding)
            return FinishedPicture(
                encoding: picture.encoding, size: picture.size, bytes: bytes, defects: defect.map { [$0] } ?? [])
        case .sampled(let picture):
            try PagePlan.check(picture.size, limits)
            return finished(try await picture.read())
        case .drawn(let picture):
            try PagePlan.check(picture.size, limits)
            var drawing = try await picture.draw()
            drawing.raster = drawing.raster.withoutNeedlessColor()
            return finished(drawing)
        }
    }

    private func finished(_ drawing: Drawing) -> FinishedPicture {
        let raster = drawing.raster.applying(edits)
        // One fault draws others after it: the first says most.
        let defects = drawing.complaints.first.map { ["something may be missing from it (\($0))"] } ?? []
        return FinishedPicture(
            encoding: .png, size: raster.size, bytes: PNGWriter.encode(raster), defects: defects)
    }

    private static func check(_ size: PixelSize, _ limits: Limits) throws(AdapterError) {
        if size.area > limits.pixels {
            throw AdapterError(
                .tooLarge, "a picture of \(size) pixels is more than the \(limits.pixels) allowed",
                advice: "use a lower --dpi")
        }
    }
}
