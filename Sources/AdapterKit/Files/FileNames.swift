/// Facts about paths that need no file system.
public enum FileName {
    /// The last component of a path; trailing slashes do not count.
    public static func last(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The extension in lower case without the dot, or an empty string.
    public static func `extension`(of path: String) -> String {
        let name = last(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// The last component of a path without its extension, if that is one of `extensions` (in lower case).
    ///
    /// A dot alone makes no extension: "Dr. Slump v01" has none. Compressed tar archives have two ("x.tar.gz"), and
    /// the parts of an archive that was cut up have a number, before or behind it ("x.part1.rar", "x.7z.001").
    public static func stem(of path: String, extensions: Set<String>) -> String {
        let name = Substring(last(of: path))
        guard let base = cut(name, where: extensions.contains) else {
            let isNumber = { (word: String) in word.count == 3 && word.allSatisfy { $0.isASCII && $0.isNumber } }
            let whole =
                cut(name, where: isNumber).flatMap { cut($0, where: extensions.contains) }
                ?? cut(name, where: ["gz", "bz2", "xz", "zst", "lz4", "lzma"].contains).flatMap { base in
                    cut(base) { $0 == "tar" }
                }
            return String(whole ?? name)
        }
        let part = cut(base) { $0.wholeMatch(of: /part[0-9]{1,5}/) != nil }
        return String(name.lowercased().hasSuffix(".rar") ? part ?? base : base)
    }

    /// A name without its extension; nil when it has none, nothing before it, or not one that is wanted.
    private static func cut(_ name: Substring, where isWanted: (String) -> Bool) -> Substring? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            isWanted(name[name.index(after: dot)...].lowercased())
        else { return nil }
        return name[..<dot]
    }

    /// The folder that holds what a path names: "." for a bare name.
    public static func parent(of path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A number with leading zeros up to the width of `count`, at least four digits.
    public static func number(_ number: Int, of count: Int) -> String {
        let digits = String(number)
        let width = max(4, String(count).count)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
