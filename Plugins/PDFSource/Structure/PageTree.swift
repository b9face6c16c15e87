internal import AdapterKit

/// The tree of a document's pages (ISO 32000-1, 7.7.3), gone through from its root down.
///
/// Renderers do the same: a damaged page may name a parent it does not have, and what is no page at all has to be
/// passed over in the same way for page 7 to be the same page to everyone.
struct PageTree {
    /// The way to a page: in each node's list of kids, which to take. It holds in every lane that has the file open.
    typealias Path = [Int]

    /// The pages in order.
    private(set) var paths: [Path] = []
    /// The numbers of pages, from 1, by what names them in the file.
    private(set) var numbers: [PDFReference: Int] = [:]
    /// Whether something in the tree was no page and no node, or led back to a node above.
    private(set) var isDamaged = false

    static let deepest = 1000

    /// - Throws: `.damaged` when there is no tree, `.tooLarge` when it has more pages than `most`.
    init(_ file: PDFFile, most: Int) throws(AdapterError) {
        let root = file.catalog["Pages"]
        guard root.kind == .dictionary else { throw AdapterError(.damaged, "its list of pages is missing") }
        // One entry for each node on the way down: its kids, and which is next.
        var open: [(kids: PDFObject, count: Int, next: Int, node: PDFReference?)] = []
        var above: Set<PDFReference> = []
        func add(_ page: PDFObject, _ path: Path) throws(AdapterError) {
            guard paths.count < most else { throw AdapterError(.tooLarge, "has more than \(most) pages") }
            paths.append(path)
            if let reference = page.reference { numbers[reference] = paths.count }
        }
        func enter(_ node: PDFObject) throws(AdapterError) {
            let kids = node["Kids"]
            // As many kids as pages, and the outer two are pages: each is one, or a node that has one. In a sound file
            // they need not all be read to know it, and a long book is mostly such lists. PageNode looks again.
            if !file.isRepaired, kids.count > 2, node["Count"].integer == kids.count, file.lists(kids),
                PageTree.isPage(kids.item(0)), PageTree.isPage(kids.item(kids.count - 1))
            {
                let path = open.map { $0.next - 1 }
                for index in 0..<kids.count { try add(kids.item(index), path + [index]) }
            } else {
                open.append((kids, kids.count, 0, node.reference))
                if let reference = node.reference { above.insert(reference) }
            }
        }
        if PageTree.isPage(root) {
            paths = [[]]
            return
        }
        try enter(root)
        while let level = open.last {
            guard level.next < level.count else {
                if let reference = open.removeLast().node { above.remove(reference) }
                continue
            }
            open[open.count - 1].next += 1
            let kid = level.kids.item(level.next)
            let path = open.map { $0.next - 1 }
            if kid.kind != .dictionary {
                isDamaged = true
            } else if PageTree.isPage(kid) {
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

    static func isPage(_ node: PDFObject) -> Bool {
        node["Type"].name == "Page" || node["Kids"].isNull
    }
}
