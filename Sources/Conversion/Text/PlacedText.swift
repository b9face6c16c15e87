internal import AdapterKit
internal import Imaging
internal import PageModel

/// The text and the links of a page as the output shows it.
struct PlacedText: Sendable {
    var lines: [TextLine] = []
    /// What is to be said of a page whose text was to be read off its picture.
    var note: Note?
    /// Pages are meant by `Page.id`.
    var links: [PageLink] = []
    /// How many links lead to pages that are not taken.
    var goneCount = 0
    /// How many links lead to what no book leads to.
    var otherCount = 0

    /// Reads what an output has a place for, and puts it where the plan puts the picture.
    ///
    /// - Parameters:
    ///   - features: what the output can hold.
    ///   - targets: the pages that links may lead to.
    /// - Throws: what the page's source throws.
    init(
        of page: Page, _ picture: Picture, _ plan: PagePlan, _ features: Set<SinkCapabilities.Feature>,
        _ targets: LinkTargets
    ) async throws {
        guard !features.isDisjoint(with: [.text, .links]) else { return }
        for shown in plan.shown(of: page, picture) {
            if features.contains(.text) {
                let (text, isRead) = try await shown.text()
                let placed = shown.map.placed(text)
                lines += placed
                if shown.page.recognizeText != nil, !isRead {
                    note = note ?? Note(.ownText)
                } else if isRead, !placed.isEmpty {
                    note = Note(.textReadOff)
                }
            }
            guard features.contains(.links), !shown.isCopied else { continue }
            for link in shown.map.placed(try await shown.page.links()) {
                switch link.target {
                case .address: links.append(link)
                case .other: otherCount += 1
                case .page(let number, let point):
                    if let id = try await targets.page(number, at: point) {
                        links.append(PageLink(link.area, to: .page(id, at: nil)))
                    } else {
                        goneCount += 1
                    }
                }
            }
        }
    }
}

/// A page that a finished page shows.
private struct ShownPage {
    let page: Page
    /// Where its points come to lie.
    var map: PageMap
    /// Whether it is a page of a document that is copied whole, and so has its own text and links.
    var isCopied = false

    /// What the finished page gets of its text, and whether that is read off it.
    func text() async throws -> ([TextLine], isReadOff: Bool) {
        if let read = page.recognizeText, await !hasText() { return (try await read(), true) }
        return (isCopied ? [] : try await page.text(), false)
    }

    /// Whether the page has a text of its own, or at least what should be one.
    func hasText() async -> Bool {
        guard let own = try? await page.text() else { return true }
        return !own.isEmpty
    }
}

extension PagePlan {
    /// What is to be said of a page whose text is to be read off its picture, before that is done; nil of others.
    func noteOfReading(_ page: Page, _ picture: Picture) async -> Note? {
        var note: Note?
        for shown in shown(of: page, picture) where shown.page.recognizeText != nil {
            if await !shown.hasText() { return Note(.textReadOff) }
            note = Note(.ownText)
        }
        return note
    }

    /// The pages whose text the finished page has, in reading order.
    fileprivate func shown(of page: Page, _ picture: Picture) -> [ShownPage] {
        func alone(_ map: PageMap?) -> [ShownPage] { map.map { [ShownPage(page: page, map: $0)] } ?? [] }
        switch step {
        case .copyDocument(_, let framing):
            return [ShownPage(page: page, map: PageMap(from: Framing(framing.source), to: framing), isCopied: true)]
        case .layTogether(let spread):
            return PagePlan.inReadingOrder(
                spread.parts.flatMap { part in
                    part.plans[0].shown(of: part.page, picture).map { shown in
                        var shown = shown
                        shown.map.place(at: part.place, on: spread.size)
                        return shown
                    }
                }, page)
        case .copy(let encoded, let framing):
            guard let shown = encoded.shown else { return alone(PageMap(PixelSize(width: 1, height: 1))) }
            return alone(PageMap(from: shown, to: framing ?? shown))
        case .operate(let encoded, let framing, _):
            return alone(encoded.shown.map { PageMap(from: $0, to: framing) })
        case .pack(let encoded, let framing):
            return alone(encoded.shown.map { PageMap(from: $0, to: framing) })
        case .restore(let encoded, _):
            return alone(encoded.shown.map { PageMap(from: $0, to: Framing($0.source, $0.orientation)) })
        case .render(let representation, let operations, _):
            return alone(representation.shown.map { PageMap(from: $0, operations) })
        case .join(let row):
            return PagePlan.inReadingOrder(
                zip(picture.joinedParts, zip(row.pictures, row.pieces)).compactMap { part, piece in
                    guard let shown = piece.0.shown else { return nil }
                    var map = PageMap(from: shown, to: piece.1.framing)
                    map.place(at: piece.1.page, on: row.size)
                    return ShownPage(page: part.page, map: map)
                }, page)
        case .compose(let composition, let operations, _):
            return PagePlan.inReadingOrder(
                zip(picture.joinedParts, composition.parts).compactMap { part, placed in
                    guard let best = placed.representations.first, let shown = best.representation.shown else {
                        return nil
                    }
                    var map = PageMap(from: shown, best.operations)
                    map.place(at: placed.place, on: composition.size)
                    map.append(operations)
                    return ShownPage(page: part.page, map: map)
                }, page)
        }
    }

    private static func inReadingOrder(_ parts: [ShownPage], _ whole: Page) -> [ShownPage] {
        let places = Dictionary(whole.parts.enumerated().map { ($1.id, $0) }) { first, _ in first }
        return parts.sorted { places[$0.page.id] ?? 0 < places[$1.page.id] ?? 0 }
    }
}

extension PageMap {
    fileprivate init(from shown: Framing, _ operations: PixelOperations) {
        self.init(from: shown, to: operations.framing)
        for edit in operations.retouches { append(edit) }
    }

    /// Adds what is done to an upright picture.
    fileprivate mutating func append(_ operations: PixelOperations) {
        if !operations.framing.isWhole { append(.crop(operations.framing.rect)) }
        for edit in operations.retouches { append(edit) }
    }
}

extension EncodedPicture {
    /// What of the stored picture is the page; nil when its size is not known.
    fileprivate var shown: Framing? { size.flatMap { Framing($0, orientation, edits: pending) } }
}

extension Picture {
    fileprivate var joinedParts: [JoinedPicture.Part] {
        for case .joined(let joined) in representations { return joined.parts }
        return []
    }
}

extension Picture.Representation {
    fileprivate var shown: Framing? {
        switch self {
        case .encoded(let picture): picture.shown
        case .sampled(let picture): Framing(picture.size, edits: picture.pending)
        case .drawn(let picture): Framing(picture.size)
        case .joined: nil
        }
    }
}
