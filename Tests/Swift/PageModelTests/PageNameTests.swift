import PageModel
import Testing

/// The names of pages that jisui makes, as text and in messages.
@Suite struct PageNameTests {
    private static let translations = [
        "page {0}": "ページ{0}", "{0}, left half": "{0}の左半分", "{0}, right half": "{0}の右半分",
        "{0}, clip {1}": "{0}のクリップ{1}", "blank page": "白紙", "{0}, {1}": "{0}、{1}", "{0}: {1}": "{0}: {1}",
        "{0} joined pieces of {1}": "結合した{1}の断片{0}個", " and ": "と",
    ]

    private static func translated(_ message: Message) -> String { message.text { translations[$0] ?? $0 } }

    @Test(arguments: [
        (PageName.page(3), "ページ3"), (PageName.page(2, of: "a, b.tif"), "a, b.tif、ページ2"),
        (PageName.half(of: PageName.page(3), isLeft: true), "ページ3の左半分"),
        (PageName.half(of: "02.jpg", isLeft: false), "02.jpgの右半分"),
        (PageName.merged(PageName.page(2), PageName.page(3)), "ページ2 + ページ3"),
        (PageName.clip(4, of: PageName.page(1)), "ページ1のクリップ4"), (PageName.blank, "白紙"),
        ("a: b.pdf: page 7", "a: b.pdf: ページ7"),
    ])
    func translatesItsOwnWords(_ name: String, _ translation: String) {
        let message: Message = "\(page: name)"
        #expect(message.english == name)
        #expect(Self.translated(message) == translation)
    }

    /// Files can have names that look like those of pages.
    @Test(arguments: [
        "page 3.jpg", "page x", "page ", "page 03", "a +  + b", " + ", "", ": ", "page 1: notes.png", "{0}.jpg",
        ", left half", "x, clip ", "left half", "page ٣",
    ])
    func keepsOtherNames(_ name: String) {
        let message: Message = "\(page: name)"
        #expect(message.english == name)
    }

    @Test func translatesTheCompressionOfSeveralPieces() {
        let name = CompressionName.joined(3, ["Flate", "CCITT G4"])
        #expect(name == "3 joined pieces of Flate and CCITT G4")
        #expect(CompressionName.message(name).english == name)
        #expect(Self.translated(CompressionName.message(name)) == "結合したFlateとCCITT G4の断片3個")
    }
}
