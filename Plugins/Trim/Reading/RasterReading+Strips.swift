internal import Marks
internal import PageModel

/// The possible page numbers and running heads.
extension RasterReading {
    /// Returns the candidates: the first line of text, or else the separate items at the top; and those at the bottom.
    func candidates(skew: Double) -> [TextLineItem] {
        let separate = kind == .printed ? SeparateLines(groups, unit: unit).strips(skew: skew) : []
        guard let classifier, let text = classifier.text,
            var line = FirstLine(ink.blobs, letter: classifier.letter, text: text, skew: skew)?.strips
        else { return separate }
        for index in line.indices {
            line[index].isSeparate = separate.contains { $0.isAtTop && $0.box.intersects(line[index].box) }
        }
        return line + separate.filter { !$0.isAtTop }
    }

    /// Returns the boxes of all printed items except some strips.
    func boxes(without strips: [TextLineItem]) -> [Bounds] {
        let separate = Set(strips.flatMap(\.members))
        let close = Set(strips.flatMap(\.blobs))
        let rest = groups.indices.filter { !separate.contains($0) }
        if close.isEmpty { return rest.map { groups[$0].box } }
        return ink.blobs.indices.filter {
            ink.blobs[$0].group >= 0 && !separate.contains(ink.blobs[$0].group) && !close.contains($0)
        }.map { ink.blobs[$0].box }
    }
}
