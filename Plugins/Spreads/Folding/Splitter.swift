internal import AdapterKit
internal import PageModel

/// Cuts wide pages in two, at the fold.
struct Splitter: Sendable {
    let options: SpreadOptions
    let direction: Direction

    /// Previews are not reduced below this length of their shorter side when the fold is looked for, in pixels.
    private static let leastPixels = 600

    /// What is done with one wide page.
    private struct SplitDecision: Sendable {
        /// The parts that become pages, from left to right; a page that stays whole is the only part.
        var parts: [PixelRect]
        var size: PixelSize
        var fold: Int
        var finding: SpreadFinding
    }

    func split(_ pages: [Page], _ request: TransformRequest) async throws -> [Page] {
        let sidecar = try options.file.map { path throws(AdapterError) in
            try Sidecar(path: path, of: "spreads", request)
        }
        var known: SpreadFile?
        if case .follow(let file)? = sidecar {
            known = try SpreadFile(file, options)
            try known?.check(against: pages, path: file.path)
        }
        let cuts = Dictionary(uniqueKeysWithValues: (known?.cuts ?? []).map { ($0.page, $0) })
        var result: [Page] = []
        var made = SpreadFile(options: options.given)
        var next = pages.nextID
        let isKnown = known != nil
        try await forEachInOrder(pages, width: request.width) { page in
            (page, try await decision(page, cuts[page.id], isKnown: isKnown, request.previews))
        } body: { page, decision in
            guard let decision else { return result.append(page) }
            made.names[page.id] = page.name
            made.cuts.append(
                SpreadFile.Cut(
                    page: page.id, size: decision.size, fold: decision.fold, isSplit: decision.parts.count > 1,
                    confidence: decision.finding.confidence))
            result += halves(page, decision, next)
            next += decision.parts.count - 1
        }
        if case .write(let file)? = sidecar {
            try made.write(to: file)
        }
        return result
    }

    /// What is done with a page; nil for one that shows no spread.
    ///
    /// - Parameters:
    ///   - cut: what the file of spreads says about it.
    ///   - isKnown: whether there is such a file.
    private func decision(
        _ page: Page, _ cut: SpreadFile.Cut?, isKnown: Bool, _ previews: any PreviewProvider
    ) async throws -> SplitDecision? {
        let sized = try await SizedPage(page)
        guard let size = sized.size, size.width > 1 else { return nil }
        func whole(_ fold: Int, _ reason: String, _ confidence: Double) -> SplitDecision {
            SplitDecision(
                parts: [PixelRect(x: 0, y: 0, size)], size: size, fold: fold,
                finding: SpreadFinding("kept whole: \(reason)", confidence: confidence, fold: fold, isWide: true))
        }
        // A page that jisui merged is cut where its parts meet, unless another place was asked for.
        if options.fold == nil, let merged = try await sized.mergedPages(), let first = merged.first {
            let fold = min(first.x + first.width, size.width - 1)
            if cut.map({ $0.isSplit && $0.fold == fold && $0.size == size }) ?? !isKnown {
                let finding = SpreadFinding("cut where jisui merged it", confidence: 1, fold: fold)
                return SplitDecision(parts: merged, size: size, fold: fold, finding: finding)
            }
        }
        if let cut {
            let fold = max(1, min(cut.fold * size.width / cut.size.width, size.width - 1))
            guard cut.isSplit else { return whole(fold, "the file of spreads says so", cut.confidence) }
            return decision(size, at: fold, "where the file of spreads says", cut.confidence)
        }
        guard sized.isWideSpread(options.wideRatio) else { return nil }
        if isKnown { return whole(size.width / 2, "the file of spreads does not have it", 0) }
        if let share = options.fold {
            let place = onGrid(Int(clamping: share * Double(size.width), to: 0...size.width), sized)
            return decision(size, at: place, "where --fold says", 1)
        }
        let preview: PagePreview
        do {
            preview = try await previews.preview(of: page, pixels: Splitter.leastPixels, as: .brightness)
        } catch let error as CancellationError {
            throw error
        } catch {
            return decision(size, at: size.width / 2, "in the middle, since it cannot be looked at", 0)
        }
        let fold = Fold(preview.raster)
        let exact = preview.start.x + fold.place * Double(preview.raster.size.width) * preview.scale.across
        let place = onGrid(fold.place == 0.5 ? size.width / 2 : Int(clamping: exact, to: 0...size.width), sized)
        if fold.isCrossed, options.keepsArt { return whole(place, "one drawing runs across it", fold.confidence) }
        let manner =
            switch fold.evidence {
            case .line: "at its fold, a line or shadow"
            case .gap: "at its fold, between what is printed"
            case .middle: "in the middle, since no fold is to be seen"
            }
        return decision(size, at: place, manner + (fold.isCrossed ? ", through a drawing" : ""), fold.confidence)
    }

    private func decision(_ size: PixelSize, at place: Int, _ reason: String, _ confidence: Double) -> SplitDecision {
        let fold = max(1, min(place, size.width - 1))
        return SplitDecision(
            parts: [
                PixelRect(x: 0, y: 0, width: fold, height: size.height),
                PixelRect(x: fold, y: 0, width: size.width - fold, height: size.height),
            ], size: size, fold: fold, finding: SpreadFinding("cut \(reason)", confidence: confidence, fold: fold))
    }

    /// The place on a JPEG's grid nearest to a cut, at most 8 pixels away: a right half that begins there is cut out
    /// without loss.
    private func onGrid(_ place: Int, _ sized: SizedPage) -> Int {
        guard let unit = sized.plainJPEG?.grid?.width else { return place }
        return (place + unit / 2) / unit * unit
    }

    /// The parts as pages, in reading order. The first keeps the page's id, so that the outline still leads to it.
    private func halves(_ page: Page, _ decision: SplitDecision, _ next: Int) -> [Page] {
        guard decision.parts.count > 1 || decision.parts[0].size != decision.size else {
            var whole = page
            whole.spread = decision.finding
            return [whole]
        }
        let isReversed = direction.firstSide == .right
        let order = isReversed ? Array(decision.parts.indices.reversed()) : Array(decision.parts.indices)
        return order.enumerated().map { place, index in
            let name = decision.parts.count > 1 ? "\(page.name), \(index == 0 ? "left" : "right") half" : page.name
            var half = Page(
                id: place == 0 ? page.id : next + place - 1, name: name, label: place == 0 ? page.label : nil,
                edits: page.edits + [.keep(decision.parts[index], of: decision.size)], examine: page.examine)
            half.spread = decision.finding
            half.sourceID = page.sourceID
            return half
        }
    }
}
