internal import PageModel

/// A number of bytes as people write it: "200MB", "1.5 GB", "95MiB".
public struct ByteSize: Hashable, Sendable {
    public let bytes: Int

    /// The units by their names in lower case. File managers and limits on websites use decimal units.
    private static let units: [(name: String, bytes: Int)] = [
        ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("kb", 1000), ("mb", 1_000_000), ("gb", 1_000_000_000),
        ("k", 1000), ("m", 1_000_000), ("g", 1_000_000_000),
    ]

    public init(bytes: Int) { self.bytes = bytes }

    /// - Returns: nil for another text, a number without a unit, and less than 1000 bytes.
    public init?(_ text: String) {
        let text = text.lowercased()
        guard let unit = ByteSize.units.first(where: { text.hasSuffix($0.name) }),
            let number = Double(text.dropLast(unit.name.count).trimmingSpaces),
            let bytes = Int(checked: (number * Double(unit.bytes)).rounded()), bytes >= 1000
        else { return nil }
        self.bytes = bytes
    }

    /// The usual spelling: "200MB", or the number of bytes in thousands.
    public var text: String {
        for (name, unit) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)] where bytes.isMultiple(of: unit) {
            return "\(bytes / unit)\(name)"
        }
        return "\(Double(bytes) / 1000)kB"
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var rest = self
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}
