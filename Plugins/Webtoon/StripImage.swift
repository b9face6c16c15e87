internal import AdapterKit
internal import Imaging
internal import OrderedWork
internal import PageModel

/// A page as a part of a long strip.
struct StripImage: Sendable {
    let page: Page
    /// The size after the page's edits; nil if it is unknown, so that the page stays as it is.
    let size: PixelSize?
    /// The noise of each row: 0 for a single color, otherwise the largest difference of neighbors. It is empty for a page
    /// that stays as it is.
    let rows: [UInt8]
    /// The distance of the rows before which a JPEG can be cut without loss; 1 for other images.
    let unit: Int
    /// The reason that the page stays as it is, if it cannot be analyzed.
    let remark: Message?

    init(_ page: Page, size: PixelSize?, rows: [UInt8] = [], unit: Int = 1, remark: Message? = nil) {
        (self.page, self.size, self.rows, self.unit, self.remark) = (page, size, rows, unit, remark)
    }

    /// Looks at the rows of a page.
    init(_ page: Page, _ request: TransformRequest) async throws {
        let size: PixelSize?
        do {
            size = try await page.examine().size.map { page.edits.applied(to: $0) }
        } catch {
            try error.throwIfCancelled()
            // The conversion examines the page again, and reports its defects.
            self.init(page, size: nil)
            return
        }
        switch try await request.look(at: page, pixels: StripImage.pixels, as: .color, for: Webtoon.name) {
        case .unseen(let reason, _, _):
            self.init(page, size: nil, remark: "kept whole: \(reason)")
        case .seen(let preview):
            let grid = preview.grid
            // Cuts count from the top of the page.
            let unit = grid.map { $0.first.y == 0 ? $0.step.height : 1 } ?? 1
            self.init(page, size: size, rows: size.map { StripImage.rows(preview, of: $0) } ?? [], unit: unit)
        }
    }

    /// The shorter side of a preview. A line of one pixel still shows in it: the images are 690 to 1600 pixels wide.
    private static let pixels = 300

    /// Returns the noise of each row of the page.
    private static func rows(_ preview: PagePreview, of size: PixelSize) -> [UInt8] {
        let spread = RowActivity.spreadOfRows(preview.raster)
        let activity = RowActivity.ofRows(preview.raster)
        let levels = zip(spread, activity).map { $0 <= CutLimits.singleColor ? 0 : max(1, $1) }
        return (0..<size.height).map { y in
            let place = Int(clamping: (Double(y) - preview.start.y) / preview.scale.down, to: 0...levels.count - 1)
            return levels[place]
        }
    }

    /// Returns the pages of a book.
    static func all(_ pages: [Page], _ request: TransformRequest) async throws -> [StripImage] {
        try await mapInOrder(pages, width: request.width) { try await StripImage($0, request) }
    }
}
