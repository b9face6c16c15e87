internal import AdapterKit
internal import PageModel

/// The address of a served shelf, which its catalogs contain.
///
/// Reading apps disagree on the base of an address without a host.
struct CatalogAddress: Hashable, Sendable {
    /// The address in ASCII, with a slash at its end; empty for no catalogs.
    let text: String

    /// Whether catalogs are not wanted.
    var isNone: Bool { text.isEmpty }

    /// Returns nil unless the text is a folder's address of http or https.
    init?(_ text: String) {
        guard let address = WebAddress(text)?.text, !text.contains(where: { $0 == "?" || $0 == "#" || $0 == "@" }),
            !text.contains(where: \.isWhitespace), let slashes = address.firstRange(of: "://"),
            ["http", "https"].contains(address[..<slashes.lowerBound])
        else { return nil }
        let rest = address[slashes.upperBound...]
        guard let first = rest.utf8.first, first != UInt8(ascii: "/"), first != UInt8(ascii: ":") else { return nil }
        self.text = address.utf8.last == UInt8(ascii: "/") ? address : address + "/"
    }

    static let form = ValueForm("shelf address") { text in
        do throws(AdapterError) {
            _ = try CatalogAddress(typed: text)
            return nil
        } catch {
            return error.text
        }
    }

    private init(none: Void) { text = "" }

    /// - Parameter text: the text as given; "none" stands for no address.
    /// - Throws: `.usage` for an invalid address.
    init(typed text: String) throws(AdapterError) {
        guard let address = text == "none" ? CatalogAddress(none: ()) : CatalogAddress(text) else {
            throw AdapterError(
                .usage, "--base-url takes the http or https address that the shelf is served at, not '\(text)'",
                hint: "like https://example.org/shelf/; catalogs hold whole addresses, so that apps find the books")
        }
        self = address
    }

    /// Returns the address of a file of the shelf.
    func of(_ path: String) -> String { text + path }
}
