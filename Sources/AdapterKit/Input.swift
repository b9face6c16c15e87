/// What is to be read.
public struct Input: Hashable, Sendable {
    public var path: String
    /// The password, if one was given.
    public var password: String?

    public init(path: String, password: String? = nil) {
        self.path = path
        self.password = password
    }

    /// The last component of the path without its extension: the title when the book has none of its own.
    public var stem: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }
}
