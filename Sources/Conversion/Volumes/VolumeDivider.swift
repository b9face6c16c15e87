internal import AdapterKit
internal import PageModel

/// The division of a book into volumes, which the sizes of written volumes correct.
struct VolumeDivider {
    let units: VolumeUnits
    let split: VolumeSplit
    /// The bytes of each page's image in the output; nil for a page whose size is unknown. Empty if they do not matter.
    var sizes: [Int?] = []
    /// The bytes of the output for each byte of images, at least.
    private var factor = 1.0
    /// The bytes of a page in addition to its image: names, places and a text of its own.
    static let bytesPerPage = 400
    /// The bytes of a page whose size is unknown: a page in black and white.
    static let unknownPage = 60_000
    /// The growth of the factor that ends the corrections.
    private static let leastExcess = 1.01

    init(units: VolumeUnits, split: VolumeSplit) { (self.units, self.split) = (units, split) }

    /// Returns the pages of each volume.
    ///
    /// - Throws: `.usage` for a book without chapters.
    func ranges(of whole: PageSequence) throws(AdapterError) -> [Range<Int>] {
        switch split {
        case .pages(let count): return units.volumes(ofPages: count)
        case .bytes(let limit):
            let weights = sizes.map {
                Int(clamping: Double($0 ?? VolumeDivider.unknownPage) * factor, to: 0...Int.max / 2)
                    + VolumeDivider.bytesPerPage
            }
            return units.volumes(ofBytes: limit, weights)
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

    /// Returns the ratio by which the volumes that can be divided exceed the limit; nil if none does.
    func excess(of written: [WrittenVolume]) -> Double? {
        guard case .bytes(let limit) = split else { return nil }
        let largest = written.filter { $0.unitCount > 1 }.compactMap(\.bytes).max() ?? 0
        return largest > limit ? Double(largest) / Double(limit) : nil
    }

    /// Makes volumes smaller by a ratio.
    mutating func scale(by excess: Double) { factor *= max(excess, VolumeDivider.leastExcess) }
}
