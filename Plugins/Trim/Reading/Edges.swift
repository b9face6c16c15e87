internal import PageModel

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
            let isTall = box.height * minimumBandFraction > size.height
            let isWide = box.width * minimumBandFraction > size.width
            guard isTall || isWide else {
                for side in 0..<4 where sides[side] { specks[side].append(index) }
                continue
            }
            bands.append(index)
            for side in 0..<4 where sides[side] && (side < 2 ? isTall : isWide) { hasBand[side] = true }
        }
        // On scanned paper, blobs at an edge are dirt, unless there are so many that they must be screentone.
        for side in 0..<4 where !isClean && specks[side].count <= maximumBlobsAtBand {
            for index in specks[side] { isContent[index] = false }
        }
        for side in 0..<4 where hasBand[side] {
            let beside = ink.blobs.indices.filter {
                !bands.contains($0) && ink.blobs[$0].deepArea == 0 && zones[side].contains(ink.blobs[$0].box)
            }
            if beside.count > maximumBlobsAtBand {
                bands.removeAll { ink.blobs[$0].box.intersects(zones[side]) }
            } else {
                for index in beside { isContent[index] = false }
            }
        }
        for index in bands { isContent[index] = false }
        return isContent
    }

    /// The minimum length of a band: more than a quarter of its side.
    private static let minimumBandFraction = 4
    /// The number of blobs next to a band up to which they are dirt; more of them are screentone.
    private static let maximumBlobsAtBand = 12

    /// Removes hairs on or next to scanned text: they are long, thin and bent, and paler than letters.
    static func dropHairs(of ink: inout ForegroundMask, _ isContent: inout [Bool], unit: Double) {
        let letters = ink.blobs.indices.filter {
            isContent[$0] && (8 * unit...largestLetter * unit).contains(Double(ink.blobs[$0].box.extent))
        }
        guard letters.count >= 150 else { return }
        let contrasts = letters.map { ink.blobs[$0].contrast }.sorted()
        let maximumContrast = contrasts[contrasts.count / 2] * 3 / 4
        var mixed: [Int] = []
        for (index, blob) in ink.blobs.enumerated() where isContent[index] {
            if isHair(blob, unit: unit), blob.contrast <= maximumContrast {
                isContent[index] = false
            } else if (largestLetter * unit...maximumHairLength * unit).contains(Double(blob.box.extent)) {
                mixed.append(index)
            }
        }
        let runs = ink.runs(of: mixed)
        // A hair that runs into letters is one blob with them.
        for all in runs {
            let hairs = ink.paleParts(all, contrast: maximumContrast).filter { part in
                isHair(ConnectedComponent(part.map { ink.runs[$0] }, deepArea: 0), unit: unit)
            }
            // More of them are a drawing.
            guard hairs.count <= 3 else { continue }
            for hair in hairs {
                ink.split(hair, from: all)
                isContent.append(false)
            }
        }
    }

    /// Whether a blob is a hair, which is long, thin and bent; a rule is long, thin and straight.
    static func isHair(_ blob: ConnectedComponent, unit: Double) -> Bool {
        let box = blob.box
        guard (16 * unit...maximumHairLength * unit).contains(Double(box.extent)),
            Double(min(box.width, box.height)) > 4 * unit
        else { return false }
        let length = (Double(box.width * box.width + box.height * box.height)).squareRoot()
        let thickness = Double(blob.area) / length
        // A rule on a skewed page is slanted, but not broader than it is thick.
        return thickness <= 2.4 * unit && blob.breadth > 2 * thickness + unit
    }

    /// The size of the largest letter, in units.
    private static let largestLetter = 45.0
    /// The maximum length of a hair, in units: 6 cm on a page of a paperback.
    private static let maximumHairLength = 330.0
}
