internal import AdapterKit
internal import PageModel
internal import Planning

/// The text, the links and the regions of a page as the output shows it.
struct PlacedText: Sendable {
    var lines: [TextLine] = []
    var regions: [PageRegion] = []
    /// A note on a page whose text should be recognized from its image.
    var note: Note?
    /// Whether the invisible text of the document pages that are copied is replaced by `lines`.
    var replacesInvisible = false
    /// The error of the recognition. The page has its own text then.
    var recognitionError: AdapterError?
    /// The links; their page targets are `Page.id`.
    var links: [PageLink] = []
    /// The number of links to pages that are not selected.
    var goneCount = 0
    /// The number of links to targets that books do not support.
    var otherCount = 0

    /// Reads the text and the links, as far as the output can store them. They are placed where the plan places the image.
    ///
    /// - Throws: the errors of the page's source.
    init(
        of page: Page, _ picture: Picture, _ plan: PagePlan, _ features: Set<SinkCapabilities.Feature>,
        _ targets: LinkTargets
    ) async throws {
        guard !features.isDisjoint(with: [.text, .links, .regions]) else { return }
        let all = plan.method.shown(of: page, picture)
        if features.contains(.text) { try await addText(of: all, on: page) }
        for shown in all {
            if features.contains(.regions) { regions += try await shown.regions().compactMap { $0.visible() } }
            guard features.contains(.links), !shown.isCopied else { continue }
            for link in shown.map.placed(try await shown.page.links()) {
                switch link.target {
                case .address: links.append(link)
                case .other: otherCount += 1
                case .page(let number, let point):
                    if let id = try await targets.page(number, at: point) {
                        links.append(PageLink(link.area, to: .page(id, at: point)))
                    } else {
                        goneCount += 1
                    }
                }
            }
        }
    }
}

extension PlacedText {
    /// Adds the text of the pages that the finished page shows.
    private mutating func addText(of all: [ShownPage], on page: Page) async throws {
        let movesIn = try await page.losesOnlyMargins(as: all)
        var recognized: [[TextLine]] = []
        for shown in all {
            recognized.append(shown.map.placed(try await self.recognized(on: shown.page), movesIn: movesIn))
        }
        // The sink removes the invisible text of all copied pages, or of none.
        let copies = zip(all, recognized).filter { $0.0.isCopied && $0.0.page.recognition?.replacesInvisible == true }
        replacesInvisible = !copies.isEmpty && copies.allSatisfy { !$0.1.isEmpty }
        for (shown, new) in zip(all, recognized) {
            let recognition = shown.page.recognition
            let replaces = recognition?.replacesInvisible == true && !new.isEmpty
            if !new.isEmpty, !shown.isCopied || !replaces || replacesInvisible {
                note = recognition?.note
                lines += new
            } else if recognition?.read == nil {
                note = note ?? recognition?.note
            }
            guard !shown.isCopied else { continue }
            let own = try await replaces ? shown.page.visibleText() : shown.page.text()
            lines += shown.map.placed(own, movesIn: movesIn)
        }
    }

    /// Returns the text that is recognized on a page. An error does not affect the page's own text.
    private mutating func recognized(on page: Page) async throws -> [TextLine] {
        do {
            return try await page.recognition?.read?(page) ?? []
        } catch {
            try error.throwIfCancelled()
            recognitionError = AdapterError(rendering: error)
            return []
        }
    }
}

extension PagePlan {
    /// Returns a note on a page whose text will be recognized from its image; nil for other pages.
    func noteOfReading(_ page: Page, _ picture: Picture) -> Note? {
        let all = method.shown(of: page, picture).compactMap(\.page.recognition)
        return (all.first { $0.read != nil } ?? all.first)?.note
    }
}

extension ShownPage {
    /// Returns the regions of the page, where the output shows them or beyond its edges.
    fileprivate func regions() async throws -> [PageRegion] {
        guard !page.regions.isEmpty, let size = try await page.examine().size else { return [] }
        return page.regions.map { region in
            var found = PageMap(size)
            for edit in Array(page.edits.prefix(region.content.editCount)).withoutOmissions { found.append(edit) }
            return Placed(region.content, map.place(of: found.origin(of: region.area)))
        }
    }
}

extension Page {
    /// Returns whether its edits cut off only the blank margins that trimming found, and nothing printed.
    ///
    /// - Parameter shown: the source pages that it shows.
    fileprivate func losesOnlyMargins(as shown: [ShownPage]) async throws -> Bool {
        let cuts = edits.count { edit in
            switch edit {
            case .move(.crop), .move(.keep), .move(.inset): true
            case .move(.turn), .move(.mirror), .change: false
            }
        }
        guard parts.isEmpty, cuts == 1, findings.ofImage.contains(where: { $0.crops }), let only = shown.first else {
            return false
        }
        let print = try await only.regions().filter { $0.content.id == RegionKind.print }
        return !print.isEmpty && print.allSatisfy { PageArea.page.contains($0.area) }
    }
}
