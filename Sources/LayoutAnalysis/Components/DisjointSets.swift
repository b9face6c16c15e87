/// Sets without common members, which are joined step by step ("union-find").
///
/// Each set is a tree; its root stands for it. A search shortens the path to the root, so that later ones are fast.
package struct DisjointSets: Sendable {
    private var parents: [Int32]

    /// Makes a set of each number below `count`.
    package init(count: Int) {
        parents = (0..<count).map { Int32($0) }
    }

    /// Returns the number that stands for the set of a member.
    package mutating func root(of member: Int) -> Int {
        var index = member
        while Int(parents[index]) != index {
            let grandparent = parents[Int(parents[index])]
            parents[index] = grandparent
            index = Int(grandparent)
        }
        return index
    }

    /// Joins the sets of two members. The lower of their roots stands for the result.
    ///
    /// - Returns: the root that stays and the one that does not; nil if both members were in one set.
    @discardableResult
    package mutating func join(_ one: Int, _ other: Int) -> (kept: Int, dropped: Int)? {
        let (first, second) = (root(of: one), root(of: other))
        guard first != second else { return nil }
        let (low, high) = (min(first, second), max(first, second))
        parents[high] = Int32(low)
        return (low, high)
    }

    /// Joins the set of a member with another one, whose root stands for the result.
    mutating func add(_ member: Int, to other: Int) {
        let (first, second) = (root(of: member), root(of: other))
        parents[first] = Int32(second)
    }
}
