internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// Puts pages of documents into one of them, whole: with their text, links and forms.
final class PageCopier {
    private let target: PDFFile
    private let documents: [SourceDocument]
    /// Whether pages are put into another list, where they inherit nothing.
    private let movesPages: Bool
    /// The pages that were asked for, by what they are.
    private var copies: [Place: Copy] = [:]
    /// Pages that are shown beside others on a new page, and that page.
    private var moved: [(from: PDFObject, to: PDFObject)] = []

    /// What a page is in its document: an object, of which several pages may consist.
    private struct Place: Hashable {
        let document: Int
        let object: PDFReference?
        /// Where it stands in the list of pages, when it is no object of its own.
        let index: Int?

        init(_ page: CopiedPage, _ node: PageNode) {
            document = page.document
            object = node.page.reference
            index = object == nil ? page.index : nil
        }
    }

    /// A page in the target, and each of its appearances.
    private struct Copy {
        let page: PDFObject
        let geometry: PageGeometry
        /// The annotations it had at first, once it is shown twice.
        var annotations: [PDFObject] = []
        /// The pages that show it, with what they show.
        var uses: [(page: PDFObject, box: PDFBox)] = []
    }

    /// - Parameter documents: the first of them is the target, unless the target is new.
    init(_ target: PDFFile, _ documents: [SourceDocument], movesPages: Bool) {
        self.target = target
        self.documents = documents
        self.movesPages = movesPages
    }

    /// A page that shows what a framing says of another one.
    ///
    /// - Throws: `.damaged`.
    func page(_ wanted: CopiedPage) throws(AdapterError) -> PDFObject {
        let (place, known) = try copy(of: wanted)
        var copy = known
        let box = copy.geometry.box(wanted.framing)
        // The second half of a page that was split has the contents of the first.
        let page = copy.uses.isEmpty ? copy.page : try target.repeated(copy.page)
        let turns = copy.geometry.turns(wanted.framing)
        if turns != copy.geometry.turns || !copy.uses.isEmpty {
            try target.set("Rotate", of: page, to: .integer(90 * turns))
        }
        if !wanted.isWhole || !copy.uses.isEmpty { try target.set("CropBox", of: page, to: PDFValue(box)) }
        if copy.uses.count == 1 { copy.annotations = copy.page["Annots"].items }
        copy.uses.append((page, box))
        copies[place] = copy
        if copy.uses.count > 1 { try shareAnnotations(of: copy) }
        return page
    }

    /// A page's own geometry.
    ///
    /// - Throws: `.damaged`.
    func geometry(of wanted: CopiedPage) throws(AdapterError) -> PageGeometry { try copy(of: wanted).1.geometry }

    /// A page as a form that shows what its framing says.
    ///
    /// - Throws: `.damaged`.
    func form(of wanted: CopiedPage) throws(AdapterError) -> PDFReference {
        let (_, copy) = try copy(of: wanted)
        let form = try target.form(of: copy.page)
        guard let reference = form.reference else { throw PDFFile.outOfMemory }
        try target.set("BBox", of: form, to: PDFValue(copy.geometry.box(wanted.framing)))
        return reference
    }

    /// Gives a page that shows a form of another one what the other had besides its content, and has what led there lead
    /// to it.
    ///
    /// - Parameter matrix: brings the form to its place.
    /// - Throws: `.damaged`.
    func move(_ wanted: CopiedPage, to page: PDFObject, by matrix: [Double]) throws(AdapterError) {
        let (_, copy) = try copy(of: wanted)
        try target.moveAnnotations(of: copy.page, to: page, by: matrix)
        moved.append((copy.page, page))
    }

    /// Takes out of the first document what is not used, and leads links to pages that were put beside others to the new
    /// page. To be called when all pages are made.
    ///
    /// - Throws: `.damaged`.
    func finish() throws(AdapterError) {
        if let document = documents.first, document.file === target {
            let taken = Set(copies.keys.filter { $0.document == 0 }.compactMap(\.object))
            try target.pruneOutline(document.numbers, keeping: Set(taken.compactMap { document.numbers[$0] }))
            var unused: [PDFObject] = []
            for index in 0..<document.pageCount {
                let page = try document.page(at: index).page
                if page.reference.map(taken.contains) != true { unused.append(page) }
            }
            if !unused.isEmpty { try target.remove(unused) }
        }
        if !moved.isEmpty { try target.redirect(moved) }
    }

    private func copy(of wanted: CopiedPage) throws(AdapterError) -> (Place, Copy) {
        let document = documents[wanted.document]
        let node = try document.page(at: wanted.index)
        let place = Place(wanted, node)
        if let known = copies[place] { return (place, known) }
        let geometry = PageGeometry(node, showing: wanted.box)
        let page: PDFObject
        if document.file === target {
            if movesPages { try target.settle(node) }
            page = place.object == nil ? try target.repeated(node.page) : node.page
        } else {
            page = try target.copy(node, of: document.file)
        }
        let copy = Copy(page: page, geometry: geometry)
        copies[place] = copy
        return (place, copy)
    }

    /// Gives each of a page's appearances the annotations that it shows; what none shows, the first one.
    private func shareAnnotations(of copy: Copy) throws(AdapterError) {
        guard !copy.annotations.isEmpty else { return }
        var shares = [[PDFValue]](repeating: [], count: copy.uses.count)
        for annotation in copy.annotations {
            guard let reference = annotation.reference else { continue }
            let box = PDFBox(annotation["Rect"].numbers)
            let place = copy.uses.firstIndex { box.map($0.box.holdsCenter(of:)) ?? false } ?? 0
            shares[place].append(.reference(reference))
            if let page = copy.uses[place].page.reference { try target.set("P", of: annotation, to: .reference(page)) }
        }
        for (use, share) in zip(copy.uses, shares) { try target.set("Annots", of: use.page, to: .array(share)) }
    }
}

extension PDFBox {
    /// Whether the middle of another box lies in it.
    fileprivate func holdsCenter(of other: PDFBox) -> Bool {
        let (x, y) = ((other.left + other.right) / 2, (other.bottom + other.top) / 2)
        return x >= left && x <= right && y >= bottom && y <= top
    }
}
