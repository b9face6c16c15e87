/// Equal for JPEGs of which parts can stand in one file without being decoded.
///
/// It is a digest of all that must be the same in both, and has the same value in every process and on every machine: it
/// may be stored, and compared with one that another process made.
public struct JoinKey: RawRepresentable, Hashable, Codable, Sendable {
    /// What stands for the key in files: any text that only equal keys share.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
