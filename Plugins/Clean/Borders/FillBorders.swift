internal import Imaging
internal import PageModel

/// The replacement of the borders of a scan and of punch holes by paper.
struct FillBorders: PageOperation {
    static let id = "borders"

    let areas: [AreaShare]
    /// The paper, which continues below the borders.
    let surface: PaperSurface

    var note: Note { Note(Note.Code("borders-filled", "borders filled")) }

    var makesLegible: Bool { true }

    /// The rasters before and after are of 8 bits a sample, and there is one between them.
    var workingCopies: Int { 1 }

    func apply(to raster: Raster) -> Raster {
        if case .gray(bits: 1) = raster.format { return bilevelFilled(raster) }
        let page = (raster.format.hasAlpha ? raster.flattened(on: .white) : raster).narrowed().widened()
        let channels = page.format.hasColor ? 3 : 1
        let own = surface.light.count
        // A preview may be gray though the page is not, and the other way round.
        let grids = (0..<channels).map { surface.grid(own == channels ? $0 : own / 2) }
        let columns = GridPlace.all(page.size.width, surface.across)
        var samples = page.samples
        for area in areas {
            let across = area.columns(of: page.size)
            for y in area.rows(of: page.size) {
                let row = GridPlace(y, page.size.height, surface.down)
                let (upper, lower) = (row.first * surface.across, row.next * surface.across)
                for x in across {
                    let column = columns[x]
                    for (channel, grid) in grids.enumerated() {
                        func light(_ start: Int) -> Float {
                            let first = grid[start + column.first]
                            return first + (grid[start + column.next] - first) * column.share
                        }
                        let paper = light(upper) + (light(lower) - light(upper)) * row.share
                        samples[channels * (y * page.size.width + x) + channel] = UInt8(
                            truncatingIfNeeded: SRGBCurve.level(paper))
                    }
                }
            }
        }
        return Raster(
            size: page.size, format: page.format, samples: samples, resolution: page.resolution,
            iccProfile: page.iccProfile)
    }

    /// Returns a page of one bit a pixel with white in place of the borders.
    private func bilevelFilled(_ raster: Raster) -> Raster {
        var samples = raster.samples
        for area in areas {
            let across = area.columns(of: raster.size)
            for y in area.rows(of: raster.size) {
                let row = y * raster.bytesPerRow
                for x in across { samples[row + x >> 3] |= 0x80 >> UInt8(x & 7) }
            }
        }
        return Raster(
            size: raster.size, format: raster.format, samples: samples, resolution: raster.resolution,
            iccProfile: raster.iccProfile)
    }
}
