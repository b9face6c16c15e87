internal import Files
internal import Imaging
internal import OrderedWork
internal import PageModel

/// A renderer that draws pages next to each other, a band of rows at a time, with the decoders of all pages in step.
struct HorizontalStrip: Sendable {
    let plan: StripPlan

    func draw(into slices: [StripPlan.OpenSlice]) async throws {
        let workers = try await workers()
        let size = plan.layout.size
        let rowBytes = Raster.bytesPerRow(width: size.width, format: plan.format.composed)
        let step = max(1, min(size.height, HorizontalStrip.bandBytes / max(1, rowBytes)))
        var above: [[UInt8]?] = slices.map { _ in nil }
        for start in stride(from: 0, to: size.height, by: step) {
            try Task.checkCancellation()
            let band = try await band(start..<min(start + step, size.height), workers)
            for (index, slice) in slices.enumerated() {
                let part = band.columns(slice.range)
                let pieces = try await pieces(of: part, below: above[index])
                for piece in pieces { try await slice.target.append(piece) }
                above[index] = Array(part.samples.suffix(part.bytesPerRow))
            }
        }
        for slice in slices { try await slice.finish() }
    }

    /// The size of a band: enough rows for both halves of the work to keep all cores busy.
    private static let bandBytes = 4 << 20

    /// A core's share. It does not depend on the number of cores: the same strip gets the same bytes on every machine.
    private static let pieceBytes = 1 << 19

    /// Returns the pages, distributed so that each worker has about as much to decode.
    private func workers() async throws -> [StripWorker] {
        var readers: [StripWorker.Reader] = []
        let unpacked = try SpoolFile()
        try await forEachInOrder(plan.pages.indices, width: plan.width) { index in
            try source(of: index, unpacked)
        } body: { source in
            readers.append(source)
        }
        let count = max(1, min(plan.width, readers.count))
        return (0..<count).map { worker in
            StripWorker(stride(from: worker, to: readers.count, by: count).map { readers[$0] }, plan)
        }
    }

    /// Returns the source of a page's rows.
    ///
    /// It is the file of a sequential JPEG, samples in place, or a spool to which any other image is unpacked.
    private func source(of index: Int, _ unpacked: SpoolFile) throws(AdapterError) -> StripWorker.Reader {
        let (page, place) = (plan.pages[index], plan.layout.places[index])
        let keepsColors = !page.isChangedInSRGB || plan.format.iccProfile != nil
        if page.isSequential && keepsColors && place.size == page.size {
            return StripWorker.Reader(
                number: page.number, page: page.name, place: place,
                source: .jpeg(offset: page.offset, count: page.count, profile: page.iccProfile))
        }
        if place.size == page.size && page.isReady(for: plan.format) {
            return StripWorker.Reader(
                number: page.number, page: page.name, place: place, source: .rows(plan.spool, offset: page.offset))
        }
        let raster = try plan.raster(index)
        let offset = try unpacked.append(raster.samples)
        return StripWorker.Reader(
            number: page.number, page: page.name, place: place, source: .rows(unpacked, offset: offset))
    }

    private func band(_ rows: Range<Int>, _ workers: [StripWorker]) async throws -> Raster {
        let size = PixelSize(width: plan.layout.size.width, height: rows.count)
        var samples = plan.format.backdrop(size)
        try await forEachInOrder(workers, width: max(1, workers.count)) { worker in
            try await worker.rows(rows)
        } body: { parts in
            for part in parts { samples.lay(part.raster, x: part.x, y: part.y, width: size.width) }
        }
        return Raster(size: size, format: plan.format.composed, samples: samples)
    }

    /// Returns a band's rows, divided among the cores.
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

/// A worker that decodes some pages of a horizontal strip in step.
actor StripWorker {
    /// The source of a page's rows.
    struct Reader: Sendable {
        enum Source: Sendable {
            /// A JPEG in the strip's spool.
            case jpeg(offset: Int, count: Int, profile: [UInt8]?)
            /// Samples of the strip's format, row by row.
            case rows(SpoolFile, offset: Int)
        }

        let number: Int
        let page: String
        let place: PixelRect
        let source: Source
    }

    /// The rows of one page in a band.
    struct PlacedRows: Sendable {
        let raster: Raster
        let x: Int
        /// The distance from the top of the band.
        let y: Int
    }

    private let pages: [Reader]
    private let plan: StripPlan
    private var decoders: [Int: JPEGReader] = [:]

    init(_ pages: [Reader], _ plan: StripPlan) {
        self.pages = pages
        self.plan = plan
    }

    /// Returns the rows of the pages in a band; bands are requested from the top down.
    func rows(_ band: Range<Int>) throws(AdapterError) -> [PlacedRows] {
        var parts: [PlacedRows] = []
        for (index, page) in pages.enumerated() {
            let rows = band.clamped(to: page.place.y..<page.place.y + page.place.height)
            if rows.isEmpty { continue }
            let raster = try raster(index, page, rows.lowerBound - page.place.y..<rows.upperBound - page.place.y)
            parts.append(PlacedRows(raster: raster, x: page.place.x, y: rows.lowerBound - band.lowerBound))
        }
        return parts
    }

    private func decoder(_ index: Int, _ offset: Int, _ count: Int, _ profile: [UInt8]?) throws -> JPEGReader {
        if let decoder = decoders[index] { return decoder }
        let portions = FilePortions(count: count) { [spool = plan.spool] place, count throws(AdapterError) in
            try spool.read(at: offset + place, count: count)
        }
        let decoder = try JPEGReader(portions, profile: profile)
        decoders[index] = decoder
        return decoder
    }

    private func raster(_ index: Int, _ page: Reader, _ rows: Range<Int>) throws(AdapterError) -> Raster {
        let size = PixelSize(width: page.place.width, height: rows.count)
        switch page.source {
        case .jpeg(let offset, let count, let profile):
            do {
                let decoder = try decoder(index, offset, count, profile)
                if rows.upperBound == page.place.height { decoders[index] = nil }
                let samples = try decoder.readPortions(rows: rows.count)
                plan.damage.note(decoder.diagnostic, of: .jpeg, page: page.number)
                return plan.format.bring(Raster(size: size, format: decoder.format, samples: samples))
            } catch let error as AdapterError {
                throw error
            } catch {
                let fault = error as? PictureFault ?? PictureFault(Message(verbatim: "\(error)"))
                throw AdapterError(fault, hint: StripPage.hint, page: page.page)
            }
        case .rows(let spool, let offset):
            let row = Raster.bytesPerRow(width: size.width, format: plan.format.composed)
            let samples = try spool.read(at: offset + rows.lowerBound * row, count: rows.count * row)
            return Raster(size: size, format: plan.format.composed, samples: samples)
        }
    }
}
