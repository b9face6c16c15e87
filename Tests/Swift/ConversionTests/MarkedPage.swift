import AdapterKit
import Imaging
import PageModel

/// A white page with black bars, and the words that are said to stand where the bars do.
struct MarkedPage {
    var size = PixelSize(width: 400, height: 560)
    /// The bars in pixels; no two lie near each other.
    var bars = [
        PixelRect(x: 60, y: 70, width: 90, height: 20), PixelRect(x: 220, y: 74, width: 50, height: 24),
        PixelRect(x: 100, y: 240, width: 200, height: 16), PixelRect(x: 90, y: 400, width: 30, height: 60),
        PixelRect(x: 260, y: 450, width: 80, height: 30),
    ]
    /// Where the page leads to; the places of the bars are those of the links.
    var targets: [LinkTarget] = []

    var raster: Raster {
        var samples = [UInt8](repeating: 255, count: size.area)
        for bar in bars {
            for y in bar.y..<bar.y + bar.height {
                for x in bar.x..<bar.x + bar.width { samples[y * size.width + x] = 0 }
            }
        }
        return Raster(size: size, format: .gray(bits: 8), samples: samples)
    }

    var areas: [PageArea] {
        bars.map { bar in
            let (width, height) = (Double(size.width), Double(size.height))
            return PageArea(
                left: Double(bar.x) / width, top: Double(bar.y) / height, right: Double(bar.x + bar.width) / width,
                bottom: Double(bar.y + bar.height) / height)
        }
    }

    /// In which form a source holds the page.
    enum Form: CaseIterable, Sendable {
        case samples, png, jpeg
        /// A JPEG that lies on its side, and says so.
        case turnedJPEG
        /// A JPEG that lies on its side and has a border, as pictures in PDFs may.
        case pendingJPEG
        case drawing
    }

    func picture(_ form: Form) throws -> Picture {
        let raster = raster
        func jpeg(_ raster: Raster, _ orientation: Orientation = .upright, pending: [Edit] = []) throws -> Picture {
            var file = try PictureEncoder.encode(raster, as: .jpeg, .quality(95))
            if orientation != .upright {
                // EXIF that asks for a quarter turn clockwise: orientation 6 (CIPA DC-008).
                let exif = Array(
                    "Exif\0\0MM\0\u{2A}\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0\u{6}\0\0\0\0\0\0".utf8)
                file.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif, at: 2)
            }
            let bytes = file
            let picture = EncodedPicture(
                encoding: .jpeg, size: raster.size, orientation: orientation,
                grid: PictureHeader(bytes)?.grid, joinKey: PictureHeader(bytes)?.joinKey, isGray: true, pending: pending
            ) { bytes }
            return Picture(size: size, representations: [.encoded(picture)])
        }
        switch form {
        case .samples:
            return Picture(
                size: size,
                representations: [
                    .sampled(
                        SampledPicture(compression: "raw", size: size, format: raster.format) {
                            DecodedImage(raster: raster)
                        })
                ])
        case .png:
            let bytes = PNGWriter.encode(raster)
            return Picture(
                size: size, representations: [.encoded(EncodedPicture(encoding: .png, size: size) { bytes })])
        case .jpeg: return try jpeg(raster)
        case .turnedJPEG:
            // Turned counter-clockwise, so that a turn clockwise makes it upright.
            let stored = raster.framed(Framing(size, Orientation.upright.rotated(quarters: 3)))
            return try jpeg(stored, Orientation.upright.rotated(quarters: 1))
        case .pendingJPEG:
            let border = PixelRect(x: 24, y: 40, size)
            let whole = PixelSize(width: size.width + 48, height: size.height + 56)
            var samples = [UInt8](repeating: 255, count: whole.area)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    samples[(y + border.y) * whole.width + x + border.x] = raster.samples[y * size.width + x]
                }
            }
            let bordered = Raster(size: whole, format: .gray(bits: 8), samples: samples)
            let stored = bordered.framed(Framing(whole, Orientation.upright.rotated(quarters: 2)))
            let crop = PixelRect(
                x: whole.width - border.x - size.width, y: whole.height - border.y - size.height, size)
            return try jpeg(stored, pending: [.crop(crop), .turn(quarters: 2)])
        case .drawing:
            let drawn = DrawnPicture(
                width: Double(size.width), height: Double(size.height), resolution: 72
            ) { DecodedImage(raster: raster) }
            return Picture(size: size, representations: [.drawn(drawn)])
        }
    }

    func page(_ id: Int, _ form: Form) throws -> Page {
        let picture = try picture(form)
        var page = Page(id: id, name: "page \(id)") { picture }
        let (areas, targets) = (areas, targets)
        page.text = {
            areas.enumerated().map { TextLine([TextWord("\(id).\($0)", $1)]) }
        }
        page.links = { zip(areas, targets).map { PageLink($0, to: $1) } }
        return page
    }
}

extension FinishedPage {
    /// The page as a reader sees it, in shades of gray.
    func seen() throws -> Raster {
        switch content {
        case .raster(let page): return page.raster.gray().narrowed().widened(to: .gray(bits: 8))
        case .encoded(let page):
            let raster = try PictureDecoder.decode(page.bytes, DecodeRequest(page.encoding, maximumPixels: 1 << 24))
                .raster
            let upright = page.framing.map { raster.framed($0) } ?? raster
            return upright.gray().narrowed().widened(to: .gray(bits: 8))
        case .document, .spread, .layered: throw Sample.Unreadable()
        }
    }

    /// How far the bar under a word is from the word's place: the farthest of its edges, and its middle, in pixels. Infinite
    /// where there is no bar.
    func distance(of word: TextWord, in raster: Raster) -> (edges: Double, middle: Double) {
        let (width, height) = (Double(raster.size.width), Double(raster.size.height))
        let area = word.area
        let around = 9.0
        func span(_ low: Double, _ high: Double, _ maximum: Int) -> Range<Int> {
            Int(clamping: low - around, to: 0...maximum)..<Int(clamping: high + around, to: 0...maximum)
        }
        var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
        var (sumX, sumY, count) = (0.0, 0.0, 0.0)
        for y in span(area.top * height, area.bottom * height, raster.size.height) {
            for x in span(area.left * width, area.right * width, raster.size.width)
            where raster.samples[y * raster.size.width + x] < 128 {
                (left, right, top, bottom) = (min(left, x), max(right, x + 1), min(top, y), max(bottom, y + 1))
                (sumX, sumY, count) = (sumX + Double(x) + 0.5, sumY + Double(y) + 0.5, count + 1)
            }
        }
        guard count > 0 else { return (.infinity, .infinity) }
        let edges = [
            Double(left) - area.left * width, Double(right) - area.right * width, Double(top) - area.top * height,
            Double(bottom) - area.bottom * height,
        ]
        let middle = [
            sumX / count - area.center.across * width, sumY / count - area.center.down * height,
        ]
        return (edges.map(abs).max() ?? .infinity, middle.map(abs).max() ?? .infinity)
    }
}
