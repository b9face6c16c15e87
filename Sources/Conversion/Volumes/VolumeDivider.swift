internal import PageModel

/// The division of a book into volumes, which the sizes of written volumes correct.
struct VolumeDivider {
    private(set) var units: VolumeUnits
    let split: VolumeSplit
    /// The bytes of each page's image in the output; nil for a page whose size is unknown. Empty if they do not matter.
    var sizes: [Int?] = []
    /// The places of pages that cannot be read. They make up a volume only with others.
    var unreadable: Set<Int> = []
    /// The bytes of the output for each byte of images, at least.
    private var factor = 1.0
    /// Whether no volumes have been written.
    private var isUntried = true
    /// The bytes of a page in addition to its image: names, places and a text of its own.
    static let bytesPerPage = 400
    /// The bytes of a page whose size is unknown: a page in black and white.
    static let unknownPage = 60_000
    /// The growth of the factor that ends the corrections.
    private static let leastExcess = 1.01
    /// The least factor, and the greatest ratio to the one before at which it is worth another try.
    private static let (leastFactor, greatestFall) = (0.001, 0.9)

    init(units: VolumeUnits, split: VolumeSplit) { (self.units, self.split) = (units, split) }

    /// Returns the pages of each volume.
    ///
    /// - Throws: `.usage` for a book without chapters.
    func ranges(of whole: PageSequence) throws(AdapterError) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for range in try allRanges(of: whole) {
            // Pages that cannot be read belong to the volume of the pages before them, or of those after them.
            if let last = ranges.last, unreadable.isSuperset(of: range) || unreadable.isSuperset(of: last) {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }

    /// Returns whether the volumes would be others if no page stated its side.
    func dependsOnSides(of whole: PageSequence) throws(AdapterError) -> Bool {
        guard let usual = units.withoutSides else { return false }
        var other = self
        other.units = usual
        return try other.ranges(of: whole) != ranges(of: whole)
    }

    private func allRanges(of whole: PageSequence) throws(AdapterError) -> [Range<Int>] {
        switch split {
        case .pages(let count): return units.volumes(ofPages: count)
        case .bytes(let limit): return ranges(ofBytes: limit, factor)
        case .chapters:
            let starts = Volume.chapters(of: whole)
            guard !starts.isEmpty else {
                throw AdapterError(
                    .usage, "--split-volumes chapters needs a table of contents, and the book has none",
                    hint: "use --split-volumes 200MB")
            }
            return units.volumes(from: starts)
        }
    }

    private func ranges(ofBytes limit: Int, _ factor: Double) -> [Range<Int>] {
        let weights = sizes.map {
            Int(clamping: Double($0 ?? VolumeDivider.unknownPage) * factor, to: 0...Int.max / 2)
                + VolumeDivider.bytesPerPage
        }
        return units.volumes(ofBytes: limit, weights)
    }

    /// Corrects the factor by written volumes. The first ones may show that an output is smaller than the images, so that
    /// fewer volumes are enough.
    ///
    /// - Returns: whether the book must be divided again.
    mutating func correct(by written: [WrittenVolume]) -> Bool {
        let isFirst = isUntried
        isUntried = false
        guard case .bytes(let limit) = split else { return false }
        if let excess = excess(of: written) {
            factor *= max(excess, VolumeDivider.leastExcess)
            return true
        }
        let known = written.compactMap(\.bytes)
        guard isFirst, known.count == written.count else { return false }
        let bytes = known.reduce(0, +) - VolumeDivider.bytesPerPage * sizes.count
        let images = sizes.reduce(0) { $0 + ($1 ?? VolumeDivider.unknownPage) }
        let fallen = max(Double(bytes) / Double(max(1, images)), VolumeDivider.leastFactor)
        guard fallen < factor * VolumeDivider.greatestFall, ranges(ofBytes: limit, fallen).count < written.count else {
            return false
        }
        factor = fallen
        return true
    }

    /// Returns the ratio by which the volumes that can be divided exceed the limit; nil if none does.
    private func excess(of written: [WrittenVolume]) -> Double? {
        guard case .bytes(let limit) = split else { return nil }
        let largest = written.filter { $0.unitCount > 1 }.compactMap(\.bytes).max() ?? 0
        return largest > limit ? Double(largest) / Double(limit) : nil
    }
}
