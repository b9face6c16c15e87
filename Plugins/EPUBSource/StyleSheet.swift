/// The rules of a style sheet that can paint an image, or remove one (CSS 2.2, §4 and §6; Media Queries apply always).
struct StyleSheet: Sendable {
    /// A declaration of one of the properties below.
    struct Declaration: Sendable {
        enum Property: Sendable {
            /// `background`, `background-image`: one entry for each layer.
            case background
            /// `background-position`, `background-size`.
            case backgroundPlace
            case content
            case display
            /// Any other with an address of a file.
            case other
        }

        let property: Property
        let value: String
        let isImportant: Bool
        let hasAddress: Bool
        /// The path of the file with the declaration, to which its addresses are relative.
        let base: String
    }

    struct Rule: Sendable {
        let selector: StyleSelector
        let declarations: [Declaration]
    }

    private(set) var rules: [Rule] = []
    /// Whether a declaration has the address of a file.
    private(set) var hasAddresses = false
    /// The addresses of imported style sheets.
    private(set) var imports: [String] = []

    /// The maximum number of rules, above that of any real book.
    private static let maximumRules = 20_000
    /// The maximum depth of rules within `@media` and similar ones.
    private static let maximumDepth = 8

    /// - Parameter base: the path of the file.
    init(_ text: String, base: String) {
        var scanner = StyleScanner(text)
        read(&scanner, base: base, depth: 0)
    }

    private mutating func read(_ scanner: inout StyleScanner, base: String, depth: Int) {
        while rules.count < StyleSheet.maximumRules, let (prelude, ending) = scanner.prelude() {
            let words = prelude.lowercased()
            if words.hasPrefix("@import") {
                imports += StyleValue.addresses(in: prelude, orStrings: true).prefix(1)
                continue
            }
            guard ending == .block else { continue }
            let block = scanner.block()
            if ["@media", "@supports", "@layer", "@container", "@document"].contains(where: words.hasPrefix) {
                var inner = StyleScanner(block)
                if depth < StyleSheet.maximumDepth { read(&inner, base: base, depth: depth + 1) }
            } else if !words.hasPrefix("@") {
                let declarations = StyleSheet.declarations(block, base: base)
                guard !declarations.isEmpty else { continue }
                hasAddresses = hasAddresses || declarations.contains(where: \.hasAddress)
                for selector in StyleScanner.split(prelude, at: ",").prefix(StyleSheet.maximumRules - rules.count) {
                    rules.append(Rule(selector: StyleSelector(selector), declarations: declarations))
                }
            }
        }
    }

    /// Returns the declarations of a block or of a `style` attribute that concern images.
    static func declarations(_ text: String, base: String) -> [Declaration] {
        StyleScanner.split(text, at: ";").compactMap { declaration in
            let parts = StyleScanner.split(declaration, at: ":", maximum: 2)
            guard parts.count == 2 else { return nil }
            let name = parts[0].lowercased()
            var value = parts[1]
            let isImportant = value.lowercased().hasSuffix("important")
            if isImportant, let mark = value.lastIndex(of: "!") { value = String(value[..<mark]) }
            let hasAddress = value.lowercased().contains("url(")
            let property: Declaration.Property? =
                switch name {
                case "background", "background-image": .background
                case "background-position", "background-size", "background-position-x", "background-position-y":
                    .backgroundPlace
                case "content": .content
                case "display": .display
                default: hasAddress ? .other : nil
                }
            return property.map {
                Declaration(property: $0, value: value, isImportant: isImportant, hasAddress: hasAddress, base: base)
            }
        }
    }
}

/// The values of declarations.
enum StyleValue {
    /// Returns the addresses in `url(…)`, without those of a part of the same document.
    ///
    /// - Parameter orStrings: whether a string is an address, too, as in `@import "a.css"`.
    static func addresses(in value: String, orStrings: Bool = false) -> [String] {
        var scanner = StyleScanner(value)
        return scanner.tokens().compactMap { token in
            switch token {
            case .address(let text): text.isEmpty || text.hasPrefix("#") ? nil : text
            case .string(let text): orStrings && !text.isEmpty ? text : nil
            case .other: nil
            }
        }
    }

    /// Whether a position or a size shows only a part of an image: it is moved out of its element, or larger than that.
    static func showsPart(_ value: String) -> Bool {
        var scanner = StyleScanner(value)
        return scanner.tokens().contains { token in
            guard case .other(let text) = token else { return false }
            return text.split { $0.isWhitespace || $0 == "/" || $0 == "," }.contains { word in
                let number = word.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
                guard let value = Double(number) else { return false }
                return value < 0 || word.hasSuffix("%") && value > 100
            }
        }
    }
}
