internal import AdapterKit
internal import Imaging
internal import PageModel

/// The removal of the print of the other side of the leaf, which shines through a page.
///
/// It divides the page by the light that this print leaves, which subtracts it in optical density. So tones and print
/// above it keep their own darkness.
struct RemoveShowThrough: OmittableOperation {
    static let id = "show-through"

    let page: OperatedPage
    /// The page on the other side of the leaf, by its id.
    let other: Int
    /// The shift of the middle of that page, seen from the back, from the middle of this one, in pixels.
    let x: Double
    let y: Double

    var omission: Omission { page.omission }

    var note: Note { Note(Note.Code("show-through-removed", "show-through removed")) }

    var makesLegible: Bool { true }

    var otherPages: [Int] { [other] }

    /// Both pages are compared as real numbers, of about 800 pixels across.
    var workingCopies: Int { 8 }

    func warning(because error: AdapterError) -> Warning {
        Warning(code: "show-through-kept", page.page, "its show-through was not removed", because: error)
    }

    /// A preview stays as it is, because the other page is not there.
    func apply(to raster: Raster) -> Raster { raster }

    func apply(to raster: Raster, beside pages: any OtherPages) async throws -> Raster {
        let reverse = try await pages.raster(of: other, before: self)
        let factor = ShowThroughLimits.factor(for: raster.size)
        let (front, back) = (LeafSide(Plane(raster, by: factor)), LeafSide(Plane(reverse, by: factor)))
        let found = ShowThrough(front, back, x: Float(x / Double(factor)), y: Float(y / Double(factor)))
        guard found.strength >= ShowThroughLimits.weakest else { throw UnchangedPage() }
        let remains = found.remains(back, width: front.paper.width, height: front.paper.height)
        let opaque = (raster.format.hasAlpha ? raster.flattened(on: .white) : raster).narrowed().widened()
        return opaque.divided(by: remains, factor: factor)
    }
}

extension Plane {
    /// The levels of a page from 0 to 1, reduced by a factor.
    init(_ raster: Raster, by factor: Int) {
        let gray = raster.reducedToGray(by: factor)
        self.init(width: gray.size.width, height: gray.size.height, values: gray.samples.map { Float($0) / 255 })
    }
}

extension Raster {
    /// Returns the page divided by shares of light.
    ///
    /// - Precondition: it is gray or RGB of 8 bits.
    /// - Parameter factor: the number of pixels per pixel of the shares.
    fileprivate func divided(by shares: Plane, factor: Int) -> Raster {
        let (width, channels) = (size.width, format.hasColor ? 3 : 1)
        // The last pixel of the shares may stand for fewer of the page.
        let columns = GridPlace.all(shares.width * factor, shares.width)
        var (nodes, samples) = ([Float](repeating: 1, count: shares.width), samples)
        samples.withUnsafeMutableBufferPointer { samples in
            shares.values.withUnsafeBufferPointer { shares in
                for y in 0..<size.height {
                    let row = GridPlace(y, shares.count / nodes.count * factor, shares.count / nodes.count)
                    let (upper, lower) = (row.first &* nodes.count, row.next &* nodes.count)
                    for x in nodes.indices {
                        nodes[x] = shares[upper &+ x] + (shares[lower &+ x] - shares[upper &+ x]) * row.share
                    }
                    for x in 0..<width {
                        let column = columns[x]
                        let share = nodes[column.first] + (nodes[column.next] - nodes[column.first]) * column.share
                        let place = channels &* (y &* width &+ x)
                        for channel in 0..<channels {
                            let level = min(255, Float(samples[place &+ channel]) / share + 0.5)
                            samples[place &+ channel] = UInt8(level)
                        }
                    }
                }
            }
        }
        return Raster(size: size, format: format, samples: samples, resolution: resolution)
    }
}
