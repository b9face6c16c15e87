/// An element of an XML document, with everything in it.
package struct XMLElement: Hashable, Sendable {
    /// The contents between an element's tags, in order.
    package enum Node: Hashable, Sendable {
        case element(XMLElement)
        case text(String)
        case comment(String)
    }

    package var name: XMLName
    package var attributes: [XMLAttribute]
    /// The namespaces that the element itself declares: `xmlns:prefix="uri"`.
    package var namespaces: [XMLNamespace]
    package var nodes: [Node]

    package init(
        _ name: XMLName, attributes: [XMLAttribute] = [], namespaces: [XMLNamespace] = [], nodes: [Node] = []
    ) {
        self.name = name
        self.attributes = attributes
        self.namespaces = namespaces
        self.nodes = nodes
    }

    /// Makes an element that contains only text.
    package init(_ name: XMLName, text: String) {
        self.init(name, nodes: text.isEmpty ? [] : [.text(text)])
    }

    /// The child elements.
    package var elements: [XMLElement] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// Returns the first child element with that name.
    package func first(_ name: XMLName) -> XMLElement? {
        elements.first { $0.name == name }
    }

    /// All text in the element, at any depth, unchanged.
    package var text: String {
        var bytes: [UInt8] = []
        appendText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func appendText(to bytes: inout [UInt8]) {
        for node in nodes {
            switch node {
            case .element(let element): element.appendText(to: &bytes)
            case .text(let text): bytes += text.utf8
            case .comment: break
            }
        }
    }

    /// Returns the value of the attribute with that name.
    package subscript(_ name: XMLName) -> String? {
        get { attributes.first { $0.name == name }?.value }
        set {
            let place = attributes.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): attributes[place].value = value
            case (let place?, nil): attributes.remove(at: place)
            case (nil, let value?): attributes.append(XMLAttribute(name, value))
            case (nil, nil): break
            }
        }
    }
}

/// The name of an element or an attribute.
///
/// Two names are equal when their local names and their namespaces are: the prefix is only a way to write them.
package struct XMLName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name without its prefix.
    package var local: String
    /// The URI of the namespace; nil for a name without a namespace.
    package var namespace: String?
    /// The text before the colon, for writing; nil without a colon.
    package var prefix: String?

    package init(_ local: String, in namespace: String? = nil, prefix: String? = nil) {
        self.local = local
        self.namespace = namespace
        self.prefix = prefix
    }

    package init(stringLiteral local: String) {
        self.init(local)
    }

    /// The name in its written form: `prefix:local`.
    package var qualified: String { prefix.map { "\($0):\(local)" } ?? local }

    package static func == (one: XMLName, other: XMLName) -> Bool {
        one.local == other.local && one.namespace == other.namespace
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(local)
        hasher.combine(namespace)
    }
}

/// An attribute of an element.
package struct XMLAttribute: Hashable, Sendable {
    package var name: XMLName
    package var value: String

    package init(_ name: XMLName, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The declaration of a namespace.
package struct XMLNamespace: Hashable, Sendable {
    /// The prefix; nil for the namespace of names without a prefix.
    package var prefix: String?
    package var uri: String

    package init(prefix: String?, uri: String) {
        self.prefix = prefix
        self.uri = uri
    }
}
