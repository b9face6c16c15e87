/// The hidden names that outputs have while they are written.
enum TemporaryName {
    /// What all hidden names for `path` begin with.
    static func prefix(for path: String) -> String {
        ".\(FileName.last(of: path)).jisui-"
    }

    /// A hidden name beside `path` that nobody else has.
    static func beside(_ path: String) -> String {
        "\(FileName.parent(of: path))/\(prefix(for: path))\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
    }
}
