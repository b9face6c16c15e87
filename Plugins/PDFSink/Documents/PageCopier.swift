internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// A copier that puts complete pages of several documents into one of them: with their text, links and forms.
final class PageCopier {
    private let target: PDFFile
    private let documents: [SourceDocument]
    /// Whether pages are put into another page tree, where they inherit nothing.
    private let movesPages: Bool
    /// The merge of the documents' tags; nil if the first one's stay as they are.
    private let tags: StructureMerge?
    /// The identities of pages, because the first document's page tree changes in between.
    private var found: [Index: Place] = [:]
    /// The requested pages, by their identity.
    private var copies: [Place: Copy] = [:]
    /// The pages of other documents, copied into the target.
    private var foreign: [Place: PDFObject] = [:]
    /// The pages that show forms of pages, whose annotations they get.
    private var moves: [Place: [AnnotationMove]] = [:]
    /// The places where each page is shown.
    private var appearances: [PDFFile.Appearance] = []
    /// The numbers of the copied pages of each document, and of those that the output shows as images.
    private let (copied, replaced): ([Set<Int>], [Set<Int>])

    /// The identity of a page in its document: an object, which several pages may share.
    private struct Place: Hashable {
        let document: Int
        let object: PDFReference?
        /// Its index in the page tree, if it is not an object of its own.
        let index: Int?

        init(_ node: PageNode, at index: Int, of document: Int) {
            self.document = document
            object = node.page.reference
            self.index = object == nil ? index : nil
        }

        /// The key for a stable order.
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
        /// The original annotations, once it is shown twice.
        var annotations: [PDFObject] = []
        /// The pages that show it, with the visible part.
        var uses: [(page: PDFObject, box: PDFBox)] = []
    }

    /// - Parameters:
    ///   - documents: the documents; the first of them is the target, unless the target is new.
    ///   - pages: all pages of the output.
    init(
        _ target: PDFFile, _ documents: [SourceDocument], movesPages: Bool, _ pages: [PDFPage]
    ) throws(AdapterError) {
        self.target = target
        self.documents = documents
        self.movesPages = movesPages
        tags = TagPlan(documents, pages).mergesTags ? try StructureMerge(into: target) : nil
        let (copies, images) = (pages.flatMap(\.copies), pages.flatMap(\.replaced).map(\.document))
        copied = documents.indices.map { place in
            documents[place].numbers(of: copies.filter { $0.document == place })
        }
        replaced = documents.map { $0.numbers(of: images) }
        for place in documents.indices {
            try naming(documents[place]) { () throws(AdapterError) in try prepare(place) }
        }
    }

    /// Adds the name of a document to the errors about it: an output may have several.
    private func naming<Value>(
        _ document: SourceDocument, _ body: () throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        do {
            return try body()
        } catch {
            // A target that cannot take any object is the damaged document.
            let isOfTarget = (try? target.add(.null)) == nil
            let damaged = isOfTarget ? documents.first { $0.file === target } : nil
            var error = error
            error.file = error.file ?? (damaged ?? document).path
            throw error
        }
    }

    /// Removes from a document the references to pages that are not copied; copies the others, if it is not the target.
    private func prepare(_ place: Int) throws(AdapterError) {
        let document = documents[place]
        let isTarget = document.file === target
        let taken = copied[place].union(replaced[place])
        let isWhole = document.isWhole(taken)
        if isTarget && isWhole && tags == nil { return }
        if !isTarget && copied[place].isEmpty { return }
        var links = document.links(keeping: taken)
        var nodes: [(place: Place, node: PageNode)] = []
        var seen: Set<Place> = []
        for number in taken.sorted() {
            let node = try document.page(at: number - 1)
            if !isWhole { try links.prune(node.page) }
            let id = Place(node, at: number - 1, of: place)
            // Later the page may be an object of its own, which it was not before.
            found[Index(document: place, index: number - 1)] = id
            guard seen.insert(id).inserted else { continue }
            if !isTarget {
                // Only links need the pages that become images.
                let own = node.page.reference.flatMap { document.numbers[$0] } ?? number
                let keys = copied[place].isDisjoint(with: [number, own]) ? ["Annots", "Contents", "Resources"] : []
                for key in keys { try document.file.set(key, of: node.page, to: .null) }
                try links.resolveNames(on: node.page)
            }
            // A page's inherited attributes belong to its content.
            try document.file.copyInheritedValues(into: node)
            nodes.append((id, node))
        }
        try tags?.number(nodes.map(\.node.page), of: document.file, keepsTags: document.structure == .sound)
        if !isTarget {
            let copies = try target.copy(nodes.map(\.node), of: document.file)
            try target.mergeLayers(of: document.file, on: nodes.map(\.node), isWhole: isWhole)
            target.require(document.file.version)
            for (node, copy) in zip(nodes, copies) { foreign[node.place] = copy }
        } else if !isWhole {
            try target.pruneOutline(document.numbers, keeping: taken)
            try links.pruneOpening()
            try target.pruneLayers(keeping: nodes.map(\.node.page))
        }
    }

    /// Returns a page that shows the framed part of another one.
    ///
    /// - Throws: `.damaged`.
    func page(_ wanted: CopiedPage) throws(AdapterError) -> PDFObject {
        let (place, known) = try naming(documents[wanted.document]) { () throws(AdapterError) in
            try self.copy(of: wanted)
        }
        var copy = known
        let box = copy.geometry.box(wanted.framing)
        // The second half of a page that was split has the contents of the first.
        let page = copy.uses.isEmpty ? copy.page : try target.repeated(copy.page)
        // Tags refer to a single page for their content.
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

    /// Returns a page's own geometry.
    ///
    /// - Throws: `.damaged`.
    func geometry(of wanted: CopiedPage) throws(AdapterError) -> PageGeometry { try copy(of: wanted).1.geometry }

    /// Returns a page as a form that shows its framed part.
    ///
    /// - Throws: `.damaged`.
    func form(of wanted: CopiedPage) throws(AdapterError) -> PDFReference {
        let (_, copy) = try copy(of: wanted)
        // Made from a separate page, so that text below the page elsewhere is not in it.
        let form = try target.form(of: target.repeated(copy.page))
        guard let reference = form.reference else { throw PDFFile.outOfMemory }
        if tags != nil, let number = copy.page["StructParents"].integer {
            try target.set("StructParents", of: form, to: .integer(number))
        }
        try target.set("BBox", of: form, to: PDFValue(copy.geometry.box(wanted.framing)))
        return reference
    }

    /// Gives a page that shows a form of another one that page's other objects. Links to the other page are redirected to it.
    ///
    /// - Parameter matrix: the matrix that brings the form to its place.
    /// - Throws: `.damaged`.
    func move(_ wanted: CopiedPage, to page: PDFObject, by matrix: [Double]) throws(AdapterError) {
        let (place, copy) = try copy(of: wanted)
        let box = copy.geometry.box(wanted.framing)
        moves[place, default: []].append(AnnotationMove(page: page, box: wanted.isWhole ? nil : box, matrix: matrix))
        appearances.append(PDFFile.Appearance(of: copy.page, on: page, showing: box, by: matrix))
    }

    /// Removes unused objects from the first document, and redirects links to the pages that show their targets now. To be called
    /// after all pages are made.
    ///
    /// - Parameters:
    ///   - pages: all pages, each with its object.
    ///   - isAll: whether the output shows only pages of documents.
    /// - Throws: `.damaged`.
    func finish(_ pages: [(PDFPage, PDFObject)], isAll: Bool) throws(AdapterError) {
        for (place, moves) in moves.sorted(by: { $0.key.order < $1.key.order }) {
            guard let copy = copies[place] else { continue }
            try target.move(annotationsOf: copy.page, by: moves, keepsPage: !copy.uses.isEmpty)
        }
        // Elements refer to the pages of their document; some of those are removed, and others are shown elsewhere.
        try tags?.finish(pages.map(\.1), isAll: isAll)
        var (unused, replaced): ([PDFObject], [PDFObject]) = ([], [])
        for (place, document) in documents.enumerated() {
            let copied = Set(copies.keys.filter { $0.document == place }.compactMap(\.object))
            let images = images(of: document, on: pages)
            for index in 0..<document.pageCount {
                let node = try document.page(at: index)
                if node.page.reference.map(copied.contains) == true { continue }
                let page = document.file === target ? node.page : foreign[Place(node, at: index, of: place)]
                guard let page else { continue }
                let shown = images[index] ?? []
                if shown.isEmpty { unused.append(page) } else { replaced.append(page) }
                appearances += shown.map { $0.appearance(of: page, node) }
            }
        }
        if !unused.isEmpty || !replaced.isEmpty {
            try target.remove(unused, replaced: replaced)
            try target.pruneNames()
        }
        if !appearances.isEmpty { try target.redirect(appearances) }
    }

    /// Returns the images of each page of a document, by the page's index.
    private func images(of document: SourceDocument, on pages: [(PDFPage, PDFObject)]) -> [Int: [PageImage]] {
        var images: [Int: [PageImage]] = [:]
        for (page, object) in pages {
            guard let shown = page.shown else { continue }
            for original in page.replaced where document.holds(original.document) {
                images[original.document.index, default: []].append(
                    PageImage(page: object, shown: shown, original: original))
            }
        }
        return images
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
            if movesPages { try target.copyInheritedValues(into: node) }
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

    /// Gives each of a page's appearances the annotations that it shows; the first one gets the invisible ones.
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
    /// Whether it contains the middle of another box.
    func holdsCenter(of other: PDFBox) -> Bool {
        let (x, y) = ((other.left + other.right) / 2, (other.bottom + other.top) / 2)
        return x >= left && x <= right && y >= bottom && y <= top
    }
}
