internal import AdapterKit
internal import Imaging
internal import PageModel

/// Pages that are to lie beside each other on one page of the output, each as it would be alone.
struct SpreadPlan: Sendable {
    struct Part: Sendable {
        let page: Page
        /// The plans that lead to it, the best first; at least one.
        var plans: [PagePlan]
        /// Where it lies, and to what size it is scaled.
        var place: PixelRect
        /// The size that its edits leave, before it is scaled to its place.
        let size: PixelSize?
        /// See `FinishedPage.Spread.Part`.
        let resolution: Resolution?
    }

    var parts: [Part]
    var size: PixelSize
    let background: RGB
    /// Pixels per inch of the whole, where that is why its parts lie as they do.
    var resolution: Resolution?
}

extension Planner {
    /// The plan that lays pages beside each other without making one picture of them; nil where the output cannot, or
    /// more is to be done to the whole.
    ///
    /// - Throws: `.usage` when more is asked of pages that are copied whole than the output can show.
    func layTogether(_ joined: JoinedPicture, _ page: Page) throws(AdapterError) -> PagePlan? {
        guard capabilities.laysPagesTogether else { return nil }
        // What is asked of the whole is asked of each part, where that is the same.
        let wholeEdits = page.edits.allSatisfy(\.isTheSameForParts) ? page.edits : []
        var parts: [SpreadPlan.Part] = []
        for part in joined.parts {
            if part.picture.representations.contains(where: { if case .joined = $0 { true } else { false } }) {
                return nil
            }
            var page = part.page.scaledByItsPlace(part.place)
            page.edits += wholeEdits
            parts.append(
                SpreadPlan.Part(
                    page: page, plans: try plans(for: page, part.picture), place: part.place,
                    size: part.picture.size.map { page.edits.applied(to: $0) },
                    resolution: part.picture.resolution(of: page)))
        }
        let operations = try Planner.operations(joined.size, .upright, page.edits, page)
        guard operations.isIdle || !wholeEdits.isEmpty else {
            guard parts.contains(where: { $0.plans[0].document != nil }) else { return nil }
            throw AdapterError(
                .usage, "cannot be \(operations.english): the pages are copied whole, with their text and links",
                advice: capabilities.insteadOfDocuments, page: page.name)
        }
        let isGray = wholeEdits.contains { if case .gray = $0 { true } else { false } }
        let background = isGray ? joined.background.gray : joined.background
        var spread = SpreadPlan(parts: parts, size: joined.size, background: background)
        spread.standOnPaper(joined.alignment)
        return PagePlan(spread, parts.map { $0.plans[0] })
    }
}

extension PagePlan {
    /// The plan for pages beside each other.
    ///
    /// - Parameter plans: those by which its parts are made.
    init(_ spread: SpreadPlan, _ plans: [PagePlan]) {
        let formats = Set(plans.map(\.encoding))
        let documents = Set(plans.map(\.document))
        var values = ["pages": String(plans.count)]
        if documents.count == 1, let document = documents.first { values["document"] = document }
        var reason = Reason(Note(.laidTogether, values))
        for (part, plan) in zip(spread.parts, plans) where plan.treatment != .verbatim {
            reason = reason.with(
                .detail,
                Note(
                    .partIs,
                    ["page": part.page.name, "treatment": plan.treatment.rawValue, "text": plan.reason.english]))
        }
        self.init(
            plans.map(\.treatment).max() ?? .verbatim, reason,
            encoding: formats.count == 1 ? formats.first ?? nil : nil,
            size: spread.size, .layTogether(spread))
    }

    /// The format of the document from which the page is copied whole; nil for other pages.
    fileprivate var document: String? {
        if case .copyDocument(let document, _) = step { document.format } else { nil }
    }
}

extension RGB {
    /// The colour that `--gray` makes of it.
    fileprivate var gray: RGB {
        let pixel = Raster(
            size: PixelSize(width: 1, height: 1), format: .rgb(bits: 8), samples: [red, green, blue])
        let level = pixel.gray().samples[0]
        return RGB(red: level, green: level, blue: level)
    }
}

extension Page {
    /// The page without the edit that only makes it as high as the place that it gets.
    fileprivate func scaledByItsPlace(_ place: PixelRect) -> Page {
        var page = self
        if case .fit(FitBox(width: nil, height: place.height, enlarges: true))? = edits.last {
            page.edits.removeLast()
        }
        return page
    }
}
