internal import AdapterKit
internal import PageModel

/// The address that a shelf is served at, to which its catalogs lead: reading apps do not agree on what an address without a
/// host is relative to.
struct CatalogAddress: Hashable, Sendable {
    /// In ASCII, with a slash at its end; empty for no catalogs.
    let text: String

    /// Whether there are to be no catalogs.
    var isNone: Bool { text.isEmpty }

    /// Nil for what is no folder's address of http or https.
    init?(_ text: String) {
        guard let address = WebAddress(text)?.text, !text.contains(where: { $0 == "?" || $0 == "#" || $0 == "@" }),
            !text.contains(where: \.isWhitespace), let slashes = address.firstRange(of: "://"),
            ["http", "https"].contains(address[..<slashes.lowerBound])
        else { return nil }
        let rest = address[slashes.upperBound...]
        guard let first = rest.utf8.first, first != UInt8(ascii: "/"), first != UInt8(ascii: ":") else { return nil }
        self.text = address.utf8.last == UInt8(ascii: "/") ? address : address + "/"
    }

    private init(none: Void) { text = "" }

    /// - Parameter text: as it was typed; "none" is no address.
    /// - Throws: `.usage` for what is no such address.
    init(typed text: String) throws(AdapterError) {
        guard let address = text == "none" ? CatalogAddress(none: ()) : CatalogAddress(text) else {
            throw AdapterError(
                .usage, "--base-url takes the http or https address that the shelf is served at, not '\(text)'",
                advice: "like https://example.org/shelf/; catalogs hold whole addresses, so that apps find the books")
        }
        self = address
    }

    /// The address of a file of the shelf.
    func of(_ path: String) -> String { text + path }
}
