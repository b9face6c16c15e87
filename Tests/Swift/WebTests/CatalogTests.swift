import Metadata
import OrderedJSON
import Scratch
import Testing

@testable import WebSink

/// The OPDS catalogs of a shelf, by the rules of their formats.
@Suite struct CatalogTests {
    private let scratch: ScratchFolder
    private let page = "\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg"
    private let other = "\(BuiltJisui.fixtures)/good/Imaging/gray.png"
    private let base = "https://example.org/shelf/"
    private static let atom = "http://www.w3.org/2005/Atom"
    private static let terms = "http://purl.org/dc/terms/"
    private static let acquisition = "http://opds-spec.org/acquisition/open-access"

    init() throws { scratch = try ScratchFolder() }

    private func jisui(_ arguments: String...) throws -> Program.Outcome {
        try BuiltJisui.run(arguments + ["-q"], in: scratch.path)
    }

    private func add(_ arguments: String...) throws -> Program.Outcome {
        try BuiltJisui.run(arguments + ["-o", "shelf", "--to", "web", "--add", "-q"], in: scratch.path)
    }

    private func feed(_ name: String = "opds.xml") throws -> XMLElement {
        try XMLReader.read(try scratch.read("shelf/\(name)"))
    }

    private func json(_ name: String = "opds.json") throws -> JSON {
        try #require(JSON(parsing: try scratch.read("shelf/\(name)")))
    }

    /// The requirements of RFC 4287 and OPDS 1.2 for a feed, its entries and their links, for any content.
    private func check(_ feed: XMLElement) {
        func one(_ name: String, _ element: XMLElement) -> String? {
            let found = element.elements.filter { $0.name == XMLName(name, in: Self.atom) }
            #expect(found.count == 1, "\(found.count) of \(name)")
            return found.first?.text
        }
        func checkCommon(_ element: XMLElement) {
            #expect(
                one("id", element)?.wholeMatch(
                    of: /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/) != nil)
            #expect(one("title", element)?.isEmpty == false)
            #expect(one("updated", element)?.wholeMatch(of: /\d{4}-\d\d-\d\dT00:00:00Z/) != nil)
            for link in links(element) {
                #expect(link["href"]?.hasPrefix("https://example.org/shelf/") == true)
                #expect(link["rel"] != nil && link["type"]?.contains("/") == true)
            }
        }
        #expect(feed.name == XMLName("feed", in: Self.atom))
        checkCommon(feed)
        #expect(one("author", feed)?.isEmpty == false)
        for relation in ["self", "start"] {
            #expect(links(feed, relation).map { $0["type"] } == [CatalogPage.atomType])
        }
        for entry in entries(feed) {
            checkCommon(entry)
            #expect(!links(entry, Self.acquisition).isEmpty)
            #expect(links(entry, "http://opds-spec.org/image").count == 1)
            #expect(links(entry, "http://opds-spec.org/image/thumbnail").count == 1)
        }
        let ids = entries(feed).map { one("id", $0) }
        #expect(Set(ids).count == ids.count)
    }

    private func links(_ element: XMLElement, _ relation: String? = nil) -> [XMLElement] {
        element.elements.filter {
            $0.name == XMLName("link", in: Self.atom) && (relation == nil || $0["rel"] == relation)
        }
    }

    private func entries(_ feed: XMLElement) -> [XMLElement] {
        feed.elements.filter { $0.name == XMLName("entry", in: Self.atom) }
    }

    /// The requirements of OPDS 2.0 and its schema.
    private func check(_ feed: JSON) {
        #expect(feed["metadata"]?["title"]?.asString?.isEmpty == false)
        let relations = (feed["links"]?.elements ?? []).map { $0["rel"]?.asString }
        #expect(relations.contains("self"))
        for book in feed["publications"]?.elements ?? [] {
            #expect(book["metadata"]?["title"]?.asString?.isEmpty == false)
            #expect(book["metadata"]?["identifier"]?.asString?.hasPrefix("urn:uuid:") == true)
            let links = book["links"]?.elements ?? []
            #expect(links.contains { $0["rel"]?.asString == "self" })
            #expect(links.contains { $0["rel"]?.asString == Self.acquisition })
            let images = book["images"]?.elements ?? []
            #expect(images.contains { ["image/jpeg", "image/png", "image/gif"].contains($0["type"]?.asString) })
            for link in links + images {
                #expect(link["href"]?.asString?.hasPrefix("https://example.org/shelf/") == true)
            }
        }
    }

    /// They contain everything that the formats can store, and every file that they link to exists.
    @Test func catalogsDescribeAndLinkToBooks() throws {
        try scratch.write(
            "m.json",
            Array(
                #"""
                {"summary": "One <i>\n\nTwo", "genres": ["<A>"], "tags": ["B", "<A>"], "isbn": "080442957X", "rights": "© <i>"}
                """#.utf8))
        let outcome = try add(
            page, "--base-url", base, "--with", "cbz,epub", "--metadata", scratch("m.json"), "--title",
            "<b>&\"自炊\u{202E}", "--author", "A & <i>",
            "--series", "S \"1\"", "--number", "2.5", "--language", "ja", "--direction", "rtl", "--date", "2001-02",
            "--publisher", "P")
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let feed = try feed()
        check(feed)
        let entry = try #require(entries(feed).first)
        func text(_ name: String, in namespace: String = CatalogTests.atom) -> String? {
            entry.first(XMLName(name, in: namespace))?.text
        }
        #expect(text("title")?.hasPrefix("<b>&\"自炊") == true)
        #expect(text("author")?.contains("A & <i>") == true)
        #expect(text("language", in: Self.terms) == "ja" && text("issued", in: Self.terms) == "2001-02")
        #expect(text("publisher", in: Self.terms) == "P" && text("updated") == "2001-02-01T00:00:00Z")
        let series = entry.first(XMLName("Series", in: "http://schema.org/"))
        #expect(series?[XMLName("name", in: "http://schema.org/")] == "S \"1\"")
        #expect(series?[XMLName("position", in: "http://schema.org/")] == "2.5")
        #expect(text("summary") == "One <i>\n\nTwo" && text("rights") == "© <i>")
        #expect(text("identifier", in: Self.terms) == "urn:isbn:9780804429573")
        #expect(entry.elements.filter { $0.name.local == "category" }.map { $0["term"] } == ["<A>", "B"])
        let files = links(entry, Self.acquisition)
        #expect(files.map { $0["type"] } == ["application/vnd.comicbook+zip", "application/epub+zip"])
        for link in links(entry) where link["rel"] != "alternate" {
            let bytes = try scratch.read("shelf/" + (link["href"] ?? "").dropFirst(base.count))
            if let length = link["length"] { #expect(bytes.count == Int(length)) }
        }
        #expect(try !scratch.read("shelf/opds.json").contains { $0 > 0x7E })
        let json = try json()
        check(json)
        let book = try #require(json["publications"]?.elements?.first)
        #expect(book["metadata"]?["altIdentifier"]?.elements?.map(\.asString) == ["urn:isbn:9780804429573"])
        #expect(book["metadata"]?["readingProgression"]?.asString == "rtl")
        #expect(book["metadata"]?["belongsTo"]?["series"]?["position"]?.text == "2.5")
        #expect(book["metadata"]?["description"]?.asString == "One <i>\n\nTwo")
        #expect(book["metadata"]?["subject"]?.elements?.map(\.asString) == ["<A>", "B"])
        for link in (book["links"]?.elements ?? []) + (book["images"]?.elements ?? [])
        where link["rel"]?.asString != "alternate" {
            _ = try scratch.read("shelf/" + (link["href"]?.asString ?? "").dropFirst(base.count))
        }
        let document = String(decoding: try scratch.read("shelf/index.html"), as: UTF8.self)
        #expect(document.contains("<link rel=\"alternate\" href=\"opds.xml\" type=\"\(CatalogPage.atomType)\">"))
    }

    /// A book without files is opened in the shelf's reader.
    @Test func booksWithoutFilesLinkToTheReader() throws {
        #expect(try add(page, "--base-url", "https://example.org/shelf").status == 0)
        let entry = try #require(entries(try feed()).first)
        let link = try #require(links(entry, Self.acquisition).first)
        #expect(link["type"] == "text/html")
        #expect(link["href"]?.wholeMatch(of: /https:\/\/example.org\/shelf\/index.html#b=[0-9a-f]{32}/) != nil)
        check(try feed())
        check(try json())
    }

    /// Every way of adding and removing brings the catalogs up to date, at the address that was given before.
    @Test func catalogsFollowTheShelf() throws {
        func titles() throws -> [String?] {
            let feed = try feed()
            return entries(feed).map { $0.first(XMLName("title", in: Self.atom))?.text }
        }
        #expect(try add(page, "--title", "B", "--base-url", base).status == 0)
        let first = try scratch.read("shelf/opds.xml")
        #expect(try add(other, "--title", "A").status == 0)
        #expect(try titles() == ["A", "B"])
        #expect(try jisui("catalog", "shelf", "--remove", "A").status == 0)
        #expect(try titles() == ["B"])
        #expect(try scratch.read("shelf/opds.xml") == first)
        #expect(try jisui("catalog", "shelf", "--base-url", "http://other.example/").status == 0)
        #expect(
            try String(decoding: scratch.read("shelf/opds.xml"), as: UTF8.self).contains(
                "http://other.example/books/b-"))
        #expect(try jisui("catalog", "shelf", "--base-url", "none").status == 0)
        #expect(!scratch.names(in: "shelf").contains { $0.hasPrefix("opds") })
        #expect(try !String(decoding: scratch.read("shelf/index.html"), as: UTF8.self).contains("opds"))
    }

    /// A book's manifest contains its own complete address: if that is unknown, no manifest is written.
    @Test func manifestsFollowTheAddress() throws {
        func manifests() throws -> [JSON] {
            try scratch.names(in: "shelf/books").sorted().compactMap { slug in
                guard scratch.names(in: "shelf/books/\(slug)").contains("divina.json") else { return nil }
                let json = try #require(JSON(parsing: try scratch.read("shelf/books/\(slug)/divina.json")))
                let own = json["links"]?.elements?.first { $0["rel"]?.asString == "self" }
                #expect(own?["type"]?.asString == "application/divina+json")
                let address = try #require(own?["href"]?.asString)
                #expect(address.hasSuffix("/shelf/books/\(slug)/divina.json"), "\(address)")
                return json
            }
        }
        func hosts() throws -> Set<String> {
            Set(
                try manifests().compactMap { $0["links"]?.elements?.first?["href"]?.asString }.map {
                    String($0.split(separator: "/")[1])
                })
        }
        #expect(try add(page, "--title", "A").status == 0)
        #expect(try manifests().isEmpty)
        #expect(try add(other, "--title", "B", "--base-url", base).status == 0)
        #expect(try manifests().count == 2 && hosts() == ["example.org"])
        let third = "\(BuiltJisui.fixtures)/good/Imaging/lossy.webp"
        #expect(try add(third, "--title", "C").status == 0)
        let books = try manifests()
        #expect(try books.count == 3 && hosts() == ["example.org"])
        // The profile's requirements for pages (§2).
        let page = try #require(books[0]["readingOrder"]?.elements?.first)
        #expect(page["type"]?.asString == "image/jpeg" && page["href"]?.asString == "pages/0001.jpg")
        let folder = try #require(scratch.names(in: "shelf/books").sorted().first)
        let book = try #require(JSON(parsing: try scratch.read("shelf/books/\(folder)/book.json")))
        let values = try #require(book["pages"]?.elements?.first?.elements)
        #expect(page["width"]?.asInteger == values[1].asInteger && page["height"]?.asInteger == values[2].asInteger)
        #expect(books[2]["readingOrder"]?.elements?.first?["type"]?.asString == "image/webp")
        // A book whose own file is gone does not keep others from it.
        let slug = try #require(scratch.names(in: "shelf/books").sorted().last)
        try scratch.write("shelf/books/\(slug)/book.json", [])
        #expect(try jisui("catalog", "shelf", "--base-url", "http://other.example/shelf/").status == 0)
        #expect(try manifests().count == 2 && hosts() == ["other.example"])
        #expect(try jisui("catalog", "shelf", "--base-url", "none").status == 0)
        #expect(try manifests().isEmpty)
    }

    /// The same books give the same bytes, whenever they are made.
    @Test func catalogsAreTheSameEachTime() throws {
        for name in ["one", "two"] {
            #expect(
                try jisui(page, other, "-o", name, "--to", "web", "--base-url", base, "--with", "cbz,epub,pdf").status
                    == 0)
        }
        for name in ["opds.xml", "opds.json", "shelf.js"] {
            #expect(try scratch.read("one/\(name)") == scratch.read("two/\(name)"))
        }
    }

    /// A long list is split into pages that link to each other, and each book is on one of them.
    @Test func longCatalogsHavePages() throws {
        let address = try #require(CatalogAddress(base))
        let books = (1...250).map { number -> ShelfEntry in
            let id = String(repeating: "0", count: 29) + String(1000 + number, radix: 16)
            var entry = ShelfEntry(
                of: ["id": .string(id), "title": .string("Book \(number)"), "pages": [1]], firstPage: nil)
            entry.slug = entry.ownSlug
            return entry
        }
        let catalog = Catalog(books.reversed(), title: "Books", at: address)
        #expect(
            catalog.files.map(\.name) == [
                "opds.xml", "opds.json", "opds-2.xml", "opds-2.json", "opds-3.xml", "opds-3.json",
            ])
        let feeds = try catalog.files.filter { $0.name.hasSuffix("xml") }.map { try XMLReader.read($0.bytes) }
        let titles = feeds.flatMap { entries($0).map { $0.first(XMLName("title", in: Self.atom))?.text } }
        #expect(titles == (1...250).map { "Book \($0)" })
        func addresses(_ relation: String) -> [String?] { feeds.map { links($0, relation).first?["href"] } }
        #expect(addresses("next") == ["\(base)opds-2.xml", "\(base)opds-3.xml", nil])
        #expect(addresses("previous") == [nil, "\(base)opds.xml", "\(base)opds-2.xml"])
        #expect(addresses("last") == [String](repeating: "\(base)opds-3.xml", count: 3))
        #expect(Catalog.isOurs("opds-12.json") && !Catalog.isOurs("opds-x.json") && !Catalog.isOurs("opds.txt"))
    }

    @Test(arguments: [
        "ftp://example.org/", "example.org", "http://", "https:///x", "http://a.b/?q", "http://a.b/#x",
        "http://me@a.b/",
        "javascript:alert(1)", "http://a b/", "",
    ])
    func invalidAddressesAreRejected(_ address: String) throws {
        let outcome = try add(page, "--base-url", address)
        #expect(outcome.status == 64 && outcome.errorText.contains("--base-url takes the http or https address"))
        #expect(scratch.names().isEmpty)
    }

    @Test func oneBookHasNoCatalog() throws {
        let outcome = try jisui(page, "-o", "book/", "--to", "web", "--base-url", base)
        #expect(outcome.status == 64 && outcome.errorText.contains("--base-url is for the catalogs of a shelf"))
        #expect(scratch.names().isEmpty)
    }
}
