internal import Files
internal import Testing

/// Names that are no UTF-8 where only Unicode will do.
@Suite struct ReadableNameTests {
    @Test(
        arguments: [
            // Latin-1 and Windows' own.
            (Array("caf".utf8) + [0xE9], "café"), ([0xC9] + Array("tude".utf8), "Étude"),
            (Array("Gr".utf8) + [0xF6, 0xDF] + Array("e".utf8), "Größe"),
            (Array("It".utf8) + [0x92] + Array("s".utf8), "It’s"),
            // Shift_JIS: 漫画 第01巻, and ソ能表, whose second bytes are a backslash.
            ([0x96, 0x9F, 0x89, 0xE6, 0x20, 0x91, 0xE6, 0x30, 0x31, 0x8A, 0xAA], "漫画 第01巻"),
            ([0x83, 0x5C, 0x94, 0x5C, 0x95, 0x5C], "ソ能表"),
            // GBK: 海贼王 01.
            ([0xBA, 0xA3, 0xD4, 0xF4, 0xCD, 0xF5, 0x20, 0x30, 0x31], "海贼王 01"),
            // UTF-8 is kept.
            (Array("漫画".utf8), "漫画"),
            // Undecidable: a lone byte, an overlong form, a cut-off character, hangul of EUC-KR, Cyrillic of KOI8-R.
            ([0x41, 0x80], "A\\x80"), ([0xC0, 0xAF], "\\xc0\\xaf"), ([0x61, 0xE3, 0x81], "a\\xe3\\x81"),
            ([0xB8, 0xB8, 0xC0, 0xCC], "\\xb8\\xb8\\xc0\\xcc"),
            ([0xEB, 0xCF, 0xCD, 0xC9, 0xCB, 0xD3], "\\xeb\\xcf\\xcd\\xc9\\xcb\\xd3"),
        ] as [([UInt8], String)])
    func nameIsDecodedOrShownAsBytes(_ bytes: [UInt8], _ text: String) {
        #expect(ReadableName.text(of: FileName.text(of: bytes)) == text)
    }
}
