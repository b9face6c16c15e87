internal import Imaging
internal import PageModel

/// The images of a differing page for people: reduced, with a map of the differences.
package struct PageImages: Sendable {
    /// The images to make.
    package struct Request: Hashable, Sendable {
        /// The maximum number of pixels of a side.
        package let maximumSide: Int

        package init(maximumSide: Int = 1000) {
            self.maximumSide = maximumSide
        }
    }

    /// The images as JPEG; nil for a page that a book lacks, or that cannot be read.
    package let one: [UInt8]?
    package let other: [UInt8]?
    /// The map as PNG: white, and dark where samples differ. Nil unless both pages have the same size.
    package let map: [UInt8]?

    package var byteCount: Int { [one, other, map].reduce(0) { $0 + ($1?.count ?? 0) } }

    /// The quality of the images.
    private static let quality = 80

    init(_ one: Raster?, _ other: Raster?, _ request: Request) {
        func image(_ raster: Raster?) -> [UInt8]? {
            raster.flatMap { raster in
                (try? raster.scaled(to: PageImages.size(of: raster.size, request))).flatMap {
                    try? PictureEncoder.encode($0, as: .jpeg, .quality(PageImages.quality))
                }
            }
        }
        (self.one, self.other) = (image(one), image(other))
        map = one.flatMap { one in
            other.flatMap { PixelDifference.map(one, $0, size: PageImages.size(of: one.size, request)) }
                .flatMap { try? PictureEncoder.encode($0, as: .png, .lossless) }
        }
    }

    private static func size(of size: PixelSize, _ request: Request) -> PixelSize {
        let longer = max(size.width, size.height)
        guard longer > request.maximumSide else { return size }
        func reduced(_ side: Int) -> Int { max(1, side * request.maximumSide / longer) }
        return PixelSize(width: reduced(size.width), height: reduced(size.height))
    }

    /// The number of parts of a page in each direction whose brightness is compared.
    private static let parts = 16

    /// Returns the mean brightness of each part of an image, from the top left. It stays about the same if the image is encoded
    /// with another quality.
    static func shades(of raster: Raster) -> [UInt8] {
        let gray = raster.reducedToGray(by: max(1, min(raster.size.width, raster.size.height) / 64))
        let size = gray.size
        var sums = [Int](repeating: 0, count: parts * parts)
        var counts = sums
        for row in 0..<size.height {
            for column in 0..<size.width {
                let part = row * parts / size.height * parts + column * parts / size.width
                sums[part] += Int(gray.samples[row * size.width + column])
                counts[part] += 1
            }
        }
        return zip(sums, counts).map { UInt8(clamping: $0 / max(1, $1)) }
    }
}
