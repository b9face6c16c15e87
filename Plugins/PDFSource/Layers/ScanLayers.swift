internal import PDFStructure
internal import PageModel

/// The thresholds for recognizing scans in layers.
enum LayerLimits {
    /// The minimum part of the page that the largest image covers: below that, the page is not a scan.
    static let minimumCoverage = 0.5
    /// The minimum part of the page that the masks cover. A title page has 8 %.
    static let minimumMaskCoverage = 0.05
    /// The same if text or drawings are on the page, too. Computer-set pages have icons as masks, which cover less.
    static let minimumMaskCoverageWithOtherContent = 0.25
    /// The factor by which another image may be finer than the mask: rounding by producers.
    static let maximumFinerRatio = 1.25
    /// The part of the page that finer images may cover, such as the image of a signature.
    static let maximumFinerCoverage = 0.02
    /// The deviation of an edge by producers' rounding, in pixels.
    static let rounding = 0.02
}

/// A page that is a scan in layers (mixed raster content, ITU-T T.44).
///
/// Paper and photographs are in a coarse image, and letters and lines in finer masks over it. The page has no pixels of its own.
/// When it is assembled on the pixels of the finest mask, the mask keeps every one of its pixels.
struct ScanLayers: Sendable {
    /// The number of images.
    let count: Int
    /// The pixel positions of the finest mask.
    let grid: PixelGrid
    /// The size of the page in these pixels.
    let size: PixelSize
    /// The pixels per inch.
    let resolution: Double
}

extension PageAnalyzer {
    /// Returns the layers of a page's scan; nil if it is not a scan in layers.
    func layers(of marks: [Mark], _ geometry: PageGeometry) -> ScanLayers? {
        let pictures = marks.compactMap { mark -> LayerPicture? in
            if case .picture(let picture) = mark { LayerPicture(picture, geometry) } else { nil }
        }
        let masks = pictures.filter(\.isMask)
        guard pictures.count > 1, pictures.contains(where: { $0.share >= LayerLimits.minimumCoverage }),
            let mask = masks.max(by: { $0.pixels < $1.pixels }), mask.resolution >= OverlayLimits.minimumResolution
        else { return nil }
        let masked = masks.reduce(0) { $0 + $1.share }
        guard masked >= LayerLimits.minimumMaskCoverage else { return nil }
        let finer = pictures.filter { $0.resolution > mask.resolution * LayerLimits.maximumFinerRatio }
        guard finer.reduce(0, { $0 + $1.share }) <= LayerLimits.maximumFinerCoverage else { return nil }
        if showsVectors(marks, geometry) {
            guard masked >= LayerLimits.minimumMaskCoverageWithOtherContent,
                mask.resolution >= PageAnalyzer.resolutionOfVectors / LayerLimits.maximumFinerRatio
            else { return nil }
        }
        return mask.layers(count: pictures.count, geometry)
    }
}

/// An image of a page, as far as it may be a layer of its scan.
private struct LayerPicture {
    let isMask: Bool
    let size: PixelSize
    /// Its box on the page as a person sees it, in points.
    let box: PDFBox
    /// The part of the page that it covers.
    let share: Double
    /// The pixels per inch, in the direction with more of them.
    let resolution: Double
    private let isUpright: Bool

    var pixels: Int { size.area }

    /// - Returns: nil if it is empty, or outside the visible part.
    init?(_ picture: PaintedPicture, _ geometry: PageGeometry) {
        let matrix = picture.state.matrix.then(Matrix(drawing: geometry))
        let mask = LayerPicture.mask(of: picture.object)
        let largest = mask ?? picture.object
        guard let width = largest["Width"].integer, let height = largest["Height"].integer, 1..<1 << 20 ~= width,
            1..<1 << 20 ~= height
        else { return nil }
        isMask = mask != nil
        // Rotations are counted with y upwards.
        let turns = matrix.then(Matrix(d: -1)).quarterTurns
        isUpright = turns != nil
        size = PixelSize(width: width, height: height).rotated(quarters: turns ?? 0)
        box = matrix.unitSquare
        let (shownWidth, shownHeight) = geometry.drawnSize
        let seen = box.intersection(PDFBox(left: 0, bottom: 0, right: shownWidth, top: shownHeight))
        guard !seen.isEmpty else { return nil }
        share = seen.width * seen.height / (shownWidth * shownHeight)
        let inch = 72 / geometry.userUnit
        resolution = max(Double(size.width) / box.width, Double(size.height) / box.height) * inch
    }

    /// Returns the one-bit mask of the areas in which an image is painted; nil if it does not have one.
    private static func mask(of object: PDFObject) -> PDFObject? {
        if object["ImageMask"].boolean == true { return object }
        if object["Mask"].kind == .stream { return object["Mask"] }
        let soft = object["SMask"]
        return soft.kind == .stream && soft["BitsPerComponent"].integer == 1 ? soft : nil
    }

    /// Returns the layers of a page with this as the finest mask; nil if it is mirrored or slanted, or its pixels are not square.
    func layers(count: Int, _ geometry: PageGeometry) -> ScanLayers? {
        guard isUpright, !box.isEmpty else { return nil }
        let (across, down) = (Double(size.width) / box.width, Double(size.height) / box.height)
        guard (1 / MosaicLimits.maximumPixelAspect...MosaicLimits.maximumPixelAspect).contains(across / down) else {
            return nil
        }
        // To the left and upwards, so that the first pixels are covered completely, except for rounding by producers.
        func shift(_ edge: Double) -> Double { (edge + LayerLimits.rounding).rounded(.down) - edge }
        let grid = PixelGrid(
            across: across, down: down, right: shift(box.left * across), below: shift(box.bottom * down))
        let (width, height) = geometry.drawnSize
        func pixels(_ length: Double) -> Int? {
            Int(checked: (length + LayerLimits.rounding).rounded(.down), in: 1...1 << 24)
        }
        guard let columns = pixels(width * across + grid.right), let rows = pixels(height * down + grid.below)
        else { return nil }
        return ScanLayers(
            count: count, grid: grid, size: PixelSize(width: columns, height: rows), resolution: resolution)
    }
}

extension PageGeometry {
    /// The width and height of the page as rendered: rotated as a person sees it, in points without the user unit.
    fileprivate var drawnSize: (width: Double, height: Double) { (size.width / userUnit, size.height / userUnit) }
}
