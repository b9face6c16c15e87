/// Where a book is to appear.
public struct Destination: Hashable, Sendable {
    public var path: String
    /// Whether what stands there now may be replaced.
    public var mayReplace: Bool

    public init(path: String, mayReplace: Bool = false) {
        self.path = path
        self.mayReplace = mayReplace
    }
}
