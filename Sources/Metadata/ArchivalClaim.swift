internal import PageModel

/// The statement in a PDF's XMP packet that the PDF is for archiving (ISO 19005-1, 6.7.11).
package struct ArchivalClaim: Hashable, Sendable {
    /// The part of ISO 19005.
    package let part: Int
    /// The level of that part: "A", "B", "U"; nil without a level.
    package let level: String?

    private static let namespace = "http://www.aiim.org/pdfa/ns/id/"

    /// - Parameter xmp: the packet.
    /// - Returns: nil without such a statement.
    package init?(xmp: [UInt8]) {
        guard let root = XMPMetadata.root(of: xmp) else { return nil }
        self.init(root)
    }

    init?(_ root: XMLElement) {
        let part = root.property(XMLName("part", in: ArchivalClaim.namespace)).flatMap { Int($0.filter(\.isNumber)) }
        guard let part else { return nil }
        self.part = part
        level = root.property(XMLName("conformance", in: ArchivalClaim.namespace))
            .map { $0.filter(\.isLetter).uppercased() }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The text "PDF/A-2b".
    package var english: String { "PDF/A-\(part)\((level ?? "").lowercased())" }

    /// Returns a packet without the statement.
    package static func removed(from xmp: [UInt8]) -> [UInt8]? {
        XMPMetadata.root(of: xmp).map { XMPPacket.wrapped(without(namespace, in: $0)) }
    }

    private static func without(_ namespace: String, in element: XMLElement) -> XMLElement {
        var copy = element
        copy.attributes.removeAll { $0.name.namespace == namespace }
        copy.nodes = element.nodes.compactMap { node in
            guard case .element(let child) = node else { return node }
            return child.name.namespace == namespace ? nil : .element(without(namespace, in: child))
        }
        return copy
    }
}

extension XMLElement {
    /// The terms among those that jisui writes that need no description in a PDF/A.
    private static let known: Set = [XMPMetadata.dublinCore]
    private static let extensionSchema = "http://www.aiim.org/pdfa/ns/extension/"
    private static let schema = "http://www.aiim.org/pdfa/ns/schema#"
    private static let property = "http://www.aiim.org/pdfa/ns/property#"

    /// Returns the packet with descriptions of the terms of `facts`, which a PDF/A must have (ISO 19005-1, 6.7.8).
    /// Existing descriptions are kept.
    func declaring(_ facts: [XMLElement]) -> XMLElement {
        let namespaces = facts.compactMap(\.name.namespace).unique.filter { !XMLElement.known.contains($0) }
        let described = Set(
            descendants(XMLName("namespaceURI", in: XMLElement.schema)).map { $0.text.filter { $0 > " " } })
        let items = namespaces.filter { !described.contains($0) }.map { uri in
            XMLElement.description(of: facts.filter { $0.name.namespace == uri }, uri)
        }
        if items.isEmpty { return self }
        let list = XMLName("schemas", in: XMLElement.extensionSchema, prefix: "pdfaExtension")
        if first(list) == nil, descendant(list) == nil {
            let bag = XMLElement(XMLElement.rdf("Bag"), nodes: items.map { .element($0) })
            let description = XMLElement(
                XMLElement.rdf("Description"), attributes: [XMLAttribute(XMLElement.rdf("about"), "")],
                namespaces: [
                    XMLNamespace(prefix: "rdf", uri: XMPMetadata.rdf),
                    XMLNamespace(prefix: "pdfaExtension", uri: XMLElement.extensionSchema),
                ], nodes: [.element(XMLElement(list, nodes: [.element(bag)]))])
            return adding([description], to: [XMLElement.rdf("RDF")])
        }
        return adding(items, to: [list, XMLElement.rdf("Bag")])
    }

    private static func rdf(_ local: String) -> XMLName { XMLName(local, in: XMPMetadata.rdf, prefix: "rdf") }

    /// Adds elements to the element that a path of names selects, at any depth.
    private func adding(_ items: [XMLElement], to path: [XMLName]) -> XMLElement {
        var (copy, rest) = (self, path[...])
        if name == rest.first { rest = rest.dropFirst() }
        guard !rest.isEmpty else {
            copy.nodes += items.map { .element($0) }
            return copy
        }
        copy.nodes = nodes.map { node in
            if case .element(let child) = node { .element(child.adding(items, to: Array(rest))) } else { node }
        }
        return copy
    }

    private static func description(of facts: [XMLElement], _ uri: String) -> XMLElement {
        func statement(_ local: String, in namespace: String, _ prefix: String, _ text: String) -> XMLElement.Node {
            .element(XMLElement(XMLName(local, in: namespace, prefix: prefix), text: text))
        }
        let resource = XMLAttribute(rdf("parseType"), "Resource")
        let properties = facts.map { fact in
            let isList = fact.first(rdf("Bag")) != nil
            return XMLElement(
                rdf("li"), attributes: [resource],
                nodes: [
                    statement("name", in: property, "pdfaProperty", fact.name.local),
                    statement("valueType", in: property, "pdfaProperty", isList ? "bag Text" : "Text"),
                    statement("category", in: property, "pdfaProperty", "external"),
                    statement("description", in: property, "pdfaProperty", "\(fact.name.local) of the book"),
                ])
        }
        let list = XMLElement(rdf("Seq"), nodes: properties.map { .element($0) })
        let prefix = facts.first?.name.prefix ?? ""
        return XMLElement(
            rdf("li"), attributes: [resource],
            namespaces: [
                XMLNamespace(prefix: "rdf", uri: XMPMetadata.rdf), XMLNamespace(prefix: "pdfaSchema", uri: schema),
                XMLNamespace(prefix: "pdfaProperty", uri: property),
            ],
            nodes: [
                statement("schema", in: schema, "pdfaSchema", "Facts of a book, as \(prefix) states them"),
                statement("namespaceURI", in: schema, "pdfaSchema", uri),
                statement("prefix", in: schema, "pdfaSchema", prefix),
                .element(
                    XMLElement(
                        XMLName("property", in: schema, prefix: "pdfaSchema"), nodes: [.element(list)])),
            ])
    }
}
