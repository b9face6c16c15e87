extension Picture {
    /// Returns the resolution that the paper size gives the edited image, which overrides the image file's own
    /// statement. A scaled page keeps its paper size.
    public func resolution(of page: Page) -> Resolution? {
        guard let size, let paper, paper.cropBox.count == 4 else { return nil }
        let (width, height) = (paper.cropBox[2] - paper.cropBox[0], paper.cropBox[3] - paper.cropBox[1])
        guard width > 0, height > 0, paper.userUnit > 0, shownPart.width > 0, shownPart.height > 0 else { return nil }
        let isTurned = !(paper.rotation / 90).isMultiple(of: 2)
        // The image may cover only a part of the paper.
        let inches = (
            (isTurned ? height : width) * shownPart.width, (isTurned ? width : height) * shownPart.height
        )
        let resolution = Resolution(
            horizontal: Double(size.width) * 72 / (inches.0 * paper.userUnit),
            vertical: Double(size.height) * 72 / (inches.1 * paper.userUnit))
        let quarters = page.edits.reduce(0) { if case .move(.turn(let quarters)) = $1 { $0 + quarters } else { $0 } }
        let turned = resolution.rotated(quarters: quarters)
        let moves = page.edits.leadingMoves
        guard var now = Framing(size, edits: moves)?.rect.size else { return turned }
        var factors = (1.0, 1.0)
        for edit in page.edits.dropFirst(moves.count) {
            guard let next = edit.applied(to: now) else { return turned }
            if case .change = edit {
                factors.0 *= Double(next.width) / Double(now.width)
                factors.1 *= Double(next.height) / Double(now.height)
            }
            now = next
        }
        return Resolution(horizontal: turned.horizontal * factors.0, vertical: turned.vertical * factors.1)
    }
}
