internal import CXML2
package import PageModel

/// A reader for untrusted XML 1.0 documents, based on libxml2.
///
/// It supports namespaces, UTF-8, UTF-16 and declared encodings. It refuses a document type, and therefore every entity
/// that could expand or access other files. Only the five predefined entities and character references are replaced. It
/// reads only the given bytes. Size and depth are bounded, and the time is linear in the size.
package enum XMLReader {
    /// The version of libxml2 that jisui was built with.
    package static var libraryVersion: String { LIBXML_DOTTED_VERSION }

    /// The limits of a document.
    package struct Limits: Hashable, Sendable {
        /// The maximum number of bytes; never more than a gigabyte.
        package var bytes: Int
        /// The maximum depth of nested elements, including the root.
        package var depth: Int
        /// The maximum number of elements.
        package var elements: Int

        package init(bytes: Int = 4 << 20, depth: Int = 64, elements: Int = 500_000) {
            self.bytes = min(bytes, 1 << 30)
            self.depth = depth
            self.elements = elements
        }
    }

    /// The maximum number of attributes of an element: libxml2 compares each with all others.
    static let maximumAttributes = 1000
    /// The maximum number of namespaces declared at any point: libxml2 searches them linearly.
    static let maximumNamespaces = 250

    /// Reads a document.
    ///
    /// - Returns: the root element. Processing instructions, and comments outside the root, are omitted.
    /// - Throws: `.damaged` when it is not well-formed, `.unsupported` for a document type, `.tooLarge`.
    package static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(AdapterError) -> XMLElement {
        guard bytes.count <= limits.bytes else {
            throw AdapterError(.tooLarge, "is larger than \(limits.bytes) bytes")
        }
        return try XMLParse(bytes, limits).run()
    }
}

/// The state of a document being parsed, which libxml2's callbacks change.
///
/// libxml2 gets the data in pieces. The cost of an element's tag can therefore be limited in advance.
private final class XMLParse {
    private let bytes: [UInt8]
    private let limits: XMLReader.Limits
    /// The number of bytes passed to libxml2.
    private var given = 0
    private var context: xmlParserCtxtPtr?
    private var failure: AdapterError?
    private var open: [XMLElement] = []
    private var root: XMLElement?
    private var elementCount = 0
    /// The text not yet added to the innermost element: it comes in many small pieces.
    private var text: [UInt8] = []

    /// The global state of libxml2, shared by all threads and initialized once before use.
    private static let isReady: Void = xmlInitParser()

    /// The options: no network, entities replaced. libxml2's own limits are disabled, because ours are stricter.
    private static let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_HUGE.rawValue

    init(_ bytes: [UInt8], _ limits: XMLReader.Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    func run() throws(AdapterError) -> XMLElement {
        XMLParse.isReady
        var handler = XMLParse.handler
        let me = Unmanaged.passUnretained(self).toOpaque()
        let read: xmlInputReadCallback = { me, buffer, count in
            XMLParse.with(me) { $0.give(UnsafeMutableRawBufferPointer(start: buffer, count: Int(max(0, count)))) } ?? -1
        }
        guard let context = xmlCreateIOParserCtxt(&handler, me, read, nil, me, XML_CHAR_ENCODING_NONE) else {
            throw AdapterError(.damaged, "is not well-formed XML: it is empty")
        }
        defer { xmlFreeParserCtxt(context) }
        self.context = context
        defer { self.context = nil }
        xmlCtxtUseOptions(context, CInt(bitPattern: XMLParse.options))
        xmlParseDocument(context)
        if let failure { throw failure }
        guard context.pointee.wellFormed != 0, let root else { throw .malformed("it ends too early") }
        return root
    }

    /// Stops reading; the first error is reported.
    private func fail(_ error: AdapterError) {
        if failure == nil { failure = error }
        // Not while libxml2 waits for bytes: there, the return value stops it.
        if let context { xmlStopParser(context) }
    }

    /// Passes the next bytes of the document to libxml2.
    ///
    /// - Returns: their number, 0 at the end; -1 to stop.
    private func give(_ buffer: UnsafeMutableRawBufferPointer) -> CInt {
        guard failure == nil else { return -1 }
        if let context {
            // libxml2 stores five pointers for an attribute and two for a namespace, in tables that double when full.
            if context.pointee.maxatts > 5 * 4 * XMLReader.maximumAttributes
                || context.pointee.nsNr > 2 * XMLReader.maximumNamespaces
            {
                failure = .manyAttributes
                return -1
            }
        }
        let count = min(buffer.count, 4096, bytes.count - given)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[given..<(given + count)])) }
        given += count
        return CInt(count)
    }

    // MARK: Events

    private func start(_ name: XMLName, _ namespaces: [XMLNamespace], _ attributes: [XMLAttribute]) {
        guard failure == nil else { return }
        flushText()
        elementCount += 1
        guard open.count < limits.depth else {
            return fail(AdapterError(.tooLarge, "is nested more than \(limits.depth) levels deep"))
        }
        guard elementCount <= limits.elements else {
            return fail(AdapterError(.tooLarge, "has more than \(limits.elements) elements"))
        }
        guard attributes.count <= XMLReader.maximumAttributes else { return fail(.manyAttributes) }
        open.append(XMLElement(name, attributes: attributes, namespaces: namespaces))
    }

    private func end() {
        guard failure == nil else { return }
        flushText()
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].nodes.append(.element(element)) }
    }

    private func add(_ piece: UnsafeBufferPointer<UInt8>) {
        if failure == nil && !open.isEmpty { text += piece }
    }

    private func addComment(_ comment: String) {
        guard failure == nil, !open.isEmpty else { return }
        flushText()
        open[open.count - 1].nodes.append(.comment(comment))
    }

    private func flushText() {
        guard !text.isEmpty, !open.isEmpty else { return }
        open[open.count - 1].nodes.append(.text(String(decoding: text, as: UTF8.self)))
        text.removeAll(keepingCapacity: true)
    }

    // MARK: Callbacks

    private static func with<Result>(_ me: UnsafeMutableRawPointer?, _ body: (XMLParse) -> Result) -> Result? {
        me.map { body(Unmanaged<XMLParse>.fromOpaque($0).takeUnretainedValue()) }
    }

    private static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.internalSubset = { me, _, _, _ in
            XMLParse.with(me) { $0.fail(AdapterError(.unsupported, "has a document type")) }
        }
        handler.startElementNs = { me, local, prefix, uri, namespaceCount, namespaces, count, _, attributes in
            XMLParse.with(me) {
                $0.start(
                    XMLName(XMLParse.string(local) ?? "", in: XMLParse.string(uri), prefix: XMLParse.string(prefix)),
                    XMLParse.namespaces(namespaces, count: Int(namespaceCount)),
                    XMLParse.attributes(attributes, count: Int(count)))
            }
        }
        handler.endElementNs = { me, _, _, _ in XMLParse.with(me) { $0.end() } }
        handler.characters = { me, text, count in
            XMLParse.with(me) { $0.add(UnsafeBufferPointer(start: text, count: Int(count))) }
        }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.comment = { me, text in XMLParse.with(me) { $0.addComment(XMLParse.string(text) ?? "") } }
        handler.serror = { me, error in
            // Warnings and undeclared namespaces do not make a document invalid.
            guard let error, error.pointee.level == XML_ERR_FATAL else { return }
            let message = error.pointee.message.map { String(cString: $0) } ?? "no reason given"
            XMLParse.with(me) { $0.fail(.malformed(message.oneLine)) }
        }
        return handler
    }

    private static func string(_ text: UnsafePointer<xmlChar>?) -> String? {
        text.map { String(cString: $0) }
    }

    /// - Parameter list: a prefix and a URI for each.
    private static func namespaces(
        _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
    ) -> [XMLNamespace] {
        guard let list else { return [] }
        return (0..<count).map { XMLNamespace(prefix: string(list[2 * $0]), uri: string(list[2 * $0 + 1]) ?? "") }
    }

    /// - Parameter list: local name, prefix, URI, the beginning and the end of the value for each.
    private static func attributes(
        _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
    ) -> [XMLAttribute] {
        guard let list else { return [] }
        return (0..<count).map { index in
            let parts = list + 5 * index
            let name = XMLName(string(parts[0]) ?? "", in: string(parts[2]), prefix: string(parts[1]))
            guard let start = parts[3], let end = parts[4] else { return XMLAttribute(name, "") }
            return XMLAttribute(
                name, String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self))
        }
    }
}

extension String {
    /// The text up to its first line break.
    fileprivate var oneLine: String {
        String(decoding: utf8.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

extension AdapterError {
    fileprivate static func malformed(_ what: String) -> AdapterError {
        AdapterError(.damaged, "is not well-formed XML: \(what)")
    }

    fileprivate static let manyAttributes = AdapterError(
        .tooLarge, "has an element with more than \(XMLReader.maximumAttributes) attributes or namespaces")
}
