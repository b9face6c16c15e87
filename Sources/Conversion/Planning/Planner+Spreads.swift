internal import AdapterKit
internal import Imaging
internal import PageModel

/// A plan for pages that are placed next to each other on one page of the output, each treated like a single page.
struct SpreadPlan: Sendable {
    struct Part: Sendable {
        let page: Page
        /// The plans that produce the part, the best first; at least one.
        var plans: [PagePlan]
        /// The place, and the size to which the part is scaled.
        var place: PixelRect
        /// The size after the edits, before scaling to the place.
        let size: PixelSize?
        /// See `FinishedPage.Spread.Part`.
        let resolution: Resolution?
    }

    var parts: [Part]
    var size: PixelSize
    let background: RGB
    /// The edits of the whole, which each part has as well. They change the background too.
    var edits: [PageEdit] = []
    /// The pixels per inch of the whole, if they determine the layout of its parts.
    var resolution: Resolution?
}

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
        var parts: [SpreadPlan.Part] = []
        for part in joined.parts {
            if part.picture.representations.contains(where: { if case .joined = $0 { true } else { false } }) {
                return nil
            }
            var page = part.page.scaledByItsPlace(part.place)
            page.edits += wholeEdits
            parts.append(
                SpreadPlan.Part(
                    page: page, plans: try matches(for: page, part.picture).flatMap(\.plans), place: part.place,
                    size: part.picture.size.map { page.edits.applied(to: $0) },
                    resolution: part.picture.resolution(of: page)))
        }
        let operations = try Planner.operations(joined.size, .upright, page.edits, page)
        guard operations.isIdle || !wholeEdits.isEmpty else {
            guard parts.contains(where: { $0.plans[0].document != nil }) else { return nil }
            throw AdapterError(
                .usage, "cannot be \(operations.message): the pages are copied whole, with their text and links",
                hint: capabilities.hintForDocuments, page: page.name)
        }
        var spread = SpreadPlan(parts: parts, size: joined.size, background: joined.background, edits: wholeEdits)
        spread.standOnPaper(joined.alignment)
        return PagePlan(spread, parts.map { $0.plans[0] })
    }
}

extension PagePlan {
    /// Creates the plan for pages next to each other.
    ///
    /// - Parameter plans: the plans for its parts.
    init(_ spread: SpreadPlan, _ plans: [PagePlan]) {
        let formats = Set(plans.map(\.encoding))
        let documents = Set(plans.map(\.document))
        var values = ["pages": String(plans.count)]
        if documents.count == 1, let document = documents.first { values["document"] = document }
        var reason = Reason(Note(.combinedPages, values))
        for (part, plan) in zip(spread.parts, plans) where plan.treatment != .verbatim {
            reason = reason.with(
                .detail,
                Note(
                    .mergedPart,
                    ["page": part.page.name, "treatment": plan.treatment.rawValue],
                    text: plan.reason.message))
        }
        self.init(
            plans.map(\.treatment).max() ?? .verbatim, reason,
            encoding: formats.count == 1 ? formats.first ?? nil : nil,
            size: spread.size, .layTogether(spread))
    }

    /// The format of the document whose page is copied unchanged; nil for other pages.
    fileprivate var document: String? {
        if case .copyDocument(let document, _) = step { document.format } else { nil }
    }
}

extension RGB {
    /// Returns the color after the operations that also change the pages next to it.
    func changed(by edits: [PageEdit]) async -> RGB {
        var pixel = Raster(
            size: PixelSize(width: 1, height: 1), format: .rgb(bits: 8), samples: [red, green, blue])
        for operation in edits.compactMap(\.operation) { pixel = (try? await operation.apply(to: pixel)) ?? pixel }
        let samples = pixel.widened(to: .rgb(bits: 8)).samples
        return samples.count == 3 ? RGB(red: samples[0], green: samples[1], blue: samples[2]) : self
    }
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
