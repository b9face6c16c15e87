internal import AdapterKit
internal import DecisionFiles
internal import Files
internal import PageModel

/// The merging of facing pages and the rotation of wide ones, after margins have been trimmed.
extension Spreads {
    static func merged(
        _ sequence: PageSequence, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> PageSequence {
        let merger = Merger(options: options, direction: sequence.direction)
        let sized = try await SizedPage.all(sequence.pages, width: request.width)
        let first = sequence.direction.firstSide
        var result = Merged(sequence)
        var index = 0
        while index < sized.count {
            defer { index += 1 }
            let page = sized[index]
            if page.page.facesNextPage, index + 1 < sized.count,
                let both = try merger.merged(page, sized[index + 1], SpreadFinding("two facing pages", isWide: true))
            {
                options.noteMerging(page, sized[index + 1], request)
                result.add(both, replacing: sized[index + 1].page)
                index += 1
            } else if options.isSingleOnCanvas, !page.showsSpread(options.wideRatio),
                // A cover is on the side of an open book that is read second.
                let canvas = merger.onCanvas(page, page.page.side == .single ? first.opposite : page.page.side)
            {
                request.effects.note(
                    Set(["single-on-canvas", "spreads", "gutter", Setting.background.name].map(Effect.option)))
                result.add(canvas)
            } else {
                result.add(page.page)
            }
        }
        return result.sequence
    }

    static func joined(
        _ sequence: PageSequence, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> PageSequence {
        let merger = Merger(options: options, direction: sequence.direction)
        let sized = try await SizedPage.all(sequence.pages, width: request.width)
        let pairs = try await pairs(sized, sequence.direction, options, request)
        var result = Merged(sequence)
        var index = 0
        while index < sized.count {
            defer { index += 1 }
            var page = sized[index].page
            if let pair = pairs[index] {
                var finding = SpreadFinding(
                    "artwork continues across the fold", confidence: pair.confidence, isWide: true)
                finding.made = .joined
                if pair.isJoined, let both = try merger.merged(sized[index], sized[index + 1], finding) {
                    options.noteMerging(sized[index], sized[index + 1], request)
                    result.add(both, replacing: sized[index + 1].page)
                    index += 1
                    continue
                }
                page.spread = SpreadFinding(
                    "may share artwork with the next page, but was not merged", confidence: pair.confidence)
            }
            result.add(page)
        }
        result.sequence.pages = try await paired(result.sequence, options, request)
        noteSides(of: result.sequence, before: sequence, request)
        return result.sequence
    }

    /// Returns the pairs that may be one drawing, by the indexes of their first pages.
    private static func pairs(
        _ sized: [SizedPage], _ direction: Direction, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> [Int: SpreadFile.Pair] {
        let pages = sized.map(\.page)
        let decisionFile = try options.file.map { path throws(AdapterError) in
            try DecisionFile(path: path, of: "spreads", request)
        }
        var file = SpreadFile(options: options.given, direction)
        if case .follow(let known)? = decisionFile {
            file = try SpreadFile(known, options)
            try await file.removeChanges(among: pages, path: known.path, request)
            file.compare(direction, path: known.path, request)
            options.noteFile(request)
        } else {
            let edges = try await PageEdges.all(sized, wideRatio: options.wideRatio, request)
            let seams = ArtSeams(edges, direction, sides: pages.map(\.side))
            let found = seams.pairs.map { ($0, true) } + seams.nearMisses.map { ($0, false) }
            for (seam, isJoined) in found.sorted(by: { $0.0.first < $1.0.first })
            where pages[seam.first].book == pages[seam.first + 1].book {
                let (first, second) = (pages[seam.first], pages[seam.first + 1])
                file.names[first.id] = first.name
                file.names[second.id] = second.name
                file.pairs.append(
                    SpreadFile.Pair(
                        first: first.id, second: second.id, isJoined: isJoined, confidence: seam.confidence))
            }
        }
        if case .write(let output)? = decisionFile {
            file.book = try await DecisionBook(pages, request)
            try file.write(to: output)
        }
        var result: [Int: SpreadFile.Pair] = [:]
        for pair in file.pairs {
            // A book may contain only some of its pages.
            guard let place = pages.firstIndex(where: { $0.id == pair.first }),
                let next = pages.firstIndex(where: { $0.id == pair.second })
            else { continue }
            guard next == place + 1 else {
                throw AdapterError(
                    .usage, "joins pages \(pair.first) and \(pair.second), which do not follow each other",
                    file: options.file)
            }
            result[place] = pair
        }
        return result
    }

    static func rotated(
        _ sequence: PageSequence, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> PageSequence {
        guard let quarters = options.rotation(sequence.direction) else { return sequence }
        var result = sequence
        for (index, page) in try await SizedPage.all(sequence.pages, width: request.width).enumerated() {
            // A half may be wide by itself, and its whole is shown rotated.
            guard page.isWideSpread(options.wideRatio), page.page.spread?.made != .split else { continue }
            request.effects.note([options.wideOption, .option(WidePages.turnSetting.name)])
            if options.wide.turnsByDirection { request.effects.note(SpreadOptions.direction) }
            result.pages[index].edits.append(.move(.turn(quarters: quarters)))
            result.pages[index].isDoublePage = false
            result.pages[index].spread = SpreadFinding(
                quarters == 1 ? "a wide page, rotated clockwise" : "a wide page, rotated counterclockwise",
                isWide: true)
        }
        return result
    }
}

/// A sequence under construction, in which a page may replace two.
private struct Merged {
    var sequence: PageSequence

    init(_ sequence: PageSequence) {
        self.sequence = sequence
        self.sequence.pages = []
    }

    /// Adds a page.
    ///
    /// - Parameter gone: the other page that it shows; outline entries of that page then target the new page.
    mutating func add(_ page: Page, replacing gone: Page? = nil) {
        sequence.pages.append(page)
        guard let gone else { return }
        for index in sequence.book.outline.indices where sequence.book.outline[index].page == gone.id {
            sequence.book.outline[index].page = page.id
        }
    }
}
