import Metadata
import PageModel
import Testing

@Suite struct LanguageTagTests {
    @Test(arguments: ["ja", "en-GB", "zh-Hant-TW", "JA", "de-1996", "gsw"])
    func languageTags(_ tag: String) {
        #expect(LanguageTag.isPlausible(tag))
    }

    @Test(arguments: ["", "j", "日本語", "ja_JP", "ja-", "-ja", "Japanese language", "ja-abcdefghi", "e1"])
    func noLanguageTags(_ tag: String) {
        #expect(!LanguageTag.isPlausible(tag))
    }

    /// As systems and programs write them, and as BCP 47 does.
    @Test(arguments: [
        ("en_US", "en-US"), ("EN-us", "en-US"), ("ja", "ja"), ("JA", "ja"), ("zh_hant_tw", "zh-Hant-TW"),
        ("de_DE.UTF-8", "de-DE"), ("ca_ES@valencia", "ca-ES"), ("de-1996", "de-1996"), ("es-419", "es-419"),
        ("en-a-BBB-x-Us", "en-a-bbb-x-us"),
    ])
    func tagsAreNormalized(_ text: String, _ tag: String) {
        #expect(LanguageTag.normalized(text) == tag)
    }

    @Test(arguments: ["", "_", "日本語", "ja_", "C", "Japanese language"])
    func invalidTagsAreRejected(_ text: String) {
        #expect(LanguageTag.normalized(text) == nil)
    }

    @Test(arguments: [
        ("ar", LanguageTag.RightToLeft.surely), ("he-IL", .surely), ("fa_IR", .surely), ("az-Arab", .surely),
        ("ara", .surely),
        ("ja", .perhaps), ("ja-JP", .perhaps), ("jpn", .perhaps), ("zh-Hant", .perhaps), ("zh-TW", .perhaps),
        ("en", nil),
        ("zh", nil), ("zh-Hans-CN", nil), ("ja-Latn", nil), ("ur-Latn", nil), ("ko", nil), ("", nil),
    ])
    func languagesImplyTheReadingDirection(_ tag: String, _ expected: LanguageTag.RightToLeft?) {
        #expect(LanguageTag.rightToLeft(tag) == expected)
    }

    /// Other formats get the language of a ComicInfo.xml as a tag.
    @Test func documentsAreUnderstood() throws {
        let info = try ComicInfo(Array("<ComicInfo><LanguageISO>pt_BR</LanguageISO></ComicInfo>".utf8))
        #expect(info.metadata.language == "pt-BR")
        let file = try MetadataFile(Array(#"{"language": "pt_br"}"#.utf8))
        #expect(file.book.language == "pt-BR")
        let packet = XMPPacket.bytes(of: BookMetadata(language: "pt_BR")) ?? []
        #expect(XMPMetadata(xmp: packet).book.language == "pt-BR")
        #expect(String(decoding: packet, as: UTF8.self).contains(">pt-BR<"))
    }
}
