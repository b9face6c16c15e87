internal import AdapterKit
internal import Imaging
internal import PageModel

/// Some of the pages of a horizontal strip, decoded in step by one task.
actor StripLane {
    /// Where a page's rows come from.
    struct Reader: Sendable {
        enum Source: Sendable {
            /// A JPEG in the strip's spool.
            case jpeg(offset: Int, count: Int, profile: [UInt8]?)
            /// Samples of the strip's format, row by row.
            case rows(SpoolFile, offset: Int)
        }

        let page: String
        let place: PixelRect
        let source: Source
    }

    /// Rows of one page in a band.
    struct Part: Sendable {
        let raster: Raster
        let x: Int
        /// From the top of the band.
        let y: Int
    }

    private let pages: [Reader]
    private let plan: StripPlan
    private var decoders: [Int: JPEGReader] = [:]

    init(_ pages: [Reader], _ plan: StripPlan) {
        self.pages = pages
        self.plan = plan
    }

    /// The rows of the pages that lie in a band; bands come from the top down.
    func rows(_ band: Range<Int>) throws(AdapterError) -> [Part] {
        var parts: [Part] = []
        for (index, page) in pages.enumerated() {
            let rows = band.clamped(to: page.place.y..<page.place.y + page.place.height)
            if rows.isEmpty { continue }
            let raster = try raster(index, page, rows.lowerBound - page.place.y..<rows.upperBound - page.place.y)
            parts.append(Part(raster: raster, x: page.place.x, y: rows.lowerBound - band.lowerBound))
        }
        return parts
    }

    private func decoder(_ index: Int, _ offset: Int, _ count: Int, _ profile: [UInt8]?) throws(PictureFault)
        -> JPEGReader
    {
        if let decoder = decoders[index] { return decoder }
        let decoder = try JPEGReader(descriptor: plan.spool.number, offset: offset, count: count, profile: profile)
        decoders[index] = decoder
        return decoder
    }

    private func raster(_ index: Int, _ page: Reader, _ rows: Range<Int>) throws(AdapterError) -> Raster {
        let size = PixelSize(width: page.place.width, height: rows.count)
        switch page.source {
        case .jpeg(let offset, let count, let profile):
            return try StripPage.naming(page.page) { () throws(PictureFault) in
                let decoder = try decoder(index, offset, count, profile)
                if rows.upperBound == page.place.height { decoders[index] = nil }
                let samples = try decoder.read(rows: rows.count)
                return plan.format.bring(Raster(size: size, format: decoder.format, samples: samples))
            }
        case .rows(let spool, let offset):
            let row = Raster.bytesPerRow(width: size.width, format: plan.format.composed)
            let samples = try spool.read(at: offset + rows.lowerBound * row, count: rows.count * row)
            return Raster(size: size, format: plan.format.composed, samples: samples)
        }
    }
}
