internal import PDFStructure
internal import PageModel

/// A page that shows another one as a form, and gets its annotations.
struct AnnotationMove {
    let page: PDFObject
    /// The visible part of the other page, in its coordinates; nil for all of it.
    let box: PDFBox?
    /// The matrix that brings the other page to its place: a, b, c, d, e, f of PDF's matrices.
    let matrix: [Double]

    fileprivate func shows(_ place: PDFBox?) -> Bool {
        guard let box else { return true }
        return place.map(box.holdsCenter) ?? false
    }
}

extension PDFFile {
    /// Moves a page's annotations to the pages that show it.
    ///
    /// Each moves to the first that shows its middle, so that it stays part of its form field. The other pages that show it get
    /// copies, except of a field.
    ///
    /// - Parameter keepsPage: whether the page itself is shown as well. Then it keeps its annotations.
    /// - Throws: `.damaged`.
    func move(
        annotationsOf page: PDFObject, by moves: [AnnotationMove], keepsPage: Bool
    ) throws(AdapterError) {
        var moved = [[PDFValue]](repeating: [], count: moves.count)
        for annotation in try ownItems(of: "Annots", in: page) where annotation.kind == .dictionary {
            let place = PDFBox(annotation["Rect"].numbers)
            let isField = annotation["Subtype"].name == "Widget"
            let shown = moves.indices.filter { moves[$0].shows(place) }
            // Copies first: afterwards it has another place.
            for index in shown.dropFirst(keepsPage ? 0 : 1) where !isField {
                let copy = try move(annotation, to: moves[index].page, by: moves[index].matrix, copies: true)
                moved[index].append(.reference(copy))
            }
            if let first = shown.first, !keepsPage {
                let own = try move(annotation, to: moves[first].page, by: moves[first].matrix, copies: false)
                moved[first].append(.reference(own))
            }
        }
        for (move, annotations) in zip(moves, moved) where !annotations.isEmpty {
            let others = try ownItems(of: "Annots", in: move.page).compactMap(\.reference)
            try set("Annots", of: move.page, to: .array(others.map { .reference($0) } + annotations))
        }
    }
}
