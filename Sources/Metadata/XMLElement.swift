/// An element of an XML document, with everything in it.
public struct XMLElement: Hashable, Sendable {
    /// The contents between an element's tags, in order.
    public enum Node: Hashable, Sendable {
        case element(XMLElement)
        case text(String)
        case comment(String)
    }

    public var name: XMLName
    public var attributes: [XMLAttribute]
    /// The namespaces that the element itself declares: `xmlns:prefix="uri"`.
    public var namespaces: [XMLNamespace]
    public var nodes: [Node]

    public init(
        _ name: XMLName, attributes: [XMLAttribute] = [], namespaces: [XMLNamespace] = [], nodes: [Node] = []
    ) {
        self.name = name
        self.attributes = attributes
        self.namespaces = namespaces
        self.nodes = nodes
    }

    /// Makes an element that contains only text.
    public init(_ name: XMLName, text: String) {
        self.init(name, nodes: text.isEmpty ? [] : [.text(text)])
    }

    /// The child elements.
    public var elements: [XMLElement] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// Returns the first child element with that name.
    public func first(_ name: XMLName) -> XMLElement? {
        elements.first { $0.name == name }
    }

    /// All text in the element, at any depth, unchanged.
    public var text: String {
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
    public subscript(_ name: XMLName) -> String? {
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
public struct XMLName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name without its prefix.
    public var local: String
    /// The URI of the namespace; nil for a name without a namespace.
    public var namespace: String?
    /// The text before the colon, for writing; nil without a colon.
    public var prefix: String?

    public init(_ local: String, in namespace: String? = nil, prefix: String? = nil) {
        self.local = local
        self.namespace = namespace
        self.prefix = prefix
    }

    public init(stringLiteral local: String) {
        self.init(local)
    }

    /// The name in its written form: `prefix:local`.
    public var qualified: String { prefix.map { "\($0):\(local)" } ?? local }

    public static func == (one: XMLName, other: XMLName) -> Bool {
        one.local == other.local && one.namespace == other.namespace
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(local)
        hasher.combine(namespace)
    }
}

/// An attribute of an element.
public struct XMLAttribute: Hashable, Sendable {
    public var name: XMLName
    public var value: String

    public init(_ name: XMLName, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The declaration of a namespace.
public struct XMLNamespace: Hashable, Sendable {
    /// The prefix; nil for the namespace of names without a prefix.
    public var prefix: String?
    public var uri: String

    public init(prefix: String?, uri: String) {
        self.prefix = prefix
        self.uri = uri
    }
}
