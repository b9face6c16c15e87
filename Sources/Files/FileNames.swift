/// Functions for paths. All except `resolved` work without the file system.
///
/// They compare the bytes of "/" and ".", because a combining character may follow either and form one `Character` with
/// it.
public enum FileName {
    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// Returns the last component of a path; trailing slashes do not count.
    public static func last(of path: String) -> String {
        components(of: path).last ?? path
    }

    /// Returns the parts of a path between slashes, without empty ones.
    public static func components(of path: String) -> [String] {
        path.utf8.split(separator: slash).map { String(Substring($0)) }
    }

    /// Whether a path ends in a slash, so that it can only name a folder.
    public static func endsInSlash(_ path: String) -> Bool {
        path.utf8.last == slash
    }

    /// Returns the extension in lower case without the dot, or an empty string.
    public static func `extension`(of path: String) -> String {
        let name = last(of: path)
        guard let dot = name.utf8.lastIndex(of: dot), dot != name.startIndex else { return "" }
        return name[name.utf8.index(after: dot)...].lowercased()
    }

    /// Returns the last component of a path without its extension, if that is one of `extensions` (in lower case).
    ///
    /// A dot alone makes no extension: "Dr. Slump v01" does not have one. Compressed tar archives have two
    /// ("x.tar.gz"). The parts of a split archive have a number before or after the extension ("x.part1.rar",
    /// "x.7z.001", "x.zip.01").
    public static func stem(of path: String, extensions: Set<String>) -> String {
        let name = Substring(last(of: path))
        guard let base = cut(name, where: extensions.contains) else {
            let isNumber = { (word: String) in
                (2...3).contains(word.count) && word.allSatisfy { $0.isASCII && $0.isNumber }
            }
            let whole =
                cut(name, where: isNumber).flatMap { cut($0, where: extensions.contains) }
                ?? cut(name, where: ["gz", "bz2", "xz", "zst", "lz4", "lzma"].contains).flatMap { base in
                    cut(base) { $0 == "tar" }
                }
            return String(whole ?? name)
        }
        // "book.part1.rar"; "book.kepub.epub", the name that Kobo requires.
        let part = cut(base) { $0.wholeMatch(of: /part[0-9]{1,5}/) != nil }
        let lowercased = name.lowercased()
        if lowercased.hasSuffix(".kepub.epub") { return String(cut(base) { $0 == "kepub" } ?? base) }
        return String(lowercased.hasSuffix(".rar") ? part ?? base : base)
    }

    /// Returns a name without its extension; nil if it has no extension, nothing before it, or an unwanted one.
    private static func cut(_ name: Substring, where isWanted: (String) -> Bool) -> Substring? {
        guard let dot = name.utf8.lastIndex(of: dot), dot != name.startIndex,
            isWanted(name[name.utf8.index(after: dot)...].lowercased())
        else { return nil }
        return name[..<dot]
    }

    /// Returns the path without slashes at its end; "/" stays.
    public static func withoutSlashAtEnd(_ path: String) -> String {
        guard let end = path.utf8.lastIndex(where: { $0 != slash }) else { return path.isEmpty ? "" : "/" }
        return String(Substring(path.utf8[...end]))
    }

    /// Returns the parent folder of a path: "." for a bare name.
    public static func parent(of path: String) -> String {
        let path = withoutSlashAtEnd(path)
        guard let end = path.utf8.lastIndex(of: slash) else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// Returns the path without links, "." and ".."; nil if nothing exists there.
    public static func resolved(_ path: String) -> String? {
        realpath(path)
    }

    /// Returns a number with leading zeros up to the width of `count`, at least four digits.
    public static func number(_ number: Int, of count: Int) -> String {
        let digits = String(number)
        let width = max(4, String(count).count)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
