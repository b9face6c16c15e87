package import PageModel

/// The tree of a document's pages (ISO 32000-1, 7.7.3), read from its root down.
///
/// Renderers also read it from the root: a damaged page may name a parent that does not list it. Invalid nodes must be
/// skipped in the same way, so that page 7 is the same page in all programs.
package struct PageTree {
    /// The location of a page: for each node from the root down, the index in its list of kids. It is the same each
    /// time the file is opened.
    package typealias Path = [Int]

    /// The locations of the pages, in order.
    package private(set) var paths: [Path] = []
    /// The numbers of pages, from 1, by their references.
    package private(set) var numbers: [PDFReference: Int] = [:]
    /// Whether pages may be missing. An item is then neither a page nor a node, a node occurs twice, or a page is its root.
    package private(set) var isDamaged = false
    /// Whether a node has another number of pages than it states. Some programs rely on the stated number.
    package private(set) var hasWrongCounts = false
    /// Whether all programs find the same pages in it.
    package var isSound: Bool { !isDamaged && !hasWrongCounts }

    /// The maximum depth of a page in nodes.
    static let deepest = 1000
    /// The maximum number of nodes. A node in several places counts each time: 60 of them can have 2^60 ways to one page.
    private static let maximumNodes = 200_000

    /// Reads the tree.
    ///
    /// - Throws: `.damaged` for a missing tree, `.tooLarge` for more than `maximumPages` pages or for too many nodes.
    package init(_ file: PDFFile, maximumPages: Int) throws(AdapterError) {
        let root = file.catalog["Pages"]
        guard PageTree.isRoot(root, of: file) else { throw AdapterError(.damaged, "its list of pages is missing") }
        // One entry for each node on the way down: its kids, and the index of the next one.
        var open: [Level] = []
        var (above, entered): (Set<PDFReference>, Set<PDFReference>) = ([], [])
        var nodes = 0
        func add(_ page: PDFObject, _ path: Path) throws(AdapterError) {
            guard paths.count < maximumPages else {
                throw AdapterError(.tooLarge, "has more than \(maximumPages) pages")
            }
            paths.append(path)
            if let reference = page.reference { numbers[reference] = paths.count }
        }
        func enter(_ node: PDFObject) throws(AdapterError) {
            let kids = node["Kids"]
            if PageTree.listsPages(node, in: file) {
                let path = open.map { $0.next - 1 }
                for index in 0..<kids.count { try add(kids.item(index), path + [index]) }
            } else {
                nodes += 1
                guard nodes <= PageTree.maximumNodes else {
                    throw AdapterError(.tooLarge, "its list of pages has more than \(PageTree.maximumNodes) nodes")
                }
                open.append(Level(node, firstPage: paths.count))
                if let reference = node.reference {
                    above.insert(reference)
                    if !entered.insert(reference).inserted { isDamaged = true }
                }
            }
        }
        if PageTree.isPage(root) {
            isDamaged = true
            try add(root, [])
            return
        }
        try enter(root)
        while let level = open.last {
            guard level.next < level.count else {
                open.removeLast()
                if level.statedPages != paths.count - level.firstPage { hasWrongCounts = true }
                if let reference = level.node { above.remove(reference) }
                continue
            }
            open[open.count - 1].next += 1
            let kid = level.kids.item(level.next)
            let path = open.map { $0.next - 1 }
            if kid.kind != .dictionary {
                isDamaged = true
            } else if PageTree.isPage(kid) {
                if let type = kid["Type"].name, type != "Page" { isDamaged = true }
                try add(kid, path)
            } else if open.count >= PageTree.deepest
                || kid.reference.map(above.contains) == true
            {
                isDamaged = true
            } else {
                try enter(kid)
            }
        }
    }

    /// Whether each kid of a node is a page or a node with one page, as far as it is known without reading all kids.
    ///
    /// There are as many kids as pages, and the first and last are pages. For an intact file, this saves most of the time for a
    /// long book. `PageNode` checks each page when it is used.
    private static func listsPages(_ node: PDFObject, in file: PDFFile) -> Bool {
        let kids = node["Kids"]
        return !file.isRepaired && kids.count > 2 && node["Count"].integer == kids.count && file.lists(kids)
            && isPage(kids.item(0)) && isPage(kids.item(kids.count - 1))
    }

    /// A node on the way down.
    private struct Level {
        let kids: PDFObject
        let count: Int
        let node: PDFReference?
        /// The number of pages before it.
        let firstPage: Int
        /// The number of its pages, as it states it.
        let statedPages: Int?
        /// The index of the next kid.
        var next = 0

        init(_ node: PDFObject, firstPage: Int) {
            kids = node["Kids"]
            count = kids.count
            self.node = node.reference
            self.firstPage = firstPage
            statedPages = node["Count"].integer
        }
    }

    /// Whether an object is the root of a page tree, or at least a page. A damaged file may name any other object, such as its
    /// catalog.
    private static func isRoot(_ root: PDFObject, of file: PDFFile) -> Bool {
        guard root.kind == .dictionary, root.reference == nil || root.reference != file.catalog.reference else {
            return false
        }
        if root["Kids"].kind == .array || root["Type"].name == "Page" { return true }
        return root["Type"].isNull && !(root["Contents"].isNull && root["MediaBox"].isNull)
    }

    /// Whether a node of the tree is a page: damaged files may lack one of the two signs.
    static func isPage(_ node: PDFObject) -> Bool {
        node["Type"].name == "Page" || node["Kids"].isNull
    }
}

/// A page's dictionary, with the values inherited from the nodes above it (ISO 32000-1, table 30).
package struct PageNode {
    /// The page's own dictionary.
    package let page: PDFObject
    private let inherited: [String: PDFObject]

    /// The error about a page that the page tree does not contain.
    package static let missing = AdapterError(
        .damaged, "the PDF is damaged: its list of pages does not contain this page")

    static let inheritable = ["Resources", "MediaBox", "CropBox", "Rotate"]

    /// Finds a page.
    ///
    /// - Parameter catalog: the document's root dictionary.
    /// - Throws: `.damaged` when that path has no page.
    init(_ catalog: PDFObject, at path: PageTree.Path) throws(AdapterError) {
        var node = catalog["Pages"]
        var inherited: [String: PDFObject] = [:]
        func enter(_ index: Int) {
            for key in PageNode.inheritable {
                let value = node[key]
                if !value.isNull { inherited[key] = value }
            }
            node = node["Kids"].item(index)
        }
        for index in path { enter(index) }
        // If the tree was not read down to its pages, this may be a node with only one.
        var depth = path.count
        while node.kind == .dictionary, !PageTree.isPage(node), node["Kids"].count == 1, depth < PageTree.deepest {
            enter(0)
            depth += 1
        }
        guard node.kind == .dictionary, PageTree.isPage(node) else {
            throw PageNode.missing
        }
        page = node
        self.inherited = inherited
    }

    /// Returns the value of a key; null when the page lacks it and, for inherited keys, all nodes above do.
    package subscript(key: String) -> PDFObject {
        let own = page[key]
        return own.isNull ? inherited[key] ?? own : own
    }
}
