internal import Files
internal import Glibc
internal import OrderedJSON
internal import PageNames
internal import Scratch
internal import Testing

/// Names that are any bytes, through text and back.
@Suite struct FileNameBytesTests {
    /// Latin-1, Shift_JIS, a lone continuation, overlong forms, surrogates, beyond Unicode, cut off, the coding's own
    /// characters as a name may hold them, and ordinary names.
    static let names: [[UInt8]] = [
        Array("caf".utf8) + [0xE9], [0xE9] + Array("t\u{E9}.pdf".utf8), [0x83, 0x5C, 0x94, 0x5C, 0x95, 0x5C], [0x80],
        [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        [0xFF, 0xFE], [0xE3, 0x81], [0xF0, 0x9F, 0x98], [0xF4, 0x8F, 0x9E], [0xF4, 0x8F, 0x9E, 0x80],
        [0xF4, 0x8F, 0x9F, 0xBF], [0xF4, 0x8F, 0x9F, 0xA9, 0xE9], [0xF4, 0x8F, 0xA0, 0x80], Array("plain.cbz".utf8),
        Array("\u{65E5}\u{672C} \u{1F600}e\u{301}".utf8), [],
    ]

    @Test(arguments: names) func comesBackByteForByte(_ name: [UInt8]) {
        #expect(FileName.bytes(of: FileName.text(of: name)) == name)
        let seen = FileName.withCString(of: FileName.text(of: name)) { path in
            Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
        }
        #expect(seen == name)
    }

    /// Every sequence of up to three of the bytes that matter to UTF-8 and to the coding, and what chance makes of more.
    @Test func isOneToOne() {
        let bytes: [UInt8] = [0x2E, 0x41, 0x80, 0x9E, 0x9F, 0xBF, 0xC0, 0xC3, 0xE0, 0xE9, 0xED, 0xF0, 0xF4, 0x8F, 0xFF]
        var names = bytes.map { [$0] }
        names += names.flatMap { name in bytes.map { name + [$0] } }
        names += names.flatMap { name in bytes.map { name + [$0] } }
        var chance = SplitMix(seed: 12)
        for _ in 0..<20_000 {
            names.append(
                (0..<Int.random(in: 4...9, using: &chance)).map { _ in bytes.randomElement(using: &chance) ?? 0 })
        }
        var known: [[UInt8]: [UInt8]] = [:]
        for name in names {
            let text = FileName.text(of: name)
            let codes = Array(text.utf8)
            #expect(FileName.bytes(of: text) == name && known[codes, default: name] == name)
            known[codes] = name
        }
    }

    @Test func textStaysTheTextItIs() {
        #expect(FileName.text(of: Array("日本語.cbz".utf8)) == "日本語.cbz")
        #expect(FileName.shown("日本語.cbz") == "日本語.cbz")
        // Private characters that are not the coding's.
        #expect(FileName.text(of: Array("\u{E000}\u{10F77F}\u{10F800}".utf8)) == "\u{E000}\u{10F77F}\u{10F800}")
    }

    @Test func bytesAreShown() {
        #expect(FileName.shown(FileName.text(of: Array("caf".utf8) + [0xE9, 0x80])) == "caf\\xe9\\x80")
        // A name that holds one of the coding's characters.
        #expect(FileName.shown(FileName.text(of: [0xF4, 0x8F, 0x9F, 0xA9])) == "\\xf4\\x8f\\x9f\\xa9")
    }

    /// JSON has them as escapes, of which the last two digits of the second are the byte.
    @Test func programsFindTheBytes() {
        let json = JSON.string(FileName.text(of: Array("caf".utf8) + [0xE9]))
        #expect(json.text == #""caf\udbfd\udfe9""#)
        let name = JSON(parsing: Array(json.text.utf8))?.asString
        #expect(name.map(FileName.bytes) == Array("caf".utf8) + [0xE9])
    }

    /// A combining mark or one that joins what follows makes one `Character` with a slash or a dot.
    @Test func partsGoByBytes() {
        #expect(FileName.last(of: "a/\u{301}b.cbz") == "\u{301}b.cbz")
        #expect(FileName.last(of: "a\u{600}/b") == "b")
        #expect(FileName.parent(of: "a/\u{301}b") == "a")
        #expect(FileName.parent(of: "\u{600}/b") == "\u{600}")
        #expect(FileName.extension(of: "a\u{600}.CBZ") == "cbz")
        #expect(FileName.stem(of: "a\u{600}.cbz", extensions: ["cbz"]) == "a\u{600}")
        #expect(FileName.endsInSlash("a\u{600}/") && FileName.withoutSlashAtEnd("a\u{600}//") == "a\u{600}")
        #expect(JunkName.matches(".\u{301}x") && JunkName.matches("a/.\u{301}x"))
        let name = FileName.text(of: [0xE9, 0x2F, 0x80, 0x2E, 0x63, 0x62, 0x7A])
        #expect(FileName.bytes(of: FileName.last(of: name)) == [0x80, 0x2E, 0x63, 0x62, 0x7A])
        #expect(FileName.extension(of: name) == "cbz")
    }

    /// Files and folders of such names are made, listed, read, replaced and removed.
    @Test(arguments: names.filter { !$0.isEmpty && !$0.contains(0x2F) })
    func theSystemGetsTheBytes(_ bytes: [UInt8]) throws {
        let scratch = try ScratchFolder()
        let name = FileName.text(of: bytes)
        let file = try OutputFile(at: Destination(path: scratch("\(name).file")))
        try file.write([1, 2, 3])
        try file.publish()
        let folder = try OutputFolder(at: Destination(path: scratch(name))) { _ in true }
        try folder.add("0001.jpg", [4])
        try folder.publish()
        let again = try OutputFolder(at: Destination(path: scratch(name), mayReplace: true)) { _ in true }
        try again.add("0001.jpg", [5])
        try again.publish()
        // Seen by others than the code under test: the names are those bytes and nothing else is there.
        #expect(
            rawNames(in: scratch.path)
                == [bytes, bytes + Array(".file".utf8)].map { [UInt8]($0) }.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(Set(try FolderListing.names(in: scratch.path)) == [name, "\(name).file"])
        #expect(try ReadableFile(path: scratch("\(name).file")).read(at: 0, upTo: 9) == [1, 2, 3])
        #expect(try ReadableFile(path: scratch("\(name)/0001.jpg")).read(at: 0, upTo: 9) == [5])
        #expect(
            FileStatus.isFolder(scratch(name))
                && FileName.resolved(scratch(name)) == FileName.resolved(scratch.path).map { "\($0)/\(name)" })
    }

    /// What a killed run left beside such a name is found and removed.
    @Test func remainsAreRemoved() throws {
        let scratch = try ScratchFolder()
        let name = FileName.text(of: Array("caf".utf8) + [0xE9])
        let remains = scratch(".\(name).jisui-x")
        for folder in [remains, "\(remains)/pages"] { try Folder.make(folder) }
        _ = try GrowingFile(path: "\(remains)/.made-by-jisui", of: "the mark", mayReplace: false)
        _ = try OutputFile(at: Destination(path: scratch(name)))
        #expect(rawNames(in: scratch.path).isEmpty)
    }

    /// The names in a folder as the system has them, sorted.
    private func rawNames(in path: String) -> [[UInt8]] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
