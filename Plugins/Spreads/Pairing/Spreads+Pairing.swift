internal import AdapterKit
internal import DecisionFiles
internal import Files
internal import Imaging
internal import PageModel

/// The facing pages. They are determined before trimming, which treats them alike.
extension Spreads {
    /// Returns the pages with their sides, and with blank ones among them if requested.
    static func paired(
        _ sequence: PageSequence, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> [Page] {
        let sized = try await SizedPage.all(sequence.pages, width: request.width)
        let (pairing, evidence, isFromFile) = try await pairing(sized, sequence.direction, options, request)
        var pages = sequence.pages
        for (index, side) in pairing.sides(sequence.direction, count: pages.count).enumerated() {
            pages[index].side = side
        }
        let beginsBook = pages.first.map { ($0.sourceID ?? 1) == 1 } ?? true
        // A decision file may contain the choices of jisui and of a person.
        if !isFromFile, let choice = options.choice(of: pairing, by: evidence, beginsBook: beginsBook) {
            request.report(choice)
        }
        for spread in pairing.spreads {
            // In the other modes pages are read one at a time.
            if case .facing(let first?, .some) = spread {
                pages[first].facesNextPage = [.pair, .merge].contains(options.mode)
            }
            for index in spread.pages where pages[index].spread == nil {
                pages[index].spread = finding(spread, pages[index])
                pages[index].spread?.isWide = sized[index].showsSpread(options.wideRatio)
                if let evidence, pages[index].side != .single, let remark = pages[index].spread?.remark {
                    pages[index].spread?.remark = evidence.appended(to: remark)
                }
            }
        }
        guard options.addsBlanks else { return pages }
        let filled = withBlanks(pages, pairing, sized, sequence.direction)
        if filled.count > pages.count { request.effects.note([.option("blanks"), .option("spreads")]) }
        return filled
    }

    /// Returns the pages with the sides that their numbers show, if any: drawings are not joined against them.
    static func sided(
        _ sequence: PageSequence, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> [Page] {
        guard options.readsNumbers else { return sequence.pages }
        let sized = try await SizedPage.all(sequence.pages, width: request.width)
        let printed = try await PrintedSides.analyze(sized, options, request).sides
        let kinds = kinds(sized, options)
        let shifts = Pairing.shifts(kinds, cover: options.cover, printed: printed, sequence.direction)
        let pairing = Pairing(kinds, cover: options.cover, shifts: shifts)
        var pages = sequence.pages
        for (index, side) in pairing.sides(sequence.direction, count: pages.count).enumerated() {
            let reach = NumberLimits.Pairing.reach
            let near = max(0, index - reach)...min(pages.count - 1, index + reach)
            if printed[near].contains(where: { $0 != nil }) { pages[index].side = side }
        }
        return pages
    }

    /// Returns the facing pages, and the evidence that contradicts the rule: nil for none, and for the pairs of a decision file.
    private static func pairing(
        _ sized: [SizedPage], _ direction: Direction, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> (Pairing, PairingEvidence?, isFromFile: Bool) {
        let pages = sized.map(\.page)
        let hasFile = options.mode != .split && options.mode != .joinArt
        let decisionFile = try (hasFile ? options.file : nil).map { path throws(AdapterError) in
            try DecisionFile(path: path, of: "spreads", request)
        }
        if case .follow(let file)? = decisionFile {
            var spreads = try SpreadFile(file, options)
            try await spreads.removeChanges(among: pages, path: file.path, request)
            spreads.compare(direction, path: file.path, request)
            options.noteFile(request)
            return (try Pairing(spreads, sized, direction, path: file.path), nil, isFromFile: true)
        }
        let kinds = kinds(sized, options)
        var shifts = try shifts(sized, options)
        var evidence: PairingEvidence?
        if options.readsNumbers {
            let (printed, art) = try await sides(sized, direction, options, request)
            shifts = Pairing.shifts(kinds, cover: options.cover, printed: printed, art: art, direction)
            if !shifts.isEmpty {
                let byNumbers = Pairing.shifts(kinds, cover: options.cover, printed: printed, direction)
                evidence = shifts == byNumbers ? .numbers : .art
            }
        }
        let pairing = Pairing(kinds, cover: options.cover, shifts: shifts)
        options.noteUse(
            of: pairing, usual: Pairing(kinds, cover: .alone, shifts: shifts),
            unshifted: Pairing(kinds, cover: options.cover, shifts: []), request)
        if case .write(let file)? = decisionFile {
            var spreads = SpreadFile(options: options.given, direction)
            for page in pages { spreads.names[page.id] = page.name }
            let sides = pairing.sides(direction, count: pages.count)
            for spread in pairing.spreads {
                if case .facing(let first?, let second?) = spread {
                    spreads.pairs.append(
                        SpreadFile.Pair(
                            first: pages[first].id, second: pages[second].id, isJoined: true, confidence: 1))
                } else {
                    spreads.unpaired += spread.pages.map {
                        SpreadFile.UnpairedPage(page: pages[$0].id, side: sides[$0])
                    }
                }
            }
            spreads.book = try await DecisionBook(pages, request)
            try spreads.write(to: file)
        }
        return (pairing, evidence, isFromFile: false)
    }

    /// Returns the sides of pages according to their numbers, and those according to drawings. Drawings are examined only in a
    /// book without such numbers.
    private static func sides(
        _ sized: [SizedPage], _ direction: Direction, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> (printed: [Side?], art: [Int: Side]) {
        let pages = sized.map(\.page)
        // For pages that may have been joined since, the numbers were read before.
        if options.mode == .joinArt {
            let printed = pages.map { $0.side == .single ? nil : $0.side }
            return (printed, ArtSides.before(joined: pages, direction))
        }
        let printed = try await PrintedSides.analyze(sized, options, request).sides
        guard options.mode != .split, printed.allSatisfy({ $0 == nil }) else { return (printed, [:]) }
        return (printed, try await ArtSides.analyze(sized, direction, options, request))
    }

    private static func kinds(_ sized: [SizedPage], _ options: SpreadOptions) -> [Pairing.Kind] {
        let pages = sized.map(\.page)
        return sized.indices.map { place in
            if pages.areHalves(place) { return .bound }
            if sized[place].showsSpread(options.wideRatio) { return .wide }
            if place == 0, pages[place].beginsSpread, options.given["cover"] == nil { return .plain }
            return pages.beginsBook(place) ? .first : .plain
        }
    }

    /// Returns the indexes of the pages before which a side stays empty, from `--shift`.
    private static func shifts(_ sized: [SizedPage], _ options: SpreadOptions) throws(AdapterError) -> Set<Int> {
        var places: Set<Int> = []
        for number in options.shifts {
            guard let place = sized.firstIndex(where: { $0.page.sourceID == number }) else {
                throw AdapterError(.usage, "--shift names page \(number), which is not among the pages")
            }
            let pages = sized.map(\.page)
            let isHalf = pages.areHalves(place) || pages.areHalves(place - 1)
            let reason: Message? =
                if sized[place].showsSpread(options.wideRatio) {
                    "a wide page, which stands alone"
                } else if isHalf {
                    "half of a wide page, and faces the other"
                } else if pages.beginsBook(place), options.cover == .alone {
                    "the cover, which stands alone"
                } else {
                    nil
                }
            if let reason {
                throw AdapterError(
                    .usage, "--shift \(number) has no effect: it is \(reason)", hint: "name the page after it",
                    page: pages[place].name)
            }
            places.insert(place)
        }
        return places
    }

    private static func finding(_ spread: Pairing.Spread, _ page: Page) -> SpreadFinding {
        switch spread {
        case .cover:
            SpreadFinding(
                page.sourceID == 1 || page.book > 0
                    ? "the cover stands alone" : "stands alone, because the page before it was not chosen")
        case .wide: SpreadFinding("stands alone")
        case .facing(.some, .some): SpreadFinding("on the \(page.side.word) of a spread")
        case .facing: SpreadFinding("on the \(page.side.word), without a facing page")
        }
    }

    /// Returns the pages with a blank one next to each unpaired page, except for the last spread.
    private static func withBlanks(
        _ pages: [Page], _ pairing: Pairing, _ sized: [SizedPage], _ direction: Direction
    ) -> [Page] {
        var result: [Page] = []
        var next = pages.nextID
        func addBlank(like place: Int, _ side: Side) {
            guard let size = sized[place].size else { return }
            result.append(.blank(id: next, beside: pages[place], size: size, side: side))
            next += 1
        }
        for (index, spread) in pairing.spreads.enumerated() {
            if case .facing(nil, let second?) = spread { addBlank(like: second, direction.firstSide) }
            result += spread.pages.map { pages[$0] }
            if case .facing(let first?, nil) = spread, index + 1 < pairing.spreads.count {
                addBlank(like: first, direction.firstSide.opposite)
            }
        }
        return result
    }
}

extension PageSequence {
    /// The reading direction; a book that does not state one is read from left to right.
    var direction: Direction { book.direction ?? .leftToRight }
}

extension [Page] {
    /// An id above those of all pages.
    var nextID: Int { (map(\.id).max() ?? 0) + 1 }

    /// Whether the page at an index and the next one are parts of one page of the source that was split.
    func areHalves(_ place: Int) -> Bool {
        guard indices.contains(place), indices.contains(place + 1), let source = self[place].sourceID,
            self[place].spread?.made != .shownWhole
        else { return false }
        return self[place + 1].sourceID == source
    }

    /// Whether the page at an index is the first of its book.
    func beginsBook(_ place: Int) -> Bool { place == 0 || self[place - 1].book != self[place].book }
}

extension Page {
    /// Whether a spread begins with it in a book with an unpaired cover: it is the second page of the source, or the fourth. The
    /// pages of a later book are counted on from the one before, so their numbers are not evidence.
    fileprivate var beginsSpread: Bool { book == 0 && (sourceID ?? 1).isMultiple(of: 2) }

    /// The size of its pixels from its paper or its JPEG; nil if neither has one, or it cannot be read.
    private var resolution: Resolution? {
        get async {
            guard let picture = try? await examine() else { return nil }
            if let resolution = picture.resolution(of: self) { return resolution }
            guard case .encoded(let encoded)? = picture.representations.first, encoded.encoding == .jpeg,
                let bytes = try? await encoded.read().bytes
            else { return nil }
            return JPEGHeader(bytes)?.resolution
        }
    }

    /// Returns a white page with the size and the paper of another.
    static func blank(id: Int, beside neighbor: Page, size: PixelSize, side: Side) -> Page {
        var page = Page(id: id, name: PageName.blank, side: side) {
            let resolution = await neighbor.resolution
            let format = PixelFormat.gray(bits: 1)
            let row = Raster.bytesPerRow(width: size.width, format: format)
            let picture = SampledPicture(compression: "made", size: size, format: format) {
                var raster = Raster(
                    size: size, format: format, samples: [UInt8](repeating: .max, count: row * size.height))
                raster.resolution = resolution
                return DecodedImage(raster: raster)
            }
            return Picture(size: size, representations: [.sampled(picture)])
        }
        page.sourceID = nil
        page.book = neighbor.book
        page.spread = SpreadFinding("put in where a page faces nothing")
        return page
    }
}
