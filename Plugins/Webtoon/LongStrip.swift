internal import PageModel

/// Images of one width that continue each other, from the top.
struct LongStrip: Sendable {
    private(set) var images: [StripImage]
    /// The first row of each image, and the row after the last image.
    private(set) var starts: [Int]

    private init(_ image: StripImage) {
        images = [image]
        starts = [0, image.size?.height ?? 0]
    }

    /// The size of the strip; nil for an image that stays as it is.
    var size: PixelSize? { images[0].size.map { PixelSize(width: $0.width, height: starts[images.count]) } }

    /// Returns the strips of a book. An image of another width begins one, and so does another book or chapter.
    ///
    /// - Parameter outline: the table of contents before the book is cut.
    static func strips(of images: [StripImage], outline: [OutlineItem] = []) -> [LongStrip] {
        let chapters = ChapterStarts(outline, isOfSeveralBooks: Set(images.map(\.page.book)).count > 1)
        var strips: [LongStrip] = []
        for image in images {
            let last = strips.last?.images.last
            if let size = image.size, let last, let width = last.size?.width, width == size.width,
                last.page.book == image.page.book, !chapters.divide(last.page, image.page)
            {
                strips[strips.count - 1].append(image, size)
            } else {
                strips.append(LongStrip(image))
            }
        }
        return strips
    }

    private mutating func append(_ image: StripImage, _ size: PixelSize) {
        images.append(image)
        starts.append(starts[starts.count - 1] + size.height)
    }

    /// Returns the pages of the strip on a screen that shows it in the screen's width; none for an image that stays.
    func cuts(for screen: PixelSize) -> [ScreenCuts.Piece] {
        guard let size else { return [] }
        let (product, overflows) = screen.height.multipliedReportingOverflow(by: size.width)
        let maximum = overflows ? size.height : max(1, product / screen.width)
        // Scaling loses the coefficients of JPEGs in any case.
        let isScaled = size.width > screen.width
        let cuts = ScreenCuts(rows: images.flatMap(\.rows), maximum: maximum) { row in
            let image = index(ofRow: row)
            return isScaled || (row - starts[image]).isMultiple(of: images[image].unit)
        }
        return cuts.pieces
    }

    /// Returns the index of the image that shows a row; the last one for the row after it.
    func index(ofRow row: Int) -> Int {
        var (low, high) = (0, images.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= row { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
