internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// The thresholds for recognizing scans in pieces and scans with margins.
enum MosaicLimits {
    /// The minimum part of the page that a scan covers if the rest is blank.
    static let minimumCoverage = 0.5
    /// The same if the page has other content: an image within an article covers less.
    static let minimumCoverageWithOtherContent = 0.7
    /// The part of the page above which a scan fills it, except for producers' rounding.
    static let whole = 0.99
    /// The maximum ratio of a pixel's sides. A larger one would be visible, because few viewers respect such pixels.
    static let maximumPixelAspect = 1.02
    /// The minimum pixels per inch at which an image is a scan next to any content. At these, letters next to it are as sharp as
    /// on a page that is rendered, and the image keeps its own pixels.
    static let minimumSharpResolution = 240.0
    /// The same for an image that is nearly as wide and as high as the page: fax machines scan at 200 pixels per inch.
    static let minimumFaxResolution = 190.0
    /// The minimum part of the page's width and height, and of its area, that such an image covers. Measured on a data sheet whose
    /// letters were replaced by fonts: 79 % and 87 %.
    static let minimumFaxSide = 0.75
    static let minimumFaxCoverage = 0.65
    /// The pixels that a piece may be off its grid, and that pieces may overlap: producers' rounding, and strips that repeat one
    /// row. Measured on scans in strips by Acrobat 3 and Acrobat Capture.
    static let maximumDeviation = 1.5
    static let maximumOverlap = 2
    /// A limit above the strips of any scanner: 800 a page were seen. All pairs of pieces are compared.
    static let maximumPieces = 2048
}

extension PageAnalyzer {
    /// Returns the scan of a page, if it is not a single image that fills the page. The interpreter must have read the page.
    ///
    /// - Throws: a `Refusal` if the page is not such a scan.
    func mosaic(from interpreter: ContentInterpreter, _ geometry: PageGeometry) throws(Refusal) -> ScanMosaic {
        let marks = interpreter.marks
        let gathered = try gatheredPieces(marks, geometry)
        guard let first = gathered.pieces.first, let toPixels = gathered.toPixels else {
            throw Refusal(marks.isEmpty ? PageAnalyzer.blank : "something lies below the image")
        }
        let over = Array(marks.dropFirst(gathered.pieces.count))
        let isAlone = over.isEmpty || pagesAs == .scan
        let page = toPixels.bounds(of: geometry.shown)
        try check(gathered, first.extraction, on: page, isAlone: isAlone)
        let (canvas, shown) = try canvas(of: gathered, first.extraction, on: page, isAlone: isAlone)
        let overlay =
            over.isEmpty
            ? nil
            : try self.overlay(
                marks, from: gathered.pieces.count, on: gathered.pieces.map(\.picture), first.extraction.resolution,
                toPixels.then(Matrix(e: -Double(canvas.x), f: -Double(canvas.y))), isMixed: interpreter.mixesInGroups,
                geometry)
        var pending: [Edit] = []
        if shown != canvas { pending.append(.crop(shown.moved(on: canvas))) }
        let own = first.picture.state.matrix
        let isMirrored = own.quarterTurns == nil
        if isMirrored { pending.append(.mirror) }
        let total = (((isMirrored ? own.mirrored : own).quarterTurns ?? 0) + geometry.turns) % 4
        if total != 0 { pending.append(.turn(quarters: total)) }
        let mosaic = ScanMosaic(
            pieces: gathered.pieces.map { piece in
                ScanMosaic.Tile(extraction: piece.extraction, place: piece.place.moved(on: canvas))
            }, size: canvas.size, pending: pending, resolution: first.extraction.resolution, overlay: overlay,
            shown: isAlone ? PageArea(shown, of: page, isMirrored: isMirrored, turned: total) : .page)
        if case .jpeg = first.extraction.kind, mosaic.jpeg == nil {
            throw gathered.refusal("the image's JPEG cannot be put on the page without decoding it")
        }
        return mosaic
    }

    /// Returns the images below all other marks that can be pieces of one scan.
    private func gatheredPieces(_ marks: [Mark], _ geometry: PageGeometry) throws(Refusal) -> GatheredPieces {
        var gathered = GatheredPieces()
        for mark in marks {
            let picture = marks.isOnlyPictures ? mark.painted : mark.xObject
            guard let picture, gathered.pieces.count < MosaicLimits.maximumPieces else { break }
            do throws(Refusal) {
                let extraction = try extraction(
                    of: picture, geometry, hasBelow: false, hasAbove: marks.count > 1, isPart: true)
                guard try gathered.take(picture, extraction) else { break }
            } catch {
                if gathered.pieces.isEmpty { throw error }
                break
            }
        }
        return gathered
    }

    /// Checks that the images cover the page as a scan does.
    ///
    /// - Parameters:
    ///   - first: the first of the images.
    ///   - page: the page in the pixels of the first image.
    ///   - isAlone: whether the rest of the page is blank.
    private func check(
        _ gathered: GatheredPieces, _ first: Extraction, on page: PDFBox, isAlone: Bool
    ) throws(Refusal) {
        let covered = PDFBox(gathered.bounds).intersection(page)
        let share = covered.isEmpty ? 0 : covered.width * covered.height / (page.width * page.height)
        let shape = first.resolution.horizontal / first.resolution.vertical
        let isSquare = (1 / MosaicLimits.maximumPixelAspect...MosaicLimits.maximumPixelAspect).contains(shape)
        guard isSquare || share >= MosaicLimits.whole else {
            throw gathered.refusal("the image does not fill the page, and its pixels are not square")
        }
        let sides = covered.isEmpty ? 0 : min(covered.width / page.width, covered.height / page.height)
        guard share >= minimumCoverage(of: first, sides: sides, isAlone: isAlone) else {
            if isAlone || share < MosaicLimits.minimumCoverage {
                throw gathered.refusal("the image does not fill the page")
            }
            var refusal = gathered.refusal(
                "the image covers only \(Int(clamping: 100 * share, to: 0...100)) % of a page with other content")
            refusal.isOfArrangement = true
            throw refusal
        }
        if gathered.pieces.count > 1, gathered.pieces.contains(where: { $0.extraction.kind.isOnlyForOne }) {
            throw gathered.refusal("the page's images use a compression that only poppler can read")
        }
    }

    /// Returns the area that the images are put on, and the part of it that the page shows, in pixels of the first image.
    private func canvas(
        of gathered: GatheredPieces, _ first: Extraction, on page: PDFBox, isAlone: Bool
    ) throws(Refusal) -> (canvas: PixelRect, shown: PixelRect) {
        var canvas = gathered.bounds
        guard let whole = PixelRect(page) else { throw gathered.refusal("the page is too large") }
        if !isAlone {
            canvas = canvas.union(whole)
            guard canvas.width <= limits.pixels / canvas.height else { throw gathered.refusal("the page is too large") }
        }
        let shown = isAlone ? canvas.intersection(whole) : whole
        guard shown.width > 0, shown.height > 0 else { throw gathered.refusal("the image lies outside the page") }
        // A JPEG can begin only at an MCU: the canvas is enlarged, and the surplus is cropped again.
        if case .jpeg(let jpeg) = first.kind, let grid = jpeg.grid {
            let across = surplus(gathered.bounds.x - canvas.x, grid.width)
            let down = surplus(gathered.bounds.y - canvas.y, grid.height)
            canvas = PixelRect(
                x: canvas.x - across, y: canvas.y - down, width: canvas.width + across, height: canvas.height + down)
        }
        return (canvas, shown)
    }

    /// Returns the minimum part of a page that a scan covers.
    ///
    /// - Parameters:
    ///   - sides: the part of the page's width or of its height that it covers: the smaller one.
    ///   - isAlone: whether the rest of the page is blank.
    private func minimumCoverage(of scan: Extraction, sides: Double, isAlone: Bool) -> Double {
        if isAlone { return MosaicLimits.minimumCoverage }
        let resolution = min(scan.resolution.horizontal, scan.resolution.vertical)
        if resolution >= MosaicLimits.minimumSharpResolution { return MosaicLimits.minimumCoverage }
        guard scan.format == .gray(bits: 1) else { return MosaicLimits.minimumCoverageWithOtherContent }
        return resolution >= MosaicLimits.minimumFaxResolution && sides >= MosaicLimits.minimumFaxSide
            ? MosaicLimits.minimumFaxCoverage : MosaicLimits.minimumCoverageWithOtherContent
    }
}

/// Adjacent images at one scale, in the pixels of the first.
private struct GatheredPieces {
    private(set) var pieces: [(picture: PaintedPicture, extraction: Extraction, place: PixelRect)] = []
    /// The transformation from the page's coordinates to the first image's pixels.
    private(set) var toPixels: Matrix?
    private(set) var bounds = PixelRect(x: 0, y: 0, width: 0, height: 0)

    /// Adds an image as another piece.
    ///
    /// - Returns: false if it overlaps the pieces, or has another scale.
    mutating func take(_ picture: PaintedPicture, _ extraction: Extraction) throws(Refusal) -> Bool {
        let size = extraction.size
        guard let toPixels else {
            guard let inverse = picture.state.matrix.inverse else { throw Refusal("the image is empty") }
            toPixels = inverse.then(Matrix(pixelsOf: size))
            bounds = PixelRect(x: 0, y: 0, size)
            pieces.append((picture, extraction, bounds))
            return true
        }
        let matrix = picture.state.matrix.then(toPixels)
        let box = matrix.unitSquare
        guard matrix.a > 0, matrix.d < 0, matrix.keepsAxesNearly,
            abs(box.width - Double(size.width)) <= MosaicLimits.maximumDeviation,
            abs(box.height - Double(size.height)) <= MosaicLimits.maximumDeviation,
            let x = Int(checked: box.left, in: -1 << 24...1 << 24),
            let y = Int(checked: box.bottom, in: -1 << 24...1 << 24),
            extraction.kind.isJPEG == pieces[0].extraction.kind.isJPEG,
            extraction.format == pieces[0].extraction.format, extraction.profile == pieces[0].extraction.profile
        else { return false }
        let place = PixelRect(x: x, y: y, size)
        let maximum = MosaicLimits.maximumOverlap
        let core = PixelRect(
            x: x + maximum, y: y + maximum, width: max(1, size.width - 2 * maximum),
            height: max(1, size.height - 2 * maximum))
        guard !pieces.contains(where: { $0.place.overlaps(core) }) else { return false }
        pieces.append((picture, extraction, place))
        bounds = bounds.union(place)
        return true
    }

    func refusal(_ reason: Message) -> Refusal {
        guard pieces.count > 1 else { return Refusal(reason) }
        var refusal = Refusal("the page is made of \(pieces.count) images")
        refusal.isOfArrangement = true
        return refusal
    }
}

extension [Mark] {
    /// Whether all marks are images.
    var isOnlyPictures: Bool { allSatisfy { $0.painted != nil } }
}

extension Matrix {
    /// Whether boxes stay boxes except for rounding: less than a thousandth of a pixel over 10,000 pixels.
    fileprivate var keepsAxesNearly: Bool {
        let scale = max(abs(a), abs(d))
        return abs(b) <= scale * 1e-7 && abs(c) <= scale * 1e-7
    }
}

extension Extraction.Kind {
    /// Whether poppler has to decompress it, which returns only an image whose size is unique on a page.
    fileprivate var isOnlyForOne: Bool { if case .bilevel = self { true } else { false } }

    fileprivate var isJPEG: Bool { if case .jpeg = self { true } else { false } }
}

extension PDFBox {
    fileprivate init(_ rect: PixelRect) {
        self.init(
            left: Double(rect.x), bottom: Double(rect.y), right: Double(rect.x + rect.width),
            top: Double(rect.y + rect.height))
    }
}

extension PixelRect {
    /// Creates the rectangle of the pixels nearest to a box; nil if it is empty, or too large.
    fileprivate init?(_ box: PDFBox) {
        let range = -1 << 24...1 << 24
        guard let left = Int(checked: box.left, in: range), let right = Int(checked: box.right, in: range),
            let bottom = Int(checked: box.bottom, in: range), let top = Int(checked: box.top, in: range), right > left,
            top > bottom
        else { return nil }
        self.init(x: left, y: bottom, width: right - left, height: top - bottom)
    }

    /// Returns the rectangle with its place on a canvas.
    fileprivate func moved(on canvas: PixelRect) -> PixelRect {
        PixelRect(x: x - canvas.x, y: y - canvas.y, width: width, height: height)
    }

    fileprivate func intersection(_ other: PixelRect) -> PixelRect {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return PixelRect(
            x: left, y: top, width: min(x + width, other.x + other.width) - left,
            height: min(y + height, other.y + other.height) - top)
    }
}

extension PageArea {
    /// Creates the part of the page that corresponds to a part of the canvas. The page is as a person sees it.
    ///
    /// - Parameters:
    ///   - page: the page on the canvas.
    ///   - isMirrored: whether the canvas is mirrored. This precedes its rotation.
    ///   - quarters: the quarter turns that make the canvas upright.
    fileprivate init(_ rect: PixelRect, of page: PDFBox, isMirrored: Bool, turned quarters: Int) {
        var area = PageArea(
            left: (Double(rect.x) - page.left) / page.width, top: (Double(rect.y) - page.bottom) / page.height,
            right: (Double(rect.x + rect.width) - page.left) / page.width,
            bottom: (Double(rect.y + rect.height) - page.bottom) / page.height)
        // A pixel, or the remainder of a producer's rounding, is not a margin.
        let slack = max(1.5 / page.width, 1.5 / page.height, 0.0025)
        if max(area.left, area.top, 1 - area.right, 1 - area.bottom) <= slack { area = .page }
        if isMirrored {
            area = PageArea(left: 1 - area.right, top: area.top, right: 1 - area.left, bottom: area.bottom)
        }
        for _ in 0..<quarters {
            area = PageArea(left: 1 - area.bottom, top: area.left, right: 1 - area.top, bottom: area.right)
        }
        self = area
    }
}

/// Returns the distance to the next multiple of a grid's unit.
private func surplus(_ distance: Int, _ unit: Int) -> Int { (unit - distance % unit) % unit }
