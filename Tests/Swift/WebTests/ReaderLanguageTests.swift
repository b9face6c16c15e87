import Scratch
import Testing

@testable import WebSink

/// The texts of the reader: English in its document and scripts, every other language in a file of its own.
@Suite struct ReaderLanguageTests {
    private static let folder = "\(BuiltJisui.repository)/Plugins/WebSink/Reader"

    private static func text(_ name: String) throws -> String {
        String(decoding: try Files.read("\(folder)/\(name)"), as: UTF8.self)
    }

    private static func unescaped(_ text: Substring) -> String { String(text.replacing("\\\"", with: "\"")) }

    /// The languages that the reader offers.
    private static func languages() throws -> [String] {
        let list = try #require(try text("language.js").firstMatch(of: /const languages = \[(.*)\];/)?.1)
        return list.matches(of: /"([a-z]{2})"/).map { String($0.1) }
    }

    /// The English texts of the scripts, and those of the document that `translateDocument` finds.
    private static func english() throws -> Set<String> {
        var texts: Set<String> = []
        let scripts = Files.names(in: folder).filter { $0.hasSuffix(".js") && $0.count > 5 }
        for name in scripts {
            let script = try text(name)
            texts.formUnion(script.matches(of: /\btr\("((?:[^"\\]|\\.)*)"/).map { unescaped($0.1) })
            for match in script.matches(of: /\bcounted\([\w.]+, "([^"]*)", "([^"]*)"\)/) {
                texts.formUnion([unescaped(match.1), unescaped(match.2)])
            }
        }
        let document = try text("index.html").replacing("&nbsp;", with: "\u{A0}")
        let body = try #require(document.firstMatch(of: /<body>((?s).*)<noscript>/)?.1)
            .replacing(/<kbd>.*?<\/kbd>/, with: "")
        let attributes = body.matches(of: /(?:aria-label|placeholder|title)="([^"]*?)(?: \([^)"]*\))?"/)
        texts.formUnion(attributes.map { String($0.1) })
        texts.formUnion(body.matches(of: />\s*([^<]*[^<\s])\s*</).map { String($0.1) })
        return texts.subtracting([""])
    }

    @Test func everyTextIsInEveryLanguage() throws {
        let english = try Self.english()
        let some = ["Next volume", "Bookmark", "Page {0} of {1}", "Hold: magnifier", "1 bookmark"]
        #expect(english.count > 120 && english.isSuperset(of: some))
        let languages = try Self.languages()
        #expect(languages.contains("ja"))
        for language in languages {
            let file = try Self.text("\(language).js")
            let entries = file.matches(of: /(?m)^  "((?:[^"\\]|\\.)*)": "((?:[^"\\]|\\.)+)",$/)
            let keys = entries.map { Self.unescaped($0.1) }
            #expect(Set(keys).count == keys.count)
            #expect(english.subtracting(keys).sorted() == [], "\(language)")
            #expect(Set(keys).subtracting(english).sorted() == [], "\(language)")
            for entry in entries {
                let places = [entry.1, entry.2].map { Set($0.matches(of: /\{\d\}/).map { String($0.0) }) }
                #expect(places[0] == places[1], "\(entry.1)")
            }
        }
    }

    /// The folder has the file of each language, which the reader asks for only in that language.
    @Test func everyLanguageIsInTheFolder() throws {
        let names = Set(ReaderFiles.beside(isShelf: false, hasText: false).map(\.name))
        let languages = try Self.languages().map { "\($0).js" }
        #expect(names.isSuperset(of: languages) && ReaderFiles.names.isSuperset(of: languages))
    }
}
