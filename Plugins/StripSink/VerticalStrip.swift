internal import Imaging
internal import OrderedWork
internal import PageModel

/// A renderer that draws pages below each other: each page by itself, several at once.
struct VerticalStrip: Sendable {
    let plan: StripPlan

    func draw(into slices: [StripPlan.OpenSlice]) async throws {
        let ranges = slices.map(\.range)
        var current = 0
        try await forEachInOrder(plan.pages.indices, width: plan.width) { index in
            try pieces(of: index, ranges)
        } body: { pieces in
            for (slice, piece) in pieces {
                while current < slice {
                    try await slices[current].finish()
                    current += 1
                }
                try await slices[slice].target.append(piece)
            }
        }
        for slice in slices[current...] { try await slice.finish() }
    }

    /// Returns a page and the gap after it, cut at the ends of slices.
    private func pieces(of index: Int, _ slices: [Range<Int>]) throws(AdapterError) -> [(Int, StripPiece)] {
        let places = plan.layout.places
        let place = places[index]
        let end = index + 1 < places.count ? places[index + 1].y : plan.layout.size.height
        let rows = laid(try plan.raster(index), at: place, until: end)
        var pieces: [(Int, StripPiece)] = []
        for (slice, range) in slices.enumerated() {
            let part = range.clamped(to: place.y..<end)
            if part.isEmpty { continue }
            let cut = rows.rows(part.lowerBound - place.y..<part.upperBound - place.y)
            pieces.append((slice, StripPiece(cut, plan.format, plan.options)))
        }
        return pieces
    }

    /// Returns the page on the strip's whole width, with the gap below it.
    private func laid(_ raster: Raster, at place: PixelRect, until end: Int) -> Raster {
        let size = PixelSize(width: plan.layout.size.width, height: end - place.y)
        if raster.size == size { return raster }
        var samples = plan.format.backdrop(size)
        samples.lay(raster, x: place.x, y: 0, width: size.width)
        return Raster(size: size, format: plan.format.composed, samples: samples)
    }
}
