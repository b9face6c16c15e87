internal import LayoutAnalysis
internal import PageModel

/// The limits of the detection of the dark edges that scanners leave.
///
/// Chosen on synthetic scans, for which `docs/accuracy.md` has the measurement of trimming as a whole. No separate
/// measurement of these values is recorded.
enum ScannerEdgeLimits {
    /// The minimum length of a band: more than this share of its side.
    static let minimumLength = Ratio(1, 4)
    /// The number of blobs next to a band up to which they are dirt; more of them are screentone.
    static let maximumBlobs = 12
}

/// The limits of the detection of hairs. A unit is a 620th of the page's shorter side.
///
/// Chosen on seven synthetic books with dust and hairs. Print was cut on none of their pages, and the boxes of their
/// sides have at most 1.06 times the area of the print.
enum HairLimits {
    /// The sizes of a letter, in units.
    static let letterSizes = 8.0...45.0
    /// The minimum number of letters that shows how dark print is.
    static let minimumLetters = 150
    /// The maximum darkness of a hair, as a share of the letters' contrast.
    static let maximumContrast = Ratio(3, 4)
    /// The maximum number of hairs in one blob: more of them are a drawing.
    static let maximumHairs = 3
    /// The lengths of a hair, in units; the longest one has 6 cm on a page of a paperback.
    static let lengths = 16.0...330.0
    /// The shorter side of the box that a hair has more than, in units: it is bent.
    static let minimumBreadth = 4.0
    /// The maximum thickness, in units.
    static let maximumThickness = 2.4
}

/// The dirt that is recognized by its shape and place alone: the dark edges that scanners leave, and hairs.
extension RasterReading {
    /// Returns for each blob whether it may be content, as far as its shape and place show. Hairs that run into letters become
    /// separate blobs.
    static func withoutNoise(
        _ ink: inout ForegroundMask, _ size: PixelSize, edge: Int, isClean: Bool, unit: Double
    ) -> [Bool] {
        var isContent = withoutEdges(ink, size, edge: edge, isClean: isClean)
        if !isClean { dropHairs(of: &ink, &isContent, unit: unit) }
        return isContent
    }

    /// Returns for each blob whether it may be content. The dark edge that a scanner leaves is not content, nor are the specks in
    /// it.
    ///
    /// Such an edge is a band along a side that does not reach further in and has little next to it. Art that is printed up to
    /// the edge is different: frames and figures reach into the page, and screentone continues next to its dots.
    private static func withoutEdges(_ ink: ForegroundMask, _ size: PixelSize, edge: Int, isClean: Bool) -> [Bool] {
        let zones = [
            Bounds(left: 0, top: 0, right: edge, bottom: size.height),
            Bounds(left: size.width - edge, top: 0, right: size.width, bottom: size.height),
            Bounds(left: 0, top: 0, right: size.width, bottom: edge),
            Bounds(left: 0, top: size.height - edge, right: size.width, bottom: size.height),
        ]
        var isContent = [Bool](repeating: true, count: ink.blobs.count)
        var hasBand = [false, false, false, false]
        var bands: [Int] = []
        var specks: [[Int]] = [[], [], [], []]
        for (index, blob) in ink.blobs.enumerated() where blob.deepArea == 0 {
            let box = blob.box
            let sides = [box.left == 0, box.right == size.width, box.top == 0, box.bottom == size.height]
            guard sides.contains(true) else { continue }
            let isTall = box.height.isMore(than: ScannerEdgeLimits.minimumLength, of: size.height)
            let isWide = box.width.isMore(than: ScannerEdgeLimits.minimumLength, of: size.width)
            guard isTall || isWide else {
                for side in zones.indices where sides[side] { specks[side].append(index) }
                continue
            }
            bands.append(index)
            for side in zones.indices where sides[side] && (side < 2 ? isTall : isWide) { hasBand[side] = true }
        }
        // On scanned paper, blobs at an edge are dirt, unless there are so many that they must be screentone.
        for side in zones.indices where !isClean && specks[side].count <= ScannerEdgeLimits.maximumBlobs {
            for index in specks[side] { isContent[index] = false }
        }
        for side in zones.indices where hasBand[side] {
            let neighbors = ink.blobs.indices.filter {
                !bands.contains($0) && ink.blobs[$0].deepArea == 0 && zones[side].contains(ink.blobs[$0].box)
            }
            if neighbors.count > ScannerEdgeLimits.maximumBlobs {
                bands.removeAll { ink.blobs[$0].box.intersects(zones[side]) }
            } else {
                for index in neighbors { isContent[index] = false }
            }
        }
        for index in bands { isContent[index] = false }
        return isContent
    }

    /// Removes hairs on or next to scanned text: they are long, thin and bent, and paler than letters.
    static func dropHairs(of ink: inout ForegroundMask, _ isContent: inout [Bool], unit: Double) {
        let letters = ink.blobs.indices.filter {
            isContent[$0] && HairLimits.letterSizes.scaled(by: unit).contains(Double(ink.blobs[$0].box.extent))
        }
        guard letters.count >= HairLimits.minimumLetters else { return }
        let contrasts = letters.map { ink.blobs[$0].contrast }.sorted()
        let maximumContrast = HairLimits.maximumContrast.of(contrasts[contrasts.count / 2])
        // Longer than letters.
        let longSizes = HairLimits.letterSizes.upperBound * unit...HairLimits.lengths.upperBound * unit
        var mixed: [Int] = []
        for (index, blob) in ink.blobs.enumerated() where isContent[index] {
            if isHair(blob, unit: unit), blob.contrast <= maximumContrast {
                isContent[index] = false
            } else if longSizes.contains(Double(blob.box.extent)) {
                mixed.append(index)
            }
        }
        let runs = ink.runs(of: mixed)
        // A hair that runs into letters is one blob with them.
        for all in runs {
            let hairs = ink.parts(of: all, where: { $0.contrast <= maximumContrast }).filter { part in
                isHair(ConnectedComponent(part.map { ink.runs[$0] }, deepArea: 0), unit: unit)
            }
            // More of them are a drawing.
            guard hairs.count <= HairLimits.maximumHairs else { continue }
            for hair in hairs {
                ink.split(hair, from: all)
                isContent.append(false)
            }
        }
    }

    /// Whether a blob is a hair, which is long, thin and bent; a rule is long, thin and straight.
    static func isHair(_ blob: ConnectedComponent, unit: Double) -> Bool {
        let box = blob.box
        guard HairLimits.lengths.scaled(by: unit).contains(Double(box.extent)),
            Double(min(box.width, box.height)) > HairLimits.minimumBreadth * unit
        else { return false }
        let length = (Double(box.width * box.width + box.height * box.height)).squareRoot()
        let thickness = Double(blob.area) / length
        // A rule on a skewed page is slanted, but not broader than it is thick.
        return thickness <= HairLimits.maximumThickness * unit && blob.breadth > 2 * thickness + unit
    }
}
