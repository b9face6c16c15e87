internal import AdapterKit
internal import Imaging
internal import PageModel

/// Lets the sink place pages next to each other on one page, each treated like a single page.
struct PlacePages: PageMethod {
    struct Place: Sendable {
        let page: Page
        /// The plans that produce the part, the best first; at least one.
        var plans: [PagePlan]
        /// The area, and the size to which the part is scaled.
        var area: PixelRect
        /// The size after the edits, before scaling to the area.
        let size: PixelSize?
        /// See `FinishedPage.Spread.Part`.
        let resolution: Resolution?
    }

    var places: [Place]
    var size: PixelSize
    let background: RGB
    /// The edits of the whole, which each part has as well. They change the background too.
    var edits: [PageEdit] = []
    /// The pixels per inch of the whole, if they determine the layout of its pages.
    var resolution: Resolution?

    var parts: [(page: Page, plan: PagePlan)] { places.map { ($0.page, $0.plans[0]) } }

    var omittable: [any OmittableOperation] { places.flatMap { $0.plans.flatMap(\.method.omittable) } }

    var memory: Int { parts.reduce(0) { MemoryEstimate.sum($0, $1.plan.method.memory) } }

    func check(_ renderer: Renderer) throws(AdapterError) {
        for part in parts { try part.plan.check(renderer) }
    }

    func carryOut(
        _ plan: PagePlan, _ renderer: Renderer, part: ([PagePlan], Page) async throws -> (PagePlan, PageResult)
    ) async throws -> PageResult {
        var actual = self
        var contents: [FinishedPage.Spread.Part] = []
        for (index, place) in places.enumerated() {
            let (plan, result) = try await part(place.plans, place.page)
            // The actual plan determines the position of the page's text.
            actual.places[index].plans = [plan]
            contents.append(FinishedPage.Spread.Part(result.content, at: place.area, resolution: place.resolution))
        }
        var result = PageResult(
            .spread(
                FinishedPage.Spread(
                    contents, size: size, background: await background.changed(by: edits), resolution: resolution)))
        result.plan = PagePlan(actual)
        return result
    }

    func shown(of page: Page, _ picture: Picture) -> [ShownPage] {
        zip(parts, places).flatMap { part, place in
            part.plan.method.shown(of: part.page, picture).map { shown in
                var shown = shown
                shown.map.place(at: place.area, on: size)
                return shown
            }
        }.inReadingOrder(of: page)
    }
}

extension RGB {
    /// Returns the color after the operations that also change the pages next to it.
    fileprivate func changed(by edits: [PageEdit]) async -> RGB {
        var pixel = Raster(
            size: PixelSize(width: 1, height: 1), format: .rgb(bits: 8), samples: [red, green, blue])
        for operation in edits.compactMap(\.operation) { pixel = (try? await operation.apply(to: pixel)) ?? pixel }
        let samples = pixel.widened(to: .rgb(bits: 8)).samples
        return samples.count == 3 ? RGB(red: samples[0], green: samples[1], blue: samples[2]) : self
    }
}
