internal import LayoutAnalysis
internal import PageModel

extension RasterReading {
    /// The counterclockwise angle of the lines of text, in degrees within ±15; nil if no lines are found.
    ///
    /// Ink of the size of letters is examined first, then only ink in rows. If there is too little of that, as in music and in
    /// large print, everything thin is examined with a higher threshold. The panels of a comic must not contradict the result.
    var skew: Double? {
        let angle = skewOfMarks
        guard let found = angle, abs(found) >= PageReadingLimits.minimumSkew else { return angle }
        // On a clean page, thin frames are not outlines of the paper.
        let counts = ink.blobs.map { $0.group >= 0 || paper.isClean && !$0.box.touchesEdge(of: size) }
        let runs = ink.runs.filter { counts[Int($0.blob)] }.map {
            (row: Int($0.row), start: Int($0.start), end: Int($0.end))
        }
        let edges = FrameEdges(runs, width: size.width, unit: unit)
        let isArt = classifier.map { $0.letterCount < ArtLimits.littleText } ?? true
        return edges.contradict(found, isArt: isArt) ? nil : found
    }

    /// The angle that letters show, or else thin marks.
    private var skewOfMarks: Double? {
        let letters = Int(SkewLimits.letterSizes.lowerBound * unit)...Int(SkewLimits.letterSizes.upperBound * unit)
        let text = strokes { blob, _ in letters.contains(blob.box.extent) }
        if let found = SkewFinder(text, unit: unit)?.skew(SkewLimits.letters) { return found }
        if let classifier {
            let inRows = ink.blobs.indices.map {
                classifier.roles[$0] == .letter && classifier.rows.length[$0] >= SkewLimits.minimumRow
            }
            if let found = SkewFinder(strokes { _, index in inRows[index] }, unit: unit)?.skew(SkewLimits.rows) {
                return found
            }
        }
        let thin = strokes { blob, _ in
            let isThin = Double(blob.area) < SkewLimits.thinCover * Double(blob.box.width * blob.box.height)
            return blob.box.extent >= letters.lowerBound
                && (isThin || Double(blob.box.extent) < SkewLimits.maximumThickSize * unit)
        }
        return SkewFinder(thin, unit: unit)?.skew(SkewLimits.lines)
    }

    /// Returns the runs of the printed marks.
    ///
    /// - Parameter counts: whether a blob counts, given its index in `ink`.
    private func strokes(_ counts: (ConnectedComponent, Int) -> Bool) -> [Strokes.Run] {
        ink.runs.filter { run in
            let blob = ink.blobs[Int(run.blob)]
            return blob.group >= 0 && counts(blob, Int(run.blob))
        }.map { Strokes.Run(row: $0.row, start: $0.start, end: $0.end, blob: $0.blob) }
    }

    /// Returns the skew of a page that cannot be read, because no paper is visible along its edges: it may be on a scanner
    /// background.
    ///
    /// Only marks of the size of letters count that are darker than their own surroundings and do not touch the edges. The page
    /// may be an image that fills it, so all of it must share the skew.
    ///
    /// - Parameter raster: gray of 8 bits.
    static func skewOnBackground(_ raster: Raster) -> Double? {
        let unit = PageFraction.pixels(of: raster.size)
        let strokes = Strokes(raster)
        let isLetter = strokes.blobs.map { blob in
            !blob.box.touchesEdge(of: raster.size)
                && SkewLimits.letterSizes.scaled(by: unit).contains(Double(blob.box.extent))
        }
        guard
            let found = SkewFinder(strokes.runs.filter { isLetter[Int($0.blob)] }, unit: unit)?.skew(
                SkewLimits.uncertain)
        else { return nil }
        // Marks at the image's edge may be the surroundings of the page.
        let isInside = strokes.blobs.map { !$0.box.touchesEdge(of: raster.size) }
        let runs = strokes.runs.filter { isInside[Int($0.blob)] }.map {
            (row: Int($0.row), start: Int($0.start), end: Int($0.end))
        }
        let edges = FrameEdges(runs, width: raster.size.width, unit: unit)
        func area(_ counts: [Bool]) -> Int { zip(strokes.blobs, counts).reduce(0) { $1.1 ? $0 + $1.0.area : $0 } }
        let isText = 2 * area(isLetter) >= area(isInside)
        return (isText ? !edges.contradict(found, isArt: false) : edges.confirm(found)) ? found : nil
    }
}

/// A search for the angle at which ink forms lines, level or upright.
///
/// The ink is projected along lines of every angle, and its profile is most uneven at the angle of the text. Two measures of
/// unevenness are used. The first is the sum of the profile's squares (Postl, "Detection of linear oblique structures and skew
/// scan in digitized documents", 1986). It is steady if lines are curved or a page has columns of different skew. The second,
/// sharp one is the sum of the squared differences between neighboring bins. It is from Bloomberg, Kopec and Dasari, "Measuring
/// document image skew and orientation", 1995. On text they agree; on drawings each finds another angle, or none.
struct SkewFinder {
    /// The ink to examine, and the required strength of the evidence.
    struct Evidence {
        /// The maximum difference between the two measures, in degrees.
        var tolerance: Double
        /// The minimum ratio of each measure at its peak to its usual value.
        var minimumSquares: Double
        var minimumDifferences: Double
        /// The parts that must share the skew.
        var sharing: Sharing
        /// The minimum ratio of the differences to their usual value if only cells share the skew.
        var minimumDifferencesOfCells: Double

        enum Sharing {
            case halves
            case halvesOrCells
            case halvesAndCells
        }
    }

    private let level: InkProfile
    private let upright: InkProfile
    private let unit: Double

    /// The angles to try. Those a little beyond the limit only show that a peak at the end is not a real one.
    private static let tried = Array(
        stride(from: -SkewLimits.maximum - 1, through: SkewLimits.maximum + 1, by: SkewLimits.step))

    /// - Parameter unit: a 620th of the page's shorter side, in pixels.
    /// - Returns: nil if there is too little ink.
    init?(_ runs: [Strokes.Run], unit: Double) {
        let length = Int32(clamping: Int(clamping: SkewLimits.piece * unit, to: SkewLimits.piecePixels))
        var points: [InkProfile.Point] = []
        for run in runs {
            let count = (run.end - run.start + length - 1) / length
            let size = Double(run.end - run.start) / Double(max(1, count))
            for index in 0..<count {
                points.append(
                    InkProfile.Point(
                        across: Double(run.row), along: Double(run.start) + (Double(index) + 0.5) * size, weight: size))
            }
        }
        guard points.count >= SkewLimits.minimumPieces else { return nil }
        let step = max(1, points.count / SkewLimits.sufficientPieces)
        points = stride(from: 0, to: points.count, by: step).map { points[$0] }
        level = InkProfile(points)
        upright = InkProfile(
            points.map { InkProfile.Point(across: $0.along, along: -$0.across, weight: $0.weight) })
        self.unit = unit
    }

    /// Returns the counterclockwise angle of the lines, in degrees within ±15; nil if the evidence is weak.
    func skew(_ evidence: Evidence) -> Double? {
        var peaks = [(level, Peaks(level, unit: unit))]
        // Lines of text this clear cannot be chance alignments of upright ones.
        let isSure =
            peaks[0].1.differences.gain >= SkewLimits.surestGain && peaks[0].1.squares.gain >= SkewLimits.surestSquares
        if !isSure { peaks.append((upright, Peaks(upright, unit: unit))) }
        guard let (profile, peak) = peaks.max(by: { $0.1.squares.gain < $1.1.squares.gain }),
            peak.squares.gain >= evidence.minimumSquares, peak.differences.gain >= evidence.minimumDifferences
        else { return nil }
        var fine = fine(peak.squares.angle, profile)
        let found = SkewFinder.middle(fine.map { ($0.angle, $0.measured.squares) }) ?? peak.squares.angle
        if peak.differences.angle != peak.squares.angle { fine = self.fine(peak.differences.angle, profile) }
        let other = SkewFinder.middle(fine.map { ($0.angle, $0.measured.differences) }) ?? peak.differences.angle
        guard abs(found - other) <= evidence.tolerance, abs(found) <= SkewLimits.maximum + SkewLimits.slack,
            shares(found, peak.differences.gain, within: abs(found - other), profile, evidence)
        else { return nil }
        return (found * SkewLimits.stepsPerDegree).rounded() / SkewLimits.stepsPerDegree
    }

    /// Whether enough of the page has the skew. The two measures of it differ by `distance` degrees.
    ///
    /// - Parameter gain: the ratio of the differences at their peak to their usual value.
    private func shares(
        _ angle: Double, _ gain: Double, within distance: Double, _ profile: InkProfile,
        _ evidence: Evidence
    ) -> Bool {
        let isShared = isShared(angle, by: profile, gain: gain)
        switch evidence.sharing {
        case .halves: return isShared
        case .halvesAndCells: return isShared && isSharedByCells(angle, of: profile)
        case .halvesOrCells:
            if isShared { return true }
            return gain >= evidence.minimumDifferencesOfCells && distance <= SkewLimits.toleranceOfCells
                && isSharedByCells(angle, of: profile)
        }
    }

    /// Whether enough of a page's four halves, upper and lower, left and right, have about the skew of the whole.
    ///
    /// Hand-drawn shading can be as even as text, but not alike everywhere.
    private func isShared(_ angle: Double, by profile: InkProfile, gain: Double) -> Bool {
        if gain >= SkewLimits.surestGain { return true }
        let sharing = profile.halves.count { half in
            half.count >= SkewLimits.minimumPieces / 2
                && abs(Peaks(half, unit: unit).squares.angle - angle) <= SkewLimits.sharedWithin
        }
        return sharing >= (gain >= SkewLimits.clearGain ? SkewLimits.sharingIfClear : SkewLimits.sharing)
    }

    /// Whether most of the page has the skew of the whole, cell by cell, in either measure.
    ///
    /// An image, a title or noise on a part of a page of text may have any skew, or none.
    private func isSharedByCells(_ angle: Double, of profile: InkProfile) -> Bool {
        let cells = profile.cells(angle: angle).filter { $0.count >= SkewLimits.minimumPiecesInCell }
        let sharing = cells.filter { cell in
            let peaks = Peaks(cell, unit: unit)
            return min(abs(peaks.squares.angle - angle), abs(peaks.differences.angle - angle))
                <= SkewLimits.sharedWithin
        }
        func pieces(_ cells: [InkProfile]) -> Int { cells.reduce(0) { $0 + $1.count } }
        return cells.count >= SkewLimits.minimumCells && 2 * pieces(sharing) >= pieces(cells)
    }

    /// The peaks of both measures, to half a degree, and their ratios to the usual values.
    private struct Peaks {
        var squares: (angle: Double, gain: Double)
        var differences: (angle: Double, gain: Double)

        init(_ profile: InkProfile, unit: Double) {
            let strips = InkStrips(profile, unit: unit)
            let measured = SkewFinder.tried.map { strips.unevenness(degrees: $0) }
            squares = Peaks.peak(measured.map(\.squares))
            differences = Peaks.peak(measured.map(\.differences))
        }

        private static func peak(_ values: [Double]) -> (angle: Double, gain: Double) {
            let usual = zip(SkewFinder.tried, values).filter { abs($0.0) <= SkewLimits.maximum }.map(\.1).sorted()
            guard let top = values.indices.max(by: { values[$0] < values[$1] }), usual[usual.count / 2] > 0 else {
                return (0, 0)
            }
            return (SkewFinder.tried[top], values[top] / usual[usual.count / 2])
        }
    }

    /// Returns the unevenness of a profile near an angle.
    private func fine(_ angle: Double, _ profile: InkProfile) -> [(angle: Double, measured: InkProfile.Unevenness)] {
        stride(from: angle - SkewLimits.fineRange, through: angle + SkewLimits.fineRange, by: SkewLimits.fineStep).map {
            ($0, profile.unevenness(degrees: $0, width: unit))
        }
    }

    /// Returns the middle of a peak's upper half, in degrees: it is steadier than the highest point. Returns nil without a peak.
    private static func middle(_ values: [(angle: Double, value: Double)]) -> Double? {
        let high = values.map(\.value).max() ?? 0
        let low = values.map(\.value).min() ?? 0
        let upper = values.filter { $0.value > low + SkewLimits.upperPart * (high - low) }
        let weight = upper.reduce(0) { $0 + $1.value - low }
        return weight > 0 ? upper.reduce(0) { $0 + $1.angle * ($1.value - low) } / weight : nil
    }
}
