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
