package import PageModel

/// The parts of blobs that become blobs of their own.
extension ForegroundMask {
    /// Returns, for each of some blobs, the indexes of its runs in `runs`.
    package func runs(of blobs: [Int]) -> [[Int]] {
        var numbers = [Int](repeating: -1, count: self.blobs.count)
        for (number, blob) in blobs.enumerated() { numbers[blob] = number }
        var places = [[Int]](repeating: [], count: blobs.count)
        for (place, run) in runs.enumerated() where numbers[Int(run.blob)] >= 0 {
            places[numbers[Int(run.blob)]].append(place)
        }
        return places
    }

    /// Returns the parts of a blob when only some of its runs are kept.
    ///
    /// - Parameter runs: the indexes of its runs.
    package func parts(of runs: [Int], where isKept: (ForegroundRun) -> Bool) -> [[Int]] {
        let kept = runs.filter { isKept(self.runs[$0]) }
        return RunComponents(kept.map { self.runs[$0] }).members.map { $0.map { kept[$0] } }
    }

    /// Turns the dark parts of some blobs into separate blobs. Returns whether there are any.
    package mutating func splitDarkParts(of mixed: [Int], contrast: Int) -> Bool {
        let before = blobs.count
        for all in runs(of: mixed) {
            let parts = parts(of: all) { $0.contrast >= contrast }
            if parts.count == 1, parts[0].count.isMore(than: ForegroundMaskLimits.wholeBlob, of: all.count) { continue }
            for part in parts { split(part, from: all) }
        }
        return blobs.count > before
    }

    /// Turns the inner part of blobs that run along the edges into separate blobs. A woodcut may reach into the binding's shadow.
    ///
    /// - Parameter edge: the depth to which scanners darken the page's edges. It is in pixels.
    /// - Returns: whether any such part exists.
    package mutating func splitFromEdges(_ size: PixelSize, edge: Int) -> Bool {
        let before = blobs.count
        let mixed = blobs.indices.filter {
            blobs[$0].box.touchesEdge(of: size)
                && blobs[$0].deepArea >= size.area / ForegroundMaskLimits.maximumAreaRatio
        }
        for places in runs(of: mixed) {
            var inside: [Int] = []
            for place in places {
                let run = runs[place]
                let (start, end) = (max(run.start, Int32(edge)), min(run.end, Int32(size.width - edge)))
                guard edge..<size.height - edge ~= Int(run.row), start < end else { continue }
                if run.start < start { runs.append(run.between(run.start, start)) }
                if end < run.end { runs.append(run.between(end, run.end)) }
                runs[place] = run.between(start, end)
                inside.append(place)
            }
            for part in parts(of: inside, where: { _ in true }) {
                let area = part.reduce(0) { $0 + Int(runs[$1].end - runs[$1].start) }
                if area >= size.area / ForegroundMaskLimits.maximumAreaRatio / 2 { split(part, from: places) }
            }
        }
        return blobs.count > before
    }

    /// Adds the darkest parts of some blobs, pixel by pixel, as separate blobs. The blobs themselves stay as they are.
    ///
    /// - Parameters:
    ///   - contrast: the minimum difference from the paper, in levels. All pixels of a part have it.
    ///   - isWanted: whether a part may become a blob.
    /// - Returns: whether there are any.
    package mutating func addDarkest(
        of mixed: [Int], _ raster: Raster, _ paper: PaperTone, contrast: Int,
        where isWanted: (ConnectedComponent) -> Bool
    ) -> Bool {
        let before = blobs.count
        let limit = UInt8(clamping: paper.level - contrast)
        raster.samples.withUnsafeBufferPointer { samples in
            for places in runs(of: mixed) {
                var dark: [ForegroundRun] = []
                for place in places {
                    let run = runs[place]
                    let (row, end) = (Int(run.row), Int(run.end))
                    let first = row * raster.size.width
                    var x = Int(run.start)
                    while x < end {
                        guard samples[first + x] < limit else {
                            x += 1
                            continue
                        }
                        let part = ForegroundMask.run(
                            samples, raster.size, row: row, from: x, to: end, blob: dark.count
                        ) {
                            _, level in
                            level < limit
                        } contrast: { darkest in
                            UInt8(max(0, paper.level - Int(darkest)))
                        }
                        x = Int(part.end)
                        dark.append(part)
                    }
                }
                for part in RunComponents(dark).members {
                    let blob = ConnectedComponent(
                        part.map { dark[$0] }, deepArea: part.reduce(0) { $0 + Int(dark[$1].end - dark[$1].start) })
                    guard isWanted(blob) else { continue }
                    for place in part {
                        dark[place].blob = Int32(blobs.count)
                        runs.append(dark[place])
                    }
                    blobs.append(blob)
                }
            }
        }
        return blobs.count > before
    }

    /// Turns a part of a blob into a separate blob. It becomes the last one.
    ///
    /// - Parameters:
    ///   - part: the indexes of the part's runs.
    ///   - all: the indexes of all the blob's runs.
    package mutating func split(_ part: [Int], from all: [Int]) {
        let blob = Int(runs[part[0]].blob)
        for place in part { runs[place].blob = Int32(blobs.count) }
        let rest = all.filter { runs[$0].blob == Int32(blob) }
        blobs.append(ConnectedComponent(part.map { runs[$0] }, deepArea: blobs[blob].deepArea))
        if !rest.isEmpty { blobs[blob] = ConnectedComponent(rest.map { runs[$0] }, deepArea: blobs[blob].deepArea) }
    }
}
