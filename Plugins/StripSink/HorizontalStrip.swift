internal import AdapterKit
internal import Imaging
internal import PageModel

/// Draws pages beside each other: a band of rows at a time, with the decoders of all pages running in step.
struct HorizontalStrip: Sendable {
    let plan: StripPlan

    func draw(into slices: [StripPlan.OpenSlice]) async throws {
        let lanes = try await lanes()
        let size = plan.layout.size
        let rowBytes = Raster.bytesPerRow(width: size.width, format: plan.format.composed)
        let step = max(1, min(size.height, HorizontalStrip.bandBytes / max(1, rowBytes)))
        var above: [[UInt8]?] = slices.map { _ in nil }
        for start in stride(from: 0, to: size.height, by: step) {
            try Task.checkCancellation()
            let band = try await band(start..<min(start + step, size.height), lanes)
            for (index, slice) in slices.enumerated() {
                let part = band.columns(slice.range)
                let pieces = try await pieces(of: part, below: above[index])
                for piece in pieces { try await slice.target.append(piece) }
                above[index] = Array(part.samples.suffix(part.bytesPerRow))
            }
        }
        for slice in slices { try await slice.finish() }
    }

    /// Enough rows for both halves of the work to keep all cores busy.
    private static let bandBytes = 4 << 20

    /// A core's share. It does not depend on how many there are: the same strip gets the same bytes on every machine.
    private static let pieceBytes = 1 << 19

    /// The pages, dealt out so that each lane has about as much to decode.
    private func lanes() async throws -> [StripLane] {
        var readers: [StripLane.Reader] = []
        let unpacked = try SpoolFile()
        try await forEachInOrder(plan.pages.indices, width: plan.width) { index in
            try source(of: index, unpacked)
        } body: { source in
            readers.append(source)
        }
        let count = max(1, min(plan.width, readers.count))
        return (0..<count).map { lane in
            StripLane(stride(from: lane, to: readers.count, by: count).map { readers[$0] }, plan)
        }
    }

    /// How a page's rows are to be had: a sequential JPEG's from its file, any other's from a spool it is unpacked to.
    private func source(of index: Int, _ unpacked: SpoolFile) throws(AdapterError) -> StripLane.Reader {
        let (page, place) = (plan.pages[index], plan.layout.places[index])
        let keepsColors = !page.isChangedInSRGB || plan.format.iccProfile != nil
        if page.isSequential && keepsColors && place.size == page.size {
            return StripLane.Reader(
                page: page.name, place: place,
                source: .jpeg(offset: page.offset, count: page.count, profile: page.iccProfile))
        }
        let raster = try plan.raster(index)
        let offset = try unpacked.append(raster.samples)
        return StripLane.Reader(page: page.name, place: place, source: .rows(unpacked, offset: offset))
    }

    private func band(_ rows: Range<Int>, _ lanes: [StripLane]) async throws -> Raster {
        let size = PixelSize(width: plan.layout.size.width, height: rows.count)
        var samples = plan.format.backdrop(size)
        try await withThrowingTaskGroup(of: [StripLane.Part].self) { group in
            for lane in lanes { group.addTask { try await lane.rows(rows) } }
            for try await parts in group {
                for part in parts { samples.lay(part.raster, x: part.x, y: part.y, width: size.width) }
            }
        }
        return Raster(size: size, format: plan.format.composed, samples: samples)
    }

    /// A band's rows, shared out among the cores.
    private func pieces(of band: Raster, below above: [UInt8]?) async throws -> [StripPiece] {
        let (format, options) = (plan.format, plan.options)
        guard options.isBanded else { return [.rows(band)] }
        let step = max(1, HorizontalStrip.pieceBytes / band.bytesPerRow)
        let starts = Array(stride(from: 0, to: band.size.height, by: step))
        var pieces: [StripPiece] = []
        try await forEachInOrder(starts, width: plan.width) { start in
            let rows = band.rows(start..<min(start + step, band.size.height))
            let last = start == 0 ? above : band.rows(start - 1..<start).samples
            return StripPiece(rows, format, options, below: last)
        } body: { piece in
            pieces.append(piece)
        }
        return pieces
    }
}
