internal import AdapterKit
internal import PageModel

/// What is kept of a page to tell whether a drawing runs on over one of its edges: 12 KB at most.
struct PageEdges: Sendable {
    let left: EdgeProfile
    let right: EdgeProfile

    /// - Parameter preview: the page seen small, in gray of 8 bits.
    init(_ preview: PagePreview) {
        let left = -preview.start.x / preview.scale.across
        let top = -preview.start.y / preview.scale.down
        let frame = (
            left: left, top: top, right: left + Double(preview.size.width) / preview.scale.across,
            bottom: top + Double(preview.size.height) / preview.scale.down
        )
        self.left = EdgeProfile(EdgeBand(preview.raster, frame, isRight: false))
        self.right = EdgeProfile(EdgeBand(preview.raster, frame, isRight: true))
    }
}
