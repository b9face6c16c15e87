internal import AdapterKit
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
