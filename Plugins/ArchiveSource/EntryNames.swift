internal import AdapterKit
internal import Glibc
internal import ZipFile

/// What holds for the names of an archive's entries, whatever their encoding.
enum EntryNames {
    /// The longest path that Linux opens: no file with a longer name can have been put into an archive.
    static let mostBytes = 4096

    /// - Throws: `.tooLarge` for a name of more than `mostBytes`.
    static func checkLength(of name: RawName) throws(AdapterError) {
        guard name.bytes.count > mostBytes else { return }
        throw AdapterError(.tooLarge, "holds an entry whose name is longer than the \(mostBytes) bytes allowed")
    }
}

/// Turns the names of one archive's entries into text.
///
/// Zip says of a name that it is UTF-8, or says nothing; archivers then use whatever their system does. One archive
/// is written by one program, so its unflagged names are judged together: UTF-8 if all are valid, else Japanese
/// CP932 if all are valid, else CP437, in which everything is.
struct EntryNameDecoder: Sendable {
    /// What `--filename-encoding` says when the archive is to be judged by its names.
    static let automatic = "auto"

    private let encoding: NameEncoding

    /// - Parameter word: the value of `--filename-encoding`; nil and "auto" leave it to the names.
    init(for names: [RawName], word: String?) {
        if let chosen = NameEncoding.all.first(where: { $0.word == word }) {
            encoding = chosen
        } else {
            let unclear = names.filter { EntryNameDecoder.declared($0) == nil }.map(\.bytes)
            encoding =
                [NameEncoding.utf8, .cp932].first { encoding in unclear.allSatisfy { encoding.decode($0) != nil } }
                ?? .cp437
        }
    }

    /// The name as text. A name that is not in the encoding asked for is shown in CP437 rather than lost.
    func decode(_ name: RawName) -> String {
        let text =
            EntryNameDecoder.declared(name) ?? encoding.decode(name.bytes)
            ?? NameEncoding.cp437.decode(name.bytes) ?? name.approximation
        // Only after decoding: the second byte of ソ and 表 in CP932 is that of a backslash.
        return name.mayHaveBackslashes ? text.replacingBackslashes : text
    }

    /// The name as the archive itself declares it.
    private static func declared(_ name: RawName) -> String? {
        name.unicodeName ?? (name.isFlaggedUTF8 ? NameEncoding.utf8.decode(name.bytes) : nil)
    }
}

/// An encoding that entry names may have.
struct NameEncoding: Hashable, Sendable {
    /// What `--filename-encoding` calls it.
    let word: String
    /// What iconv calls it; nil for those jisui decodes by itself.
    private let iconvName: String?

    static let utf8 = NameEncoding(word: "utf-8", iconvName: nil)
    /// Shift JIS as Windows has it, with the NEC and IBM characters: what Japanese archivers write.
    static let cp932 = NameEncoding(word: "cp932", iconvName: "CP932")
    /// The encoding of the IBM PC, which the zip format falls back to.
    static let cp437 = NameEncoding(word: "cp437", iconvName: nil)

    /// Every encoding that can be asked for.
    static let all: [NameEncoding] =
        [utf8, cp932, cp437]
        + [
            ("euc-jp", "EUC-JP"), ("gbk", "GBK"), ("gb18030", "GB18030"), ("big5", "BIG5"), ("cp949", "CP949"),
            ("euc-kr", "EUC-KR"), ("cp850", "CP850"), ("cp866", "CP866"), ("cp1251", "CP1251"), ("cp1252", "CP1252"),
        ].map { NameEncoding(word: $0.0, iconvName: $0.1) }

    /// Decodes bytes; nil when they are not of this encoding from the first to the last.
    func decode(_ bytes: [UInt8]) -> String? {
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

    /// Every byte has a meaning here, so that this cannot fail.
    private static func decodeCP437(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(byte < 0x80 ? Unicode.Scalar(byte) : upperCP437[Int(byte) - 0x80]) }
        return String(text)
    }

    /// Converts with iconv, strictly: nil when a byte sequence has no meaning or the system lacks the encoding.
    private static func convert(_ bytes: [UInt8], from name: String) -> String? {
        let failed = iconv_t(bitPattern: -1)
        guard let converter = iconv_open("UTF-8", name), converter != failed else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        // No character of a byte encoding takes more than four bytes in UTF-8.
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
