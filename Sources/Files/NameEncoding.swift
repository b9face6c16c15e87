internal import Glibc

/// An encoding of the names of files and of archive entries.
public struct NameEncoding: Hashable, Sendable {
    /// The word for it in `--filename-encoding`.
    public let word: String
    /// The name of it in iconv; nil for those that jisui decodes by itself.
    fileprivate let iconvName: String?

    public static let utf8 = NameEncoding(word: "utf-8", iconvName: nil)
    /// Windows' Shift JIS, with the NEC and IBM characters: the encoding that Japanese archivers use.
    public static let cp932 = NameEncoding(word: "cp932", iconvName: "CP932")
    /// The encoding of the IBM PC, the fallback of the zip format.
    public static let cp437 = NameEncoding(word: "cp437", iconvName: nil)

    /// Every encoding that the option accepts.
    public static let all: [NameEncoding] =
        [utf8, cp932, cp437]
        + [
            ("euc-jp", "EUC-JP"), ("gbk", "GBK"), ("gb18030", "GB18030"), ("big5", "BIG5"), ("cp949", "CP949"),
            ("euc-kr", "EUC-KR"), ("cp850", "CP850"), ("cp866", "CP866"), ("cp1251", "CP1251"), ("cp1252", "CP1252"),
        ].map { NameEncoding(word: $0.0, iconvName: $0.1) }

    /// Returns the encoding with a word of `all`, otherwise CP437.
    static func named(_ word: String) -> NameEncoding { all.first { $0.word == word } ?? cp437 }

    /// Returns the text of bytes; nil if some of them are invalid in this encoding.
    public func decode(_ bytes: [UInt8]) -> String? {
        switch self {
        case .utf8: String(validating: bytes, as: UTF8.self)
        case .cp437: NameEncoding.decodeCP437(bytes)
        default: iconvName.flatMap { NameEncoding.convert(bytes, from: $0) }
        }
    }

    /// The upper half of CP437, from 0x80.
    private static let upperCP437 = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
            + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)

    /// Returns the text of bytes. Every byte has a meaning here, so this cannot fail.
    private static func decodeCP437(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(byte < 0x80 ? Unicode.Scalar(byte) : upperCP437[Int(byte) - 0x80]) }
        return String(text)
    }

    /// Converts with iconv, strictly: nil if a byte sequence is invalid or the system lacks the encoding.
    private static func convert(_ bytes: [UInt8], from name: String) -> String? {
        let failed = iconv_t(bitPattern: -1)
        guard let converter = iconv_open("UTF-8", name), converter != failed else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        // A character of a byte encoding has at most four bytes in UTF-8.
        let room = bytes.count * 4
        var isWhole = false
        let output = [UInt8](unsafeUninitializedCapacity: max(1, room)) { buffer, filled in
            var left = (input: input.count, output: room)
            isWhole = input.withUnsafeMutableBufferPointer { input in
                buffer.withMemoryRebound(to: CChar.self) { output in
                    var cursors = (input: input.baseAddress, output: output.baseAddress)
                    return iconv(converter, &cursors.input, &left.input, &cursors.output, &left.output) != -1
                }
            }
            filled = room - left.output
        }
        return isWhole ? String(validating: output, as: UTF8.self) : nil
    }
}

/// File names that are not UTF-8, for places that need Unicode: a title in a ComicInfo, an item of an outline.
public enum ReadableName {
    /// Returns the name as text; bytes of an unknown encoding are written out: "caf\\xe9".
    public static func text(of name: String) -> String {
        let bytes = FileName.bytes(of: name)
        return NameEncoding.utf8.decode(bytes) ?? guess(bytes) ?? FileName.shown(name)
    }

    /// Returns the name decoded from one of three encodings; nil without certain evidence for one.
    ///
    /// Almost any bytes are valid in all three. A wrong guess would be worse than the bytes.
    private static func guess(_ bytes: [UInt8]) -> String? {
        if LatinNames.isWindows(bytes) { return windowsLatin.decode(bytes) }
        if isJapanese(bytes), let text = NameEncoding.cp932.decode(bytes) { return text }
        return isChinese(bytes.split { $0 < 0x80 }) ? gbk.decode(bytes) : nil
    }

    /// Whether bytes are Shift_JIS with kana or common kanji. Those begin with bytes that Latin letters and Chinese
    /// text do not have. Half-width katakana must be absent, because Chinese text decodes to them.
    private static func isJapanese(_ bytes: [UInt8]) -> Bool {
        var hasCommon = false
        var rest = bytes[...]
        while let first = rest.popFirst() {
            switch first {
            case ..<0x80: continue
            case 0x81...0x9F: hasCommon = true
            case 0xE0...: break
            default: return false
            }
            _ = rest.popFirst()
        }
        return hasCommon
    }

    /// Whether bytes beyond ASCII are the common hanzi of GB 2312. At least one must be of their second half, whose
    /// bytes are neither hangul of EUC-KR nor kana of EUC-JP.
    private static func isChinese(_ runs: [ArraySlice<UInt8>]) -> Bool {
        let pairs = runs.flatMap { run in
            stride(from: run.startIndex, to: run.endIndex, by: 2).map { Array(run[$0...].prefix(2)) }
        }
        func isCommon(_ pair: [UInt8]) -> Bool {
            pair.count == 2 && pair[1] >= 0xA1
                && ((0xB0...0xD7).contains(pair[0]) || pair[0] == 0xA1 || pair[0] == 0xA3)
        }
        return pairs.allSatisfy(isCommon) && pairs.contains { (0xC9...0xD7).contains($0[0]) }
    }

    private static let windowsLatin = NameEncoding(word: "cp1252", iconvName: "CP1252")
    private static let gbk = NameEncoding(word: "gbk", iconvName: "GBK")
}
