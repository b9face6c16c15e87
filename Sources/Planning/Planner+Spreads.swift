internal import AdapterKit
internal import PageModel

extension Planner {
    /// Returns the plan that places pages next to each other without making one image of them. The result is nil if the output
    /// does not support it. It is also nil if the whole requires further edits.
    ///
    /// - Throws: `.usage` if the output cannot show requested edits of pages copied unchanged.
    func layTogether(_ joined: JoinedPicture, _ page: Page) throws(AdapterError) -> PagePlan? {
        guard capabilities.laysPagesTogether else { return nil }
        // The edits of the whole apply to each part if they mean the same there.
        let edits = page.edits.withoutOmissions
        let wholeEdits = edits.allSatisfy(\.isSameForParts) ? edits : []
        var places: [PlacePages.Place] = []
        for part in joined.parts {
            if part.picture.representations.contains(where: { if case .joined = $0 { true } else { false } }) {
                return nil
            }
            var page = part.page.scaledByItsPlace(part.place)
            page.edits += wholeEdits
            places.append(
                PlacePages.Place(
                    page: page, plans: try matches(for: page, part.picture).flatMap(\.plans), area: part.place,
                    size: part.picture.size.map { page.edits.applied(to: $0) },
                    resolution: part.picture.resolution(of: page)))
        }
        let operations = try Planner.operations(joined.size, .upright, page.edits, page)
        guard operations.isNoOp || !wholeEdits.isEmpty else {
            let isCopied = zip(places, joined.parts).contains { place, part in
                place.plans[0].document != nil && !part.picture.isStoredImage && !part.picture.isBlank
            }
            guard isCopied else { return nil }
            throw AdapterError(
                .usage, "cannot be \(operations.message): the pages are copied whole, with their text and links",
                hint: capabilities.hintForDocuments, page: page.name)
        }
        var spread = PlacePages(places: places, size: joined.size, background: joined.background, edits: wholeEdits)
        spread.standOnPaper(joined.alignment)
        return PagePlan(spread)
    }
}

extension PagePlan {
    /// Creates the plan for pages next to each other.
    init(_ spread: PlacePages) {
        let plans = spread.parts.map(\.plan)
        let formats = Set(plans.map(\.encoding))
        let documents = Set(plans.map(\.document))
        var values = ["pages": String(plans.count)]
        if documents.count == 1, let document = documents.first { values["document"] = document }
        var reason = Reason(Note(.combinedPages, values))
        for (page, plan) in spread.parts where plan.treatment != .verbatim {
            reason = reason.with(
                .detail,
                Note(
                    .mergedPart,
                    ["page": page.name, "treatment": plan.treatment.rawValue],
                    text: plan.reason.message))
        }
        self.init(
            plans.map(\.treatment).max() ?? .verbatim, reason,
            encoding: formats.count == 1 ? formats.first ?? nil : nil,
            size: spread.size, spread)
    }

    /// The format of the document whose page is copied unchanged; nil for other pages.
    fileprivate var document: String? { if case .page(let document, _) = method.kept { document.format } else { nil } }
}

extension Page {
    /// Returns the page without a final edit that only scales it to the height of its place.
    fileprivate func scaledByItsPlace(_ place: PixelRect) -> Page {
        var page = self
        if edits.last?.operation?.box == FitBox(width: nil, height: place.height, enlarges: true) {
            page.edits.removeLast()
        }
        return page
    }
}
