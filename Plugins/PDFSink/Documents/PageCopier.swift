internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// Puts pages of documents into one of them, whole: with their text, links and forms.
final class PageCopier {
    private let target: PDFFile
    private let documents: [SourceDocument]
    /// Whether pages are put into another list, where they inherit nothing.
    private let movesPages: Bool
    /// Puts the documents' tags together; nil where the first one's stay as they are.
    private let tags: StructureMerge?
    /// What pages were found to be: the first document's list of them is changed in between.
    private var found: [Index: Place] = [:]
    /// The pages that were asked for, by what they are.
    private var copies: [Place: Copy] = [:]
    /// The pages of other documents, copied into the target.
    private var foreign: [Place: PDFObject] = [:]
    /// The pages that show forms of pages, whose annotations they get.
    private var moves: [Place: [AnnotationMove]] = [:]
    /// Where each page is shown.
    private var appearances: [PDFFile.Appearance] = []
    /// The numbers of the pages of each document that are taken.
    private let taken: [Set<Int>]

    /// What a page is in its document: an object, of which several pages may consist.
    private struct Place: Hashable {
        let document: Int
        let object: PDFReference?
        /// Where it stands in the list of pages, when it is no object of its own.
        let index: Int?

        init(_ node: PageNode, at index: Int, of document: Int) {
            self.document = document
            object = node.page.reference
            self.index = object == nil ? index : nil
        }

        /// What puts them in the same order each time.
        var order: (Int, CInt, Int) { (document, object?.number ?? 0, index ?? 0) }
    }

    /// The number of a page in its document.
    private struct Index: Hashable {
        let document: Int
        let index: Int
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

    /// - Parameters:
    ///   - documents: the first of them is the target, unless the target is new.
    ///   - pages: all of the output.
    init(
        _ target: PDFFile, _ documents: [SourceDocument], movesPages: Bool, _ pages: [PDFPage]
    ) throws(AdapterError) {
        self.target = target
        self.documents = documents
        self.movesPages = movesPages
        tags = TagPlan(documents, pages).mergesTags ? try StructureMerge(into: target) : nil
        let pages = pages.flatMap(\.copies)
        taken = documents.indices.map { place in documents[place].numbers(of: pages.filter { $0.document == place }) }
        for place in documents.indices { try prepare(place) }
    }

    /// Takes out of a document what leads to pages that are not taken; copies those that are, if it is not the target.
    private func prepare(_ place: Int) throws(AdapterError) {
        let document = documents[place]
        let isTarget = document.file === target
        let isWhole = document.isWhole(taken[place])
        if isTarget && isWhole && tags == nil { return }
        var links = document.links(keeping: taken[place])
        var nodes: [(place: Place, node: PageNode)] = []
        var seen: Set<Place> = []
        for number in taken[place].sorted() {
            let node = try document.page(at: number - 1)
            if !isWhole { try links.prune(node.page) }
            let id = Place(node, at: number - 1, of: place)
            // Later the page may be an object of its own where it was none.
            found[Index(document: place, index: number - 1)] = id
            guard seen.insert(id).inserted else { continue }
            if !isTarget { try links.resolveNames(on: node.page) }
            // What a page inherits belongs to what it shows.
            try document.file.settle(node)
            nodes.append((id, node))
        }
        try tags?.number(nodes.map(\.node.page), of: document.file, keepsTags: document.structure == .sound)
        if !isTarget {
            let copies = try target.copy(nodes.map(\.node), of: document.file)
            try target.mergeLayers(of: document.file, on: nodes.map(\.node), isWhole: isWhole)
            target.require(document.file.version)
            for (node, copy) in zip(nodes, copies) { foreign[node.place] = copy }
        } else if !isWhole {
            try target.pruneOutline(document.numbers, keeping: taken[place])
            try links.pruneOpening()
            try target.pruneLayers(keeping: nodes.map(\.node.page))
        }
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
        // Tags name one page for what it shows.
        if !copy.uses.isEmpty { try target.set("StructParents", of: page, to: .null) }
        let turns = copy.geometry.turns(wanted.framing)
        if turns != copy.geometry.turns || !copy.uses.isEmpty {
            try target.set("Rotate", of: page, to: .integer(90 * turns))
        }
        if !wanted.isWhole || !copy.uses.isEmpty { try target.set("CropBox", of: page, to: PDFValue(box)) }
        if copy.uses.count == 1 { copy.annotations = try target.ownItems(of: "Annots", in: copy.page) }
        copy.uses.append((page, box))
        appearances.append(PDFFile.Appearance(of: copy.page, on: page, showing: box, by: [1, 0, 0, 1, 0, 0]))
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
        // Made of a page of its own, so that text which is laid below the page elsewhere is not in it.
        let form = try target.form(of: target.repeated(copy.page))
        guard let reference = form.reference else { throw PDFFile.outOfMemory }
        if tags != nil, let number = copy.page["StructParents"].integer {
            try target.set("StructParents", of: form, to: .integer(number))
        }
        try target.set("BBox", of: form, to: PDFValue(copy.geometry.box(wanted.framing)))
        return reference
    }

    /// Gives a page that shows a form of another one what the other had besides its content, and has what led there lead
    /// to it.
    ///
    /// - Parameter matrix: brings the form to its place.
    /// - Throws: `.damaged`.
    func move(_ wanted: CopiedPage, to page: PDFObject, by matrix: [Double]) throws(AdapterError) {
        let (place, copy) = try copy(of: wanted)
        let box = copy.geometry.box(wanted.framing)
        moves[place, default: []].append(AnnotationMove(page: page, box: wanted.isWhole ? nil : box, matrix: matrix))
        appearances.append(PDFFile.Appearance(of: copy.page, on: page, showing: box, by: matrix))
    }

    /// Takes out of the first document what is not used, and leads links to the pages that show their places now. To be
    /// called when all pages are made.
    ///
    /// - Parameters:
    ///   - pages: those of the output.
    ///   - isAll: whether they show nothing but pages of documents.
    /// - Throws: `.damaged`.
    func finish(_ pages: [PDFObject], isAll: Bool) throws(AdapterError) {
        for (place, moves) in moves.sorted(by: { $0.key.order < $1.key.order }) {
            guard let copy = copies[place] else { continue }
            try target.move(annotationsOf: copy.page, by: moves, keepsPage: !copy.uses.isEmpty)
        }
        // Elements name the pages of their document, of which some are to go, and others to be shown elsewhere.
        try tags?.finish(pages, isAll: isAll)
        if let document = documents.first, document.file === target {
            let taken = Set(copies.keys.filter { $0.document == 0 }.compactMap(\.object))
            var unused: [PDFObject] = []
            for index in 0..<document.pageCount {
                let page = try document.page(at: index).page
                if page.reference.map(taken.contains) != true { unused.append(page) }
            }
            if !unused.isEmpty {
                try target.remove(unused)
                try target.pruneNames()
            }
        }
        if !appearances.isEmpty { try target.redirect(appearances) }
    }

    private func copy(of wanted: CopiedPage) throws(AdapterError) -> (Place, Copy) {
        let document = documents[wanted.document]
        let index = Index(document: wanted.document, index: wanted.index)
        if let place = found[index], let known = copies[place] { return (place, known) }
        let node = try document.page(at: wanted.index)
        let place = found[index] ?? Place(node, at: wanted.index, of: wanted.document)
        found[index] = place
        if let known = copies[place] { return (place, known) }
        let geometry = PageGeometry(node, showing: wanted.box)
        let page: PDFObject
        if document.file === target {
            if movesPages { try target.settle(node) }
            page = place.object == nil ? try target.repeated(node.page) : node.page
        } else {
            guard let copy = foreign[place] else {
                preconditionFailure("all pages are copied before the first is asked for")
            }
            page = copy
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
            let place = copy.uses.firstIndex { box.map($0.box.holdsCenter) ?? false } ?? 0
            shares[place].append(.reference(reference))
            if let page = copy.uses[place].page.reference { try target.set("P", of: annotation, to: .reference(page)) }
        }
        for (use, share) in zip(copy.uses, shares) { try target.set("Annots", of: use.page, to: .array(share)) }
    }
}

extension PDFBox {
    /// Whether the middle of another box lies in it.
    func holdsCenter(of other: PDFBox) -> Bool {
        let (x, y) = ((other.left + other.right) / 2, (other.bottom + other.top) / 2)
        return x >= left && x <= right && y >= bottom && y <= top
    }
}
