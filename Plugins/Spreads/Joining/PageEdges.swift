internal import AdapterKit
internal import PageModel

/// What is kept of a page to tell whether a drawing runs on over one of its edges: 12 KB at most.
struct PageEdges: Sendable {
    let left: EdgeProfile
    let right: EdgeProfile

    /// - Parameter look: the page seen small, in gray of 8 bits.
    init(_ look: PageLook) {
        let left = -look.start.x / look.scale.across
        let top = -look.start.y / look.scale.down
        let frame = (
            left: left, top: top, right: left + Double(look.size.width) / look.scale.across,
            bottom: top + Double(look.size.height) / look.scale.down
        )
        self.left = EdgeProfile(EdgeBand(look.raster, frame, isRight: false))
        self.right = EdgeProfile(EdgeBand(look.raster, frame, isRight: true))
    }
}
