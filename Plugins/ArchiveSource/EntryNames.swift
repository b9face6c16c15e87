internal import AdapterKit
internal import Files
internal import PageModel
internal import PageNames
internal import ZipFile

/// The rules for the names of an archive's entries in any encoding.
enum EntryNames {
    /// The length of the longest path that Linux opens: no file with a longer name can have been put into an archive.
    static let maximumBytes = 4096

    /// - Throws: `.tooLarge` for a name of more than `maximumBytes`.
    static func checkLength(of name: RawName) throws(AdapterError) {
        guard name.bytes.count > maximumBytes else { return }
        throw AdapterError(.tooLarge, "holds an entry whose name is longer than the \(maximumBytes) bytes allowed")
    }
}

/// A decoder for the names of one archive's entries.
///
/// Zip marks a name as UTF-8 or not at all; archivers then use the encoding of their system. One archive is written by one
/// program, so its unmarked names are judged together. They are UTF-8 if all are valid. Otherwise they have the most probable
/// encoding of East Asia in which all are valid. The last choice is CP437, in which every name is valid.
struct EntryNameDecoder: Sendable {
    /// The value of `--filename-encoding` for detecting the encoding from the names.
    static let automatic = "auto"

    private let encoding: NameEncoding
    /// Whether the encoding is a guess that may be wrong.
    let isDoubtful: Bool
    /// Whether backslashes separate folders in all names, regardless of the system that the entries state.
    private var hasBackslashes = false

    /// - Parameter word: the value of `--filename-encoding`; nil and "auto" detect it from the names.
    init(for names: [RawName], word: String?) {
        if let chosen = NameEncoding.all.first(where: { $0.word == word }) {
            (encoding, isDoubtful) = (chosen, false)
        } else {
            let unclear = names.filter { EntryNameDecoder.declared($0) == nil }.map(\.bytes)
            if unclear.allSatisfy({ NameEncoding.utf8.decode($0) != nil }) {
                (encoding, isDoubtful) = (.utf8, false)
            } else {
                let guess = NameEncodingGuess(unclear)
                (encoding, isDoubtful) = (guess.encoding ?? .cp437, guess.isDoubtful)
            }
        }
        hasBackslashes = EntryNameDecoder.arePathsWithBackslashes(names.lazy.map(decode))
    }

    /// Returns whether names are paths with backslashes, as some programs write them on any system. Then no name has a
    /// slash, and two pages have the same folder.
    private static func arePathsWithBackslashes(_ texts: some Sequence<String>) -> Bool {
        var folders: Set<Substring> = []
        var isShared = false
        for text in texts {
            if text.utf8.contains(UInt8(ascii: "/")) { return false }
            guard !isShared, let end = text.utf8.lastIndex(of: UInt8(ascii: "\\")), PictureName.matches(text) else {
                continue
            }
            isShared = end > text.startIndex && !folders.insert(text[..<end]).inserted
        }
        return isShared
    }

    /// A note about a guessed encoding; nil if it is certain enough.
    var note: Warning? {
        guard isDoubtful else { return nil }
        return Warning(
            code: "guessed-encoding",
            message: "read the file names as \(encoding.word), which the archive does not state",
            hint: "use --filename-encoding for another encoding", isNote: true)
    }

    /// Returns the name as text. A name that is invalid in the requested encoding is decoded as CP437 rather than lost.
    func decode(_ name: RawName) -> String {
        let text =
            EntryNameDecoder.declared(name) ?? encoding.decode(name.bytes)
            ?? NameEncoding.cp437.decode(name.bytes) ?? name.approximation
        // Only after decoding: the second byte of ソ and 表 in CP932 is that of a backslash.
        return name.mayHaveBackslashes || hasBackslashes ? text.replacingBackslashes : text
    }

    /// Returns the name as the archive itself declares it.
    private static func declared(_ name: RawName) -> String? {
        name.unicodeName ?? (name.isFlaggedUTF8 ? NameEncoding.utf8.decode(name.bytes) : nil)
    }
}
