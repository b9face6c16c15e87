internal import PDFStructure
internal import PageModel

extension PDFBook {
    /// Returns the words of a page's text that the page shows.
    func visibleText(of index: Int, at path: PageTree.Path) async throws -> [TextLine] {
        let (analysis, verdict) = try await stamps.analysis(of: index, at: path)
        guard analysis.textVisibility.isVisible else { return [] }
        let all = try await text(of: index, at: path)
        guard analysis.textVisibility.isInvisible, !all.isEmpty else { return all }
        let file = try await structure.file(
            ofPageAt: path, omitting: verdict.removal?.omission ?? PageOmission(), showing: .none, in: box,
            keepsInvisibleText: false)
        var visible = try await drawing.withWorker { try await $0.text(onPage: 0, of: file) }
        if let map = straightening(analysis) { visible = map.placed(visible) }
        if let mosaic = analysis.mosaic { visible = visible.shown(in: mosaic.shown) }
        let places = Dictionary(grouping: visible.flatMap(\.words), by: \.text)
        return all.compactMap { line in
            var line = line
            line.words.removeAll { word in places[word.text]?.contains { $0.isAtPlace(of: word) } != true }
            return line.words.isEmpty ? nil : line
        }
    }
}

extension TextWord {
    /// Whether two words are at the same place. Their last digits may differ.
    fileprivate func isAtPlace(of other: TextWord) -> Bool {
        let (one, other) = (area.center, other.area.center)
        return abs(one.across - other.across) < 0.005 && abs(one.down - other.down) < 0.005
    }
}
