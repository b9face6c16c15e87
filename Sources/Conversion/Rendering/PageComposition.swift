internal import AdapterKit
internal import Imaging
internal import PageModel

/// JPEGs that are placed next to each other in one file, with unchanged coefficients.
struct CoefficientRow: Sendable {
    var pictures: [EncodedPicture]
    /// The pieces of `pictures`, in the same order.
    var pieces: [JPEGRow.Piece]
    var size: PixelSize
    var background: RGB
    /// The format: JPEG, or JPEG XL that holds a JPEG.
    var format: ImageEncoding

    func joined() async throws -> PageResult {
        var files: [[UInt8]] = []
        for picture in pictures { files.append(try await picture.read()) }
        return try AdapterError.rendering { () throws(PictureFault) in
            guard let header = JPEGHeader(files[0]) else { throw PictureFault("the JPEG is damaged") }
            let background = background.levels(in: header)
            let covered = pieces.reduce(0) { $0 + $1.place.size.area }
            guard background != nil || covered == size.area else {
                throw PictureFault("the JPEG has no color for empty areas")
            }
            let result = try JPEGSurgery.compose(
                zip(files, pieces).map { file, piece in
                    JPEGSurgery.Piece(
                        file: file, framing: piece.framing, x: piece.place.x, y: piece.place.y,
                        size: piece.place.size)
                }, size: size, background: background)
            var file = JPEGMetadata.marking(pages: pieces.map(\.page), mergedInto: size, in: result.file)
            if pictures.contains(where: { $0.orientation != .upright }) {
                file = JPEGMetadata.resettingOrientation(of: file)
            }
            let bytes = format == .jpegXL ? try JXLEncoder.transcode(file) : file
            return PageResult(
                .encoded(EncodedPage(encoding: format, bytes: bytes, size: size)),
                defects: result.diagnostic.map { ["a JPEG is damaged (\($0))"] } ?? [])
        }
    }
}

/// Pages that are decoded and placed next to each other.
struct PageComposition: Sendable {
    struct Part: Sendable {
        /// The page's name.
        var name: String
        /// The representations of its image, the best first, with the operations on each.
        var representations: [(representation: Picture.Representation, operations: PixelOperations)]
        var place: PixelRect
    }

    var parts: [Part]
    var background: RGB
    var size: PixelSize

    /// Returns the pages' pixels on one raster.
    ///
    /// - Throws: an error that names the page which cannot be rendered.
    func composed(_ renderer: Renderer) async throws -> Renderer.Rendered {
        var placed: [(raster: Raster, x: Int, y: Int)] = []
        var (diagnostics, losses, animations) = ([Message](), [Message](), [Message]())
        var finest: [UInt8]?
        for part in parts {
            let rendered = try await part.rendered(renderer.of(part: part.name))
            let raster = rendered.image.raster
            if rendered.pictureCount > 1 {
                animations.append("\(page: part.name): only the first of its \(rendered.pictureCount) images is kept")
                losses.append("only the first of the \(rendered.pictureCount) images of \(page: part.name) is kept")
            } else {
                diagnostics += rendered.image.diagnostics.prefix(1).map { "\(page: part.name): \($0)" }
                losses += [rendered.image.loss].compactMap { $0 }
            }
            // A fallback representation may have another resolution than the planned one.
            let size = part.place.size
            let scaled = try AdapterError.rendering { () throws(PictureFault) in
                raster.size == size ? raster : try raster.scaled(to: size)
            }
            placed.append((scaled, part.place.x, part.place.y))
            finest = PageComposition.finer(finest, rendered.file)
        }
        if Set(placed.map(\.raster.iccProfile)).count > 1 {
            try AdapterError.rendering { () throws(PictureFault) in
                var isChanged = false
                for (index, raster) in placed.map(\.raster).enumerated() {
                    if let profile = raster.iccProfile, try Raster.isChangedInSRGB(raster.format, profile) == true {
                        isChanged = true
                    }
                    placed[index].raster = try raster.withoutProfile()
                }
                if isChanged { losses.append("converted to sRGB") }
            }
        }
        // Of a page's defects only the first is reported.
        if !animations.isEmpty { diagnostics.insert(animations.joined(separator: "; "), at: 0) }
        let raster = Raster.composed(placed, size: size, background: background)
        return Renderer.Rendered(
            image: DecodedImage(
                raster: raster, diagnostics: diagnostics,
                loss: losses.isEmpty ? nil : losses.unique.joined(separator: ", ")),
            file: finest)
    }

    /// Returns the JPEG that was encoded with less loss.
    private static func finer(_ one: [UInt8]?, _ other: [UInt8]?) -> [UInt8]? {
        guard let other, let second = JPEGTables(other) else { return one }
        guard let one, let first = JPEGTables(one) else { return other }
        return second.coarseness < first.coarseness ? other : one
    }
}

extension PageComposition.Part {
    /// Returns the page's edited image, from the first representation that can be rendered.
    fileprivate func rendered(_ renderer: Renderer) async throws -> Renderer.Rendered {
        var fault = AdapterError(.unsupported, "\(name) has no image")
        for (representation, operations) in representations {
            do {
                return try await renderer.render(representation, operations, keepsProfile: true)
            } catch let error as CancellationError {
                throw error
            } catch let omitted as OmittedOperation {
                throw omitted
            } catch {
                fault = AdapterError(rendering: error)
                fault.message = "\(name): \(fault.message)"
            }
        }
        throw fault
    }
}
