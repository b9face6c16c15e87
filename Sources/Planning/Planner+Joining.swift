internal import AdapterKit
internal import Imaging
internal import PageModel

/// Plans that join the coefficients or the pixels of several pages.
extension Planner {
    /// The reason that pages cannot be joined without loss.
    struct JoinBlocker: Error {
        /// The note; nil if the treatment itself is the reason.
        let note: Note?

        init(_ note: Note?) { self.note = note }
    }

    /// Returns the plan that keeps the JPEGs' coefficients.
    ///
    /// - Returns: the plan, or the reason that they cannot be kept.
    func join(_ joined: JoinedPicture, _ page: Page) -> Result<PagePlan, JoinBlocker> {
        let target = request.format ?? .jpeg
        guard target == .jpeg || target == .jpegXL else { return .failure(JoinBlocker(nil)) }
        var pictures: [EncodedPicture] = []
        var parts: [JPEGRow.Part] = []
        for part in joined.parts {
            guard case .encoded(let picture)? = part.picture.representations.first, picture.encoding == .jpeg,
                let grid = picture.grid, let size = picture.size
            else { return .failure(JoinBlocker(Planner.nature(of: part.picture, part.page.name))) }
            guard
                let operations = PixelOperations(
                    size, picture.orientation, picture.pending.map(PageEdit.move) + part.page.edits,
                    isGray: picture.isGray)
            else { return .failure(JoinBlocker(Note(.nothingLeft, ["page": part.page.name]))) }
            guard operations.keepsPixels else {
                return .failure(
                    JoinBlocker(Note(.partIsChanged, ["page": part.page.name], operations: operations.notes)))
            }
            if let first = pictures.first, let note = Note.difference(between: [first.joinKey, picture.joinKey]) {
                return .failure(JoinBlocker(note))
            }
            pictures.append(picture)
            parts.append(JPEGRow.Part(framing: operations.framing, grid: grid, place: part.place))
        }
        let isCovered = joined.parts.reduce(0) { $0 + $1.place.size.area } == joined.size.area
        if pictures.contains(where: \.isGray) && !joined.background.isGray && !isCovered {
            return .failure(JoinBlocker(Note(.noColorForGaps)))
        }
        let placed =
            joined.isColumn
            ? JPEGRow(column: parts, size: joined.size) : JPEGRow(parts, size: joined.size, seam: joined.seam)
        guard let row = placed,
            max(row.size.width, row.size.height) <= JPEGWriter.maximumPixelsPerSide
        else {
            // A column that is scaled is not joined anyway.
            let changes = PixelOperations(joined.size, .upright, page.edits, isGray: pictures.allSatisfy(\.isGray))
            return .failure(JoinBlocker(joined.isColumn && changes?.isNoOp == false ? nil : Note(.offGrid)))
        }
        guard
            let operations = PixelOperations(
                row.size, .upright, page.edits, isGray: pictures.allSatisfy(\.isGray)), operations.isNoOp
        else { return .failure(JoinBlocker(nil)) }
        let basis = Reason(Note(.joinedCoefficients, "pages", joined.parts.count))
        let reason = Planner.deviations(row, joined).reduce(basis) { $0.with(.detail, $1) }
            .with(.detail, target == .jpegXL ? Note(.keptInJPEGXL) : nil)
        return .success(
            PagePlan(
                pictures.contains { $0.overlay != nil } ? .patched : .lossless, reason, encoding: target,
                size: row.size,
                JoinCoefficients(
                    pictures: zip(joined.parts, pictures).map { ($0.page.name, $1) }, pieces: row.pieces,
                    size: row.size, background: joined.background,
                    format: target, isRow: !joined.isColumn)))
    }

    /// Returns the plan that joins the pages' pixels.
    func compose(
        _ joined: JoinedPicture, _ page: Page, because cause: Note?
    ) throws(AdapterError) -> PagePlan {
        var (isDrawn, keepsPixels, isLossy) = (false, true, false)
        var encodings: Set<ImageEncoding?> = []
        var sources: [PixelSource] = []
        for part in joined.parts {
            var representations: [(representation: Picture.Representation, operations: PixelOperations)] = []
            for representation in part.picture.representations {
                guard let operations = try Planner.operations(representation, part.page) else { continue }
                if representations.isEmpty {
                    keepsPixels = keepsPixels && operations.keepsPixels
                    switch representation {
                    case .encoded(let picture):
                        encodings.insert(picture.encoding)
                        isLossy = isLossy || !picture.isLossless
                    case .drawn(let picture):
                        isDrawn = isDrawn || picture.layers == nil
                        keepsPixels = false
                        encodings.insert(nil)
                    case .sampled, .joined: encodings.insert(nil)
                    }
                }
                representations.append((representation, operations))
            }
            sources.append(PixelSource(name: part.page.name, representations: representations))
        }
        let operations = try Planner.operations(joined.size, .upright, page.edits, page)
        var own = encodings.count == 1 ? encodings.first ?? nil : nil
        if let format = own,
            max(operations.size.width, operations.size.height) > PictureEncoder.maximumPixelsPerSide(format)
        {
            own = nil
        }
        let parameters =
            capabilities.takesRasters
            ? nil
            : EncodingParameters(
                request, own: own, isLossy: isLossy, isDithered: operations.isDithered,
                formats: capabilities.formats)
        let isLossless = (parameters?.isLossless ?? true) && keepsPixels && operations.keepsPixels
        let reason = Reason(Note(.joinedPixels, "pages", joined.parts.count)).with(operations)
            .with(.detail, parameters?.note(from: own, in: capabilities)).with(.cause, cause)
        return PagePlan(
            isDrawn ? .drawn : isLossless ? .lossless : .encoded, reason, encoding: parameters?.format,
            size: operations.size, crop: operations.crop,
            ComposePages(
                pixelSources: sources, places: joined.parts.map(\.place), background: joined.background,
                size: joined.size, changes: operations, parameters: parameters))
    }

    /// Returns the reason that an image has no coefficients to join with others.
    private static func nature(of picture: Picture, _ name: String) -> Note {
        switch picture.representations.first {
        case .encoded(let encoded) where encoded.encoding == .jpeg: Note(.partNotCuttable, ["page": name])
        case .encoded(let encoded): Note(.partNotJPEG, ["page": name, "format": encoded.encoding.rawValue])
        case .sampled(let sampled): Note(.partIsSampled, ["page": name, "compression": sampled.compression])
        case .drawn(let drawn):
            Note(
                .partIsRendered, ["page": name, "resolution": String(drawn.roundedResolution)], text: picture.reason)
        case .joined, nil: Note(.partNotJPEG, ["page": name])
        }
    }

    /// Returns the deviations from the intended layout that the MCU grid causes.
    private static func deviations(_ row: JPEGRow, _ joined: JoinedPicture) -> [Note] {
        var notes: [Note] = []
        let more = row.size.width - joined.size.width
        if more != 0 { notes.append(Note(more > 0 ? .wider : .narrower, "pixels", abs(more))) }
        let lost = row.pieces.map { piece in
            let size = piece.framing.rect.size
            return max(size.width - piece.page.width, size.height - piece.page.height)
        }
        if let largest = lost.max(), largest > 0 { notes.append(Note(.cutWherePagesEnd, "pixels", largest)) }
        if row.drift != 0 { notes.append(Note(.movedVertically, "pixels", row.drift)) }
        return notes
    }
}
