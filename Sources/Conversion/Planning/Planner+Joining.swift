internal import AdapterKit
internal import Imaging
internal import PageModel

extension Planner {
    /// The ways to a page that is made of several.
    func plans(for joined: JoinedPicture, of page: Page) throws(AdapterError) -> [PagePlan] {
        var plans: [PagePlan] = []
        var obstacle: String?
        switch join(joined, page) {
        case .success(let plan): plans.append(plan)
        case .failure(let reason): obstacle = reason.text
        }
        plans.append(try compose(joined, page, because: obstacle))
        return plans
    }

    /// Why pages cannot be joined without loss; a half sentence.
    private struct Obstacle: Error {
        /// Nil where what is done says it.
        let text: String?

        init(_ text: String?) { self.text = text }
    }

    /// The way that keeps the JPEGs' coefficients.
    private func join(_ joined: JoinedPicture, _ page: Page) -> Result<PagePlan, Obstacle> {
        let target = wish.format ?? .jpeg
        guard wish.quality == nil, target == .jpeg || target == .jpegXL else {
            return .failure(Obstacle(nil))
        }
        var pictures: [EncodedPicture] = []
        var parts: [JPEGRow.Part] = []
        for part in joined.parts {
            guard case .encoded(let picture)? = part.picture.representations.first, picture.encoding == .jpeg,
                let grid = picture.grid, let size = picture.size
            else { return .failure(Obstacle("\(part.page.name) \(Planner.nature(of: part.picture))")) }
            guard
                let operations = PixelOperations(
                    size, picture.orientation, picture.pending + part.page.edits, isGray: picture.isGray)
            else { return .failure(Obstacle("nothing would be left of \(part.page.name)")) }
            guard operations.keepsPixels else { return .failure(Obstacle("\(part.page.name) is \(operations.deed)")) }
            if let first = pictures.first, first.joinKey != picture.joinKey {
                return .failure(Obstacle("the JPEGs were not encoded alike"))
            }
            pictures.append(picture)
            parts.append(JPEGRow.Part(framing: operations.framing, grid: grid, place: part.place))
        }
        let isCovered = joined.parts.reduce(0) { $0 + $1.place.size.area } == joined.size.area
        if pictures.contains(where: \.isGray) && !joined.background.isGray && !isCovered {
            return .failure(Obstacle("a gray JPEG has no color for what is free"))
        }
        guard let row = JPEGRow(parts, size: joined.size, seam: joined.seam),
            max(row.size.width, row.size.height) <= JPEGWriter.mostPixelsAcross
        else { return .failure(Obstacle("they do not end where the JPEG's grid does")) }
        guard let operations = PixelOperations(row.size, .upright, page.edits, isGray: pictures.allSatisfy(\.isGray)),
            operations.isIdle
        else { return .failure(Obstacle(nil)) }
        return .success(
            PagePlan(
                treatment: .lossless,
                reason: "\(Planner.owners(joined)) own coefficients\(Planner.deviation(row, joined))"
                    + (target == .jpegXL ? ", kept in a JPEG XL" : ""),
                encoding: target, size: row.size,
                step: .join(
                    PagePlan.Row(
                        pictures: pictures, pieces: row.pieces, size: row.size, background: joined.background,
                        format: target))))
    }

    /// The way over pixels.
    private func compose(
        _ joined: JoinedPicture, _ page: Page, because reason: String?
    ) throws(AdapterError) -> PagePlan {
        var (isDrawn, keepsPixels, isLossy) = (false, true, false)
        var encodings: Set<ImageEncoding?> = []
        var parts: [PagePlan.Composition.Part] = []
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
                    case .drawn:
                        isDrawn = true
                        encodings.insert(nil)
                    case .sampled, .joined: encodings.insert(nil)
                    }
                }
                representations.append((representation, operations))
            }
            parts.append(
                PagePlan.Composition.Part(name: part.page.name, representations: representations, place: part.place))
        }
        let operations = try Planner.operations(joined.size, .upright, page.edits, page)
        var own = encodings.count == 1 ? encodings.first ?? nil : nil
        if let format = own,
            max(operations.size.width, operations.size.height) > PictureEncoder.mostPixelsAcross(format)
        {
            own = nil
        }
        let parameters = EncodingParameters(wish, own: own, isLossy: isLossy, displays: displays)
        let isLossless = parameters.isLossless && keepsPixels && operations.keepsPixels
        let deeds = operations.isIdle ? "" : "\(operations.deed), "
        return PagePlan(
            treatment: isDrawn ? .drawn : isLossless ? .lossless : .encoded,
            reason: "\(Planner.owners(joined)) pixels, \(deeds)\(parameters.deed(from: own))"
                + (reason.map { ": \($0)" } ?? ""),
            encoding: parameters.format, size: operations.size, crop: operations.crop,
            step: .compose(
                PagePlan.Composition(
                    parts: parts, background: joined.background, operations: operations, parameters: parameters)))
    }

    /// What is to be done to what a way gives; nil when it does not tell its size.
    private static func operations(_ representation: Picture.Representation, _ page: Page) throws(AdapterError)
        -> PixelOperations?
    {
        switch representation {
        case .encoded(let picture):
            guard let size = picture.size else { return nil }
            return try operations(size, picture.orientation, picture.pending + page.edits, page, isGray: picture.isGray)
        case .sampled(let picture): return try operations(picture.size, .upright, picture.pending + page.edits, page)
        case .drawn(let picture): return try operations(picture.size, .upright, page.edits, page)
        case .joined: return nil
        }
    }

    /// Why a picture has no coefficients to be joined with others'; finishes a sentence about it.
    private static func nature(of picture: Picture) -> String {
        switch picture.representations.first {
        case .encoded(let encoded) where encoded.encoding == .jpeg: "cannot be cut without decoding it"
        case .encoded(let encoded): "is \(encoded.encoding.name), not JPEG"
        case .sampled(let sampled): "is stored as \(sampled.compression), not as JPEG"
        case .drawn(let drawn):
            "is drawn at \(Int(drawn.resolution.rounded())) pixels per inch"
                + (picture.reason.map { ", since \($0)" } ?? "")
        case .joined, nil: "is no JPEG"
        }
    }

    private static func owners(_ joined: JoinedPicture) -> String {
        joined.parts.count == 1 ? "the page's" : "the \(joined.parts.count) pages'"
    }

    /// What the grid made of the places that were wanted.
    private static func deviation(_ row: JPEGRow, _ joined: JoinedPicture) -> String {
        let more = row.size.width - joined.size.width
        var text = more == 0 ? "" : ", \(abs(more)) px \(more > 0 ? "wider" : "narrower") than they are"
        let lost = row.pieces.map { piece in
            let size = piece.framing.rect.size
            return max(size.width - piece.page.width, size.height - piece.page.height)
        }
        if let most = lost.max(), most > 0 { text += ", cut by up to \(most) px where they end" }
        return text + (row.drift == 0 ? "" : ", moved \(row.drift) px up or down")
    }
}
