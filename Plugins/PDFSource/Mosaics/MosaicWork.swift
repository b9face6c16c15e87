internal import Imaging
internal import PageModel

/// The task that reads the pieces of a scan and joins them, with the overlay.
struct MosaicWork: Sendable {
    let mosaic: ScanMosaic
    /// The compositor of the content over the scan; nil without such content.
    let compositor: OverlayCompositor?
    /// The functions that read one piece, as the file of a JPEG and as samples.
    let bytes: @Sendable (Extraction, JPEGRepair?) async throws -> [UInt8]
    let samples: @Sendable (Extraction) async throws -> DecodedImage

    /// The representations in which the scan is available, the best first.
    var representations: [Picture.Representation] {
        if let layout = mosaic.jpeg { return [encoded(layout)] }
        return [sampled]
    }

    /// The additional processing, for the report; nil if a single piece is returned as it is.
    private var joining: Message? {
        guard mosaic.pieces.count > 1 else { return nil }
        return "\(mosaic.pieces.count) pieces of the scan joined"
    }

    private func encoded(_ layout: ScanMosaic.JPEGLayout) -> Picture.Representation {
        let first = layout.jpegs[0]
        let repair = [joining, first.repair?.description].compactMap { $0 }
        let place = mosaic.pieces.count == 1 ? mosaic.pieces[0].extraction.place : nil
        var picture = EncodedPicture(
            encoding: .jpeg, size: mosaic.size, byteCount: place?.count,
            grid: compositor == nil ? first.grid : first.gridUnderOverlay, joinKey: first.joinKey,
            isGray: compositor == nil && first.isGray, pending: mosaic.pending,
            repair: repair.isEmpty ? nil : repair.joined(separator: ", ")
        ) { try await joined(layout) }
        if let compositor { picture.composite(compositor) }
        return .encoded(picture)
    }

    private func joined(_ layout: ScanMosaic.JPEGLayout) async throws -> [UInt8] {
        let repair = layout.jpegs[0].repair
        if mosaic.pieces.count == 1, mosaic.pieces[0].extraction.size == mosaic.size {
            return try await bytes(mosaic.pieces[0].extraction, repair)
        }
        var pieces: [JPEGSurgery.Piece] = []
        for (piece, place) in zip(mosaic.pieces, layout.places) {
            let file = try await bytes(piece.extraction, repair)
            pieces.append(
                JPEGSurgery.Piece(
                    file: file, framing: Framing(piece.extraction.size), x: place.x, y: place.y, size: place.size))
        }
        return try AdapterError.compositing { () throws(PictureFault) in
            let background = JPEGHeader(pieces[0].file).flatMap { RGB.white.levels(in: $0) }
            let whole = try JPEGSurgery.compose(pieces, size: mosaic.size, background: background)
            if let fault = whole.diagnostic { throw PictureFault(fault) }
            // Its last MCUs show image data beyond the edges.
            return layout.surplus.isEmpty
                ? whole.file : try JPEGSurgery.patch(whole.file, with: OverlayPixels(white: layout.surplus)).file
        }
    }

    private var sampled: Picture.Representation {
        let names = mosaic.pieces.map(\.extraction.kind.compression).unique
        let isWhole = compositor == nil && mosaic.pieces.count == 1
        var picture = SampledPicture(
            compression: mosaic.pieces.count > 1 ? CompressionName.joined(mosaic.pieces.count, names) : names[0],
            size: mosaic.size,
            format: isWhole ? mosaic.pieces[0].extraction.wholeFormat : nil, pending: mosaic.pending
        ) { try await joinedSamples() }
        if let compositor { picture.composite(compositor) }
        return .sampled(picture)
    }

    private func joinedSamples() async throws -> DecodedImage {
        var (parts, image) = ([(raster: Raster, x: Int, y: Int)](), DecodedImage?.none)
        for piece in mosaic.pieces {
            let decoded = try await samples(piece.extraction)
            guard decoded.raster.size == piece.extraction.size else {
                throw AdapterError(.damaged, "a piece of the scan does not have the size stated in the PDF")
            }
            parts.append((decoded.raster, piece.place.x, piece.place.y))
            image = image ?? decoded
            if parts.count > 1 { image?.diagnostics += decoded.diagnostics }
        }
        guard var image else { throw AdapterError(.unsupported, "the page has no image") }
        if parts.count > 1 || image.raster.size != mosaic.size {
            image.raster = Raster.composed(parts, size: mosaic.size, background: .white)
        }
        return image
    }
}

extension Extraction.Kind {
    /// The compression, for the report.
    fileprivate var compression: String {
        switch self {
        case .jpeg: "JPEG"
        case .jpeg2000: "JPEG 2000"
        case .jbig2: "JBIG2"
        case .samples(let compression), .bilevel(let compression): compression
        case .fax(let parameters): parameters.name
        }
    }
}

extension OverlayPixels {
    /// Creates an overlay of white paper over parts of an image.
    fileprivate init(white rects: [PixelRect]) {
        self.init(
            rects.map { rect in
                let white = [UInt8](repeating: 255, count: 3 * rect.width * rect.height)
                return Area(rect, black: white, white: white)
            })
    }
}
