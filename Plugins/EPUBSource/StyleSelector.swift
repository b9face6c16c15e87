internal import Metadata

/// A selector of a style sheet (Selectors 4). A part that jisui does not know matches every element: an image that may be
/// painted counts as painted.
struct StyleSelector: Sendable {
    private enum Combinator: Sendable {
        case descendant, child
        /// `+` and `~`: the element before it is not examined.
        case sibling
    }

    private struct Compound: Sendable {
        var tag: String?
        var id: String?
        var classes: [String] = []
        /// Whether it is for a state that a page does not have by itself: `:hover`.
        var isState = false
    }

    /// From the element outwards: each with the combinator to its right.
    private var compounds: [(compound: Compound, combinator: Combinator)] = []
    /// The number of ids, classes and tags, by which declarations have priority.
    private(set) var specificity = 0

    private static let states: Set<String> = [
        "hover", "focus", "active", "visited", "target", "checked", "focus-within", "focus-visible", "disabled",
    ]

    /// The maximum length of a selector; longer ones select nothing.
    private static let maximumCount = 2_000

    init(_ text: String) {
        guard text.utf8.count <= StyleSelector.maximumCount else { return }
        var parts: [(compound: Compound, combinator: Combinator)] = []
        var combinator = Combinator.descendant
        for word in StyleSelector.words(text) {
            switch word {
            case ">": combinator = .child
            case "+", "~": combinator = .sibling
            default:
                // The combinator is that between this compound and the one before.
                if !parts.isEmpty { parts[parts.count - 1].combinator = combinator }
                parts.append((compound(word), .descendant))
                combinator = .descendant
            }
        }
        compounds = parts.reversed()
    }

    /// Returns the compounds and combinators.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var depth = 0
        for character in text {
            switch character {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            default: break
            }
            if depth == 0, character.isWhitespace || [">", "+", "~"].contains(character) {
                if !word.isEmpty { words.append(word) }
                word = ""
                if !character.isWhitespace { words.append(String(character)) }
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    private mutating func compound(_ word: String) -> Compound {
        var compound = Compound()
        for part in word.matches(of: /([.#]|::?)?((?:[^.#:\[\]()\\]|\\.)+)(?:\([^)]*\))?|\[[^\]]*\]/) {
            guard let name = part.output.2.map({ String($0.filter { $0 != "\\" }) }) else {
                specificity += 100
                continue
            }
            switch part.output.1 {
            case "#":
                compound.id = name
                specificity += 10_000
            case ".":
                compound.classes.append(name)
                specificity += 100
            case nil where name != "*":
                compound.tag = name.split(separator: "|").last.map { $0.lowercased() }
                specificity += 1
            case ":": if StyleSelector.states.contains(name.lowercased()) { compound.isState = true }
            default: break
            }
        }
        return compound
    }

    /// Whether it selects the last element of a path from the root, or content before or after that.
    ///
    /// - Parameter work: the number of comparisons, which is increased.
    func matches(_ path: [XMLElement], _ work: inout Int) -> Bool {
        guard let own = compounds.first, let element = path.last, StyleSelector.matches(own.compound, element, &work)
        else { return false }
        return matches(path.dropLast(), from: 1, &work)
    }

    private func matches(_ path: ArraySlice<XMLElement>, from index: Int, _ work: inout Int) -> Bool {
        guard index < compounds.count else { return true }
        let (compound, combinator) = compounds[index]
        switch combinator {
        case .sibling:
            // The rest of the selector refers to the same ancestors.
            return matches(path, from: index + 1, &work)
        case .child:
            guard let parent = path.last else { return false }
            return StyleSelector.matches(compound, parent, &work) && matches(path.dropLast(), from: index + 1, &work)
        case .descendant:
            return path.indices.reversed().contains { place in
                StyleSelector.matches(compound, path[place], &work) && matches(path[..<place], from: index + 1, &work)
            }
        }
    }

    private static func matches(_ compound: Compound, _ element: XMLElement, _ work: inout Int) -> Bool {
        work += 1
        if compound.isState || work > PageStyle.maximumWork { return false }
        if let tag = compound.tag, tag != element.name.local.lowercased() { return false }
        if let id = compound.id, id != element["id"] { return false }
        if compound.classes.isEmpty { return true }
        let own = (element["class"] ?? "").split(whereSeparator: \.isWhitespace)
        return compound.classes.allSatisfy { name in own.contains { $0 == name } }
    }
}
