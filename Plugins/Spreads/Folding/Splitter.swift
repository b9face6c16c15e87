internal import AdapterKit
internal import DecisionFiles
internal import Files
internal import OrderedWork
internal import PageModel

/// A splitter that cuts wide pages in two, at the fold.
struct Splitter: Sendable {
    let options: SpreadOptions
    let direction: Direction
    /// The record of the options' effects.
    let effects: OptionEvidence

    /// The decision for one wide page.
    private struct SplitDecision: Sendable {
        /// The parts that become pages, from left to right; an unsplit page is the only part.
        var parts: [PixelRect]
        var size: PixelSize
        var fold: Int
        /// The pixels that the fold goes to the right for each pixel down; 0 for an upright cut.
        var slope = 0.0
        var finding: SpreadFinding
        /// The reason that the page could not be analyzed; nil for an analyzed page.
        var unseen: SpreadFile.Unseen?
        /// Whether a file of spreads gets the decision. Another run may see a page that could not be read.
        var isLasting = true

        /// Returns the entry of the decision in a file of spreads.
        func cut(of page: Page) -> SpreadFile.Cut {
            SpreadFile.Cut(
                page: page.id, size: size, fold: fold, slope: slope, isSplit: parts.count > 1,
                confidence: finding.confidence, unseen: unseen)
        }
    }

    /// The finding for a page by itself.
    private enum SplitFinding: Sendable {
        /// Not a spread: its size, if that is known.
        case single(PixelSize?)
        case decided(SplitDecision)
        /// A wide page, for which the book decides; cuts are on multiples of `unit` pixels.
        case wide(BookFolds.WidePage, unit: Int)
    }

    func split(_ pages: [Page], _ request: TransformRequest) async throws -> [Page] {
        let decisionFile = try options.file.map { path throws(AdapterError) in
            try DecisionFile(path: path, of: "spreads", request)
        }
        var known: SpreadFile?
        if case .follow(let file)? = decisionFile {
            known = try SpreadFile(file, options)
            try await known?.removeChanges(among: pages, path: file.path, request)
            options.noteFile(request)
        }
        let cuts = Dictionary(uniqueKeysWithValues: (known?.cuts ?? []).map { ($0.page, $0) })
        let file = known
        let findings = try await mapInOrder(pages, width: request.width) { page in
            try await analyze(page, cuts[page.id], file, request)
        }
        var result: [Page] = []
        // A cut is a place from the left in either reading direction, so the file does not state one.
        var made = SpreadFile(options: options.given)
        var next = pages.nextID
        for (page, decision) in zip(pages, decisions(findings)) {
            guard let decision else {
                result.append(page)
                continue
            }
            if decision.isLasting { made.add(decision.cut(of: page), named: page.name) }
            let made = shown(page, decision, next)
            result += made
            next += made.count - 1
        }
        if case .write(let file)? = decisionFile {
            made.book = try await DecisionBook(pages, request)
            try made.write(to: file)
        }
        return result
    }

    /// Returns the finding for a page alone.
    ///
    /// - Parameters:
    ///   - cut: the entry in the file of spreads.
    ///   - file: that file, if it exists.
    private func analyze(
        _ page: Page, _ cut: SpreadFile.Cut?, _ file: SpreadFile?, _ request: TransformRequest
    ) async throws -> SplitFinding {
        let sized = try await SizedPage(page)
        guard let size = sized.size, size.width > 1 else { return .single(nil) }
        // A page that jisui merged is cut at its joint, unless the user gave another place.
        if options.fold == nil, let merged = try await sized.mergedPages(), let first = merged.first {
            let fold = min(first.x + first.width, size.width - 1)
            if cut.map({ $0.isSplit && $0.fold == fold && $0.size == size }) ?? (file == nil) {
                let finding = SpreadFinding("cut where jisui merged it", confidence: 1, fold: fold)
                return .decided(SplitDecision(parts: merged, size: size, fold: fold, finding: finding))
            }
        }
        if let cut {
            let fold = max(1, min(cut.fold * size.width / cut.size.width, size.width - 1))
            guard cut.isSplit else {
                return .decided(
                    cut.unseen.map { unseen(size, fold, $0) }
                        ?? whole(size, fold, "the file of spreads says that", cut.confidence))
            }
            return .decided(parted(size, at: fold, slope: cut.slope, "where the file of spreads says", cut.confidence))
        }
        guard sized.isWideSpread(options.wideRatio) else { return .single(size) }
        if let file {
            let reason: Message =
                file.changed.contains(page.id)
                ? "it has changed since the spread file was made" : "it is not in the spread file"
            return .decided(whole(size, size.width / 2, reason, 0))
        }
        let unit = sized.plainJPEG?.grid?.width ?? 1
        if let share = options.fold {
            effects.note(option: "fold")
            return .decided(parted(size, at: onGrid(share, size, unit), "where --fold says", 1))
        }
        let preview: PagePreview
        switch try await request.previews.look(at: page, pixels: FoldLimits.minimumPixels, as: .brightness) {
        case .seen(let seen): preview = seen
        case .unseen(let reason, let damage, let isUnreadable):
            var decision = unseen(size, size.width / 2, SpreadFile.Unseen(reason: reason, damage: damage))
            decision.isLasting = !isUnreadable
            return .decided(decision)
        }
        var fold = Fold(preview.raster)
        if try await showsOnePage(fold, preview, of: page, request) {
            return .decided(
                whole(
                    size, size.width / 2, "only one side of it shows a page",
                    FoldLimits.Confidence.onItsSide))
        }
        if fold.place != FoldLimits.middle {
            let exact = preview.start.x + fold.place * Double(preview.raster.size.width) * preview.scale.across
            fold.place = exact / Double(size.width)
        }
        fold.slope *= preview.scale.across / preview.scale.down
        return .wide(BookFolds.WidePage(size: size, fold: fold), unit: unit)
    }

    /// Returns the decision for each page after all have been analyzed; nil for pages that show no spread.
    private func decisions(_ findings: [SplitFinding]) -> [SplitDecision?] {
        var (wide, others): ([BookFolds.WidePage], [PixelSize]) = ([], [])
        for finding in findings {
            switch finding {
            case .single(let size): if let size { others.append(size) }
            case .wide(let page, _): wide.append(page)
            case .decided: break
            }
        }
        let book = BookFolds(wide, others: others)
        return findings.map { finding in
            switch finding {
            case .single: nil
            case .decided(let decision): decision
            case .wide(let page, let unit): decision(on: page, unit, book)
            }
        }
    }

    private func decision(on page: BookFolds.WidePage, _ unit: Int, _ book: BookFolds) -> SplitDecision {
        let (size, fold) = (page.size, page.fold)
        let place = onGrid(fold.place, size, unit)
        let through: Message = fold.isCrossed ? ", through something that lies across it" : ""
        if fold.isCrossed, options.keepsArt {
            effects.note(option: "keep-art")
            return whole(size, place, "one drawing runs across it", fold.confidence)
        }
        switch book.verdict(on: page) {
        case .atItsFold:
            let manner: Message = fold.evidence == .gap ? "between the printed areas" : "a line or shadow"
            return parted(size, at: place, slope: fold.slope, "at its fold, \(manner)\(through)", fold.confidence)
        case .atUsualPlace(let share):
            let usual = onGrid(share, size, unit)
            return parted(
                size, at: usual, "where the book's other folds are\(through)", FoldLimits.Confidence.usualPlace)
        case .inTheMiddle:
            let reason: Message = "in the middle, because no fold is visible\(through)"
            return parted(size, at: onGrid(FoldLimits.middle, size, unit), reason, FoldLimits.Confidence.inTheMiddle)
        case .onItsSide:
            return whole(size, place, "it is as large as one page on its side", FoldLimits.Confidence.onItsSide)
        case .showsNoFold:
            return whole(size, place, "no fold is visible; use --fold 50% to split it", FoldLimits.Confidence.keptWhole)
        case .elsewhere:
            return whole(
                size, place, "its line is not where the book's folds are; use --fold to split it",
                FoldLimits.Confidence.keptWhole)
        }
    }

    private func whole(_ size: PixelSize, _ fold: Int, _ reason: Message, _ confidence: Double) -> SplitDecision {
        effects.note(SpreadOptions.keptWhole)
        return SplitDecision(
            parts: [PixelRect(x: 0, y: 0, size)], size: size, fold: fold,
            finding: SpreadFinding("kept whole: \(reason)", confidence: confidence, fold: fold, isWide: true))
    }

    /// Returns the decision for a page that could not be analyzed.
    private func unseen(_ size: PixelSize, _ fold: Int, _ unseen: SpreadFile.Unseen) -> SplitDecision {
        var decision = whole(size, fold, "\(unseen.reason); use --fold to split it", 0)
        (decision.finding.damage, decision.unseen) = (unseen.damage, unseen)
        return decision
    }

    /// Returns the decision to split a page. The halves at a slanted fold reach as far as it does.
    ///
    /// - Parameter slope: the slope of the fold. A slight one is ignored: an upright cut is lossless and hits no print.
    private func parted(
        _ size: PixelSize, at place: Int, slope: Double = 0, _ reason: Message, _ confidence: Double
    ) -> SplitDecision {
        let fold = max(1, min(place, size.width - 1))
        let isSlanted = abs(slope) > FoldLimits.Search.maximumSlope
        let reach =
            isSlanted ? Int(clamping: (abs(slope) * Double(size.height) / 2).rounded(.up), to: 1...size.width) : 0
        let (left, right) = (min(size.width, fold + reach), max(0, fold - reach))
        let text: Message =
            isSlanted ? "cut \(reason), along its slant of \(SlantedCut.degrees(slope))°" : "cut \(reason)"
        return SplitDecision(
            parts: [
                PixelRect(x: 0, y: 0, width: left, height: size.height),
                PixelRect(x: right, y: 0, width: size.width - right, height: size.height),
            ], size: size, fold: fold, slope: isSlanted ? SlantedCut.rounded(slope) : 0,
            finding: SpreadFinding(text, confidence: confidence, fold: fold))
    }

    /// Returns the place on a JPEG's grid nearest to a fraction of the width: a right half that begins there is cut out without
    /// loss.
    private func onGrid(_ share: Double, _ size: PixelSize, _ unit: Int) -> Int {
        (Int(clamping: (share * Double(size.width)).rounded(), to: 0...size.width) + unit / 2) / unit * unit
    }

    /// Returns the pages that show a page: with `--wide both` the whole one first, then its parts in reading order.
    ///
    /// The first keeps the page's id, so that the outline still targets it.
    private func shown(_ page: Page, _ decision: SplitDecision, _ next: Int) -> [Page] {
        // Without it, the wide page would be rotated.
        if options.wide.turn == WidePages.Turn.none { effects.note(option: WidePages.turnSetting.name) }
        guard decision.parts.count > 1 || decision.parts[0].size != decision.size else {
            var whole = page
            whole.spread = decision.finding
            return [whole]
        }
        effects.note([options.wideOption, SpreadOptions.direction])
        let isWholeShown = options.wide.treatment == .both && decision.parts.count > 1
        var page = page
        page.recognition = page.recognition?.shared(by: decision.parts.count + (isWholeShown ? 1 : 0))
        var pages = parts(page, decision, next, afterWhole: isWholeShown)
        if isWholeShown {
            var whole = page
            whole.spread = SpreadFinding("the whole page, before its halves", fold: decision.fold, isWide: true)
            whole.spread?.made = .shownWhole
            pages.insert(whole, at: 0)
        }
        return pages
    }

    /// Returns the parts as pages, in reading order.
    ///
    /// - Parameter afterWhole: whether the whole page comes before them, which keeps the id, the label and the cover.
    private func parts(_ page: Page, _ decision: SplitDecision, _ next: Int, afterWhole: Bool) -> [Page] {
        let isReversed = direction.firstSide == .right
        let order = isReversed ? Array(decision.parts.indices.reversed()) : Array(decision.parts.indices)
        return order.enumerated().map { place, index in
            let name = decision.parts.count > 1 ? PageName.half(of: page.name, isLeft: index == 0) : page.name
            let place = afterWhole ? place + 1 : place
            var half = Page(
                id: place == 0 ? page.id : next + place - 1, name: name, label: place == 0 ? page.label : nil,
                edits: page.edits + [.move(.keep(decision.parts[index], of: decision.size))], examine: page.examine)
            if decision.slope != 0 {
                let cut = SlantedCut(
                    decision.parts[index], fold: decision.fold, slope: decision.slope, isLeft: index == 0)
                half.edits.append(.change(cut))
            }
            half.book = page.book
            // For a cover that was opened flat, the front is the side from which the book is read.
            let isFront = !afterWhole && index == (isReversed ? 0 : decision.parts.count - 1)
            half.roles = isFront ? page.roles : page.roles.filter { $0 != .frontCover }
            half.spread = decision.finding
            if decision.parts.count > 1 { half.spread?.made = .split }
            half.sourceID = page.sourceID
            (half.text, half.visibleText, half.links) = (page.text, page.visibleText, page.links)
            half.recognition = page.recognition
            half.regions = page.regions
            return half
        }
    }
}
