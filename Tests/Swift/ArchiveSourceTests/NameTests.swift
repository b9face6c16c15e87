import AdapterKit
import CDeflate
import Files
import Glibc
import PageModel
import Testing

@testable import ArchiveSource

@Suite struct NameTests {
    /// ソ, 表, 能 and ① in CP932: three have a backslash's byte, one is NEC's.
    private let japanese: [UInt8] = [0x83, 0x5C, 0x95, 0x5C, 0x94, 0x5C, 0x87, 0x40]

    private func open(_ items: [ZipBuilder.Item], encoding: String? = nil) async throws -> [String] {
        try await Scratch().open(ZipBuilder(items).bytes, encoding: encoding).names
    }

    @Test func japaneseNamesAreCP932AndKeepTheirLetters() async throws {
        let item = ZipBuilder.Item(bytes: japanese + Array(".jpg".utf8)).with { $0.host = 0 }
        #expect(try await open([item]) == ["ソ表能①.jpg"])
    }

    @Test func backslashesSeparateOnlyWhereDOSWroteThem() async throws {
        let dos = ZipBuilder.Item(bytes: japanese + Array("\\1.jpg".utf8)).with { $0.host = 0 }
        #expect(try await open([dos]) == ["ソ表能①/1.jpg"])
        #expect(try await open([ZipBuilder.Item("a\\1.jpg")]) == ["a\\1.jpg"])
    }

    /// Some programs on Linux write the paths of Windows.
    @Test func backslashesSeparateWhereTwoPagesShareAFolder() async throws {
        let names = ["c 1\\1.jpg", "c 1\\2.jpg", "c 10\\1.jpg", "c 2\\1.jpg", "x.jpg"]
        let book = try await Scratch().open(ZipBuilder(names.map { ZipBuilder.Item($0) }).bytes)
        #expect(book.names == ["c 1/1.jpg", "c 1/2.jpg", "c 2/1.jpg", "c 10/1.jpg", "x.jpg"])
        #expect(book.sequence.book.outline.map(\.title) == ["c 1", "c 2", "c 10"])
        // A slash elsewhere is the separator.
        #expect(try await open(["x/1.jpg", "a\\1.jpg", "a\\2.jpg"].map { .init($0) }).contains("a\\1.jpg"))
        #expect(try await open(["\\1.jpg", "\\2.jpg"].map { .init($0) }) == ["\\1.jpg", "\\2.jpg"])
    }

    /// The second byte of 表 is that of a backslash, and no file named ".jpg" is a page.
    @Test func letterWithABackslashHidesNoPage() async throws {
        for letters in [[0x95, 0x5C], [0x83, 0x5C]] as [[UInt8]] {
            let item = ZipBuilder.Item(bytes: letters + Array(".jpg".utf8)).with { $0.host = 0 }
            let other = ZipBuilder.Item(bytes: japanese + Array("1.jpg".utf8)).with { $0.host = 0 }
            #expect(try await open([item, other]).count == 2)
        }
        let junk = ZipBuilder.Item("__MACOSX\\._1.jpg").with { $0.host = 0 }
        #expect(try await open([ZipBuilder.Item("1.jpg"), junk]) == ["1.jpg"])
    }

    @Test func unflaggedUTF8IsUTF8() async throws {
        #expect(try await open([ZipBuilder.Item("第一話.jpg")]) == ["第一話.jpg"])
    }

    @Test func oneNameThatIsNotUTF8DecidesForAll() async throws {
        // C3 A9 is é in UTF-8 and ﾃｩ in CP932.
        let both = [
            ZipBuilder.Item(bytes: [0xC3, 0xA9, 0x2E, 0x6A, 0x70, 0x67]),
            ZipBuilder.Item(bytes: japanese + Array(".jpg".utf8)),
        ]
        #expect(Set(try await open(both)) == ["ﾃｩ.jpg", "ソ表能①.jpg"])
    }

    @Test func flaggedNamesStayUnchanged() async throws {
        let flagged = ZipBuilder.Item("é.jpg").with { $0.flags = 0x0800 }
        let other = ZipBuilder.Item(bytes: japanese + Array(".jpg".utf8))
        #expect(Set(try await open([flagged, other])) == ["é.jpg", "ソ表能①.jpg"])
        #expect(Set(try await open([flagged, other], encoding: "cp437")).contains("é.jpg"))
    }

    @Test func namesFallBackToCP437() async throws {
        // FD is not a lead byte in CP932; in CP437 it is ².
        #expect(try await open([ZipBuilder.Item(bytes: [0x81, 0xFD, 0x2E, 0x6A, 0x70, 0x67])]) == ["ü².jpg"])
    }

    @Test(arguments: [true, false]) func unicodePathCountsOnlyWithItsChecksum(isRight: Bool) async throws {
        let raw = Array("raw.jpg".utf8)
        let sum = libdeflate_crc32(0, raw, raw.count) ^ (isRight ? 0 : 1)
        let path = [1] + number(Int(sum), 4) + Array("絵.jpg".utf8)
        let item = ZipBuilder.Item(bytes: raw).with { $0.extra = number(0x7075, 2) + number(path.count, 2) + path }
        #expect(try await open([item]) == [isRight ? "絵.jpg" : "raw.jpg"])
    }

    /// The bytes are those of glibc's iconv.
    @Test(arguments: [
        ("gbk", "第1话"), ("gbk", "封面"), ("gbk", "海贼王 第10卷"), ("big5", "第1話"), ("big5", "第01卷 封面"), ("big5", "鋼之鍊金術師"),
        ("cp949", "제1화"), ("cp949", "표지"), ("cp949", "원피스 3권"), ("euc-jp", "第1巻"), ("euc-jp", "ワンピース"),
        ("euc-jp", "進撃の巨人"), ("cp932", "第1巻"), ("cp932", "ｶﾊﾞｰ"), ("cp932", "進撃の巨人 ﾀﾞｲ1話"), ("cp932", "表紙"),
        ("cp932", "名探偵コナン"), ("cp932", "CG集01"), ("cp932", "DLアニメX"), ("cp932", "vol上"), ("cp932", "ABC表"),
        ("cp1252", "Die Größe"), ("cp1252", "Motörhead"), ("cp1252", "El niño"),
        ("cp1252", "Turma da Mônica - Coração"),
        ("cp1252", "L’été à la mer"), ("cp1252", "Bjørn på ængen"), ("cp1252", "Le Cœur"),
        ("cp850", "Motörhead"), ("cp850", "El niño"), ("cp850", "Månen på ängen"), ("cp850", "Übergrößen"),
    ])
    func anUnstatedEncodingIsGuessed(_ word: String, _ name: String) async throws {
        let encoding = try #require(NameEncoding.all.first { $0.word == word })
        let bytes = try #require(iconvBytes(name, word))
        #expect(encoding.decode(bytes) == name)
        let items = (1...2).map { ZipBuilder.Item(bytes: bytes + Array("/\($0).jpg".utf8)) }
        let book = try await Scratch().open(ZipBuilder(items).bytes)
        #expect(book.names == ["\(name)/1.jpg", "\(name)/2.jpg"])
        let notes = book.warnings.filter { $0.code == "guessed-encoding" }
        // Half-width letters alone may be accented capitals.
        let isCertain = word == "cp932" && name != "ｶﾊﾞｰ"
        #expect(notes.count == (isCertain ? 0 : 1) && notes.allSatisfy(\.isNote))
    }

    @Test func accentedCapitalsDoNotBecomeKatakanaSilently() async throws {
        let bytes = try #require(iconvBytes("ÄÖÜ", "cp1252"))
        let book = try await Scratch().open(ZipBuilder([ZipBuilder.Item(bytes: bytes + Array("/1.jpg".utf8))]).bytes)
        #expect(book.warnings.map(\.code).contains("guessed-encoding"))
    }

    private func iconvBytes(_ text: String, _ encoding: String) -> [UInt8]? {
        guard let converter = iconv_open(encoding, "UTF-8") else { return nil }
        defer { iconv_close(converter) }
        var input = Array(text.utf8).map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: input.count * 4)
        var left = (input.count, output.count)
        let room = output.count
        let isDone = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var cursors = (input.baseAddress, output.baseAddress)
                return iconv(converter, &cursors.0, &left.0, &cursors.1, &left.1) != -1
            }
        }
        return isDone ? output.prefix(room - left.1).map { UInt8(bitPattern: $0) } : nil
    }

    @Test func everyEncodingOfferedWorks() {
        for encoding in NameEncoding.all {
            #expect(encoding.decode(Array("page 1.jpg".utf8)) == "page 1.jpg", "\(encoding.word)")
        }
        let samples: [(String, [UInt8], String)] = [
            ("gbk", [0xB5, 0xDA], "第"), ("gb18030", [0xB5, 0xDA], "第"), ("big5", [0xB2, 0xC4], "第"),
            ("euc-kr", [0xB0, 0xA1], "가"), ("cp949", [0x81, 0x41], "갂"), ("euc-jp", [0xC2, 0xE8], "第"),
            ("cp1252", [0x80], "€"), ("cp1251", [0xC0], "А"), ("cp866", [0x80], "А"), ("cp850", [0x82], "é"),
        ]
        for (word, bytes, text) in samples {
            #expect(NameEncoding.all.first { $0.word == word }?.decode(bytes) == text, "\(word)")
        }
    }

    @Test func strictDecodersRefuse() {
        #expect(NameEncoding.utf8.decode([0xFF]) == nil)
        #expect(NameEncoding.cp932.decode([0x83]) == nil)
        #expect(NameEncoding.cp932.decode([]) == "")
    }

    @Test func encodingSettingOverridesDetection() async throws {
        let item = ZipBuilder.Item(bytes: [0xB5, 0xDA, 0x2E, 0x6A, 0x70, 0x67])
        #expect(try await open([item], encoding: "gbk") == ["第.jpg"])
        #expect(await failure { try await open([item], encoding: "klingon") }?.code == .usage)
    }

    @Test func namesInTarsFollowTheSamePolicy() async throws {
        let tar = TarBuilder.bytes([(japanese + Array(".jpg".utf8), picture())])
        #expect(try await Scratch().open(tar, as: "book.cbt").names == ["ソ表能①.jpg"])
    }

    @Test func anEntryWithoutANameGetsOne() async throws {
        #expect(try await open([ZipBuilder.Item("")]) == ["entry 1"])
    }
}
