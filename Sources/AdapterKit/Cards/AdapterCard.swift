/// Everything that is known about an adapter without running it.
///
/// The command's help, completions, manual page, validation and `jisui formats` are all made from cards.
public struct AdapterCard: Hashable, Sendable {
    /// What `--from` and `--to` take: short, lower case, unique among sources or among sinks.
    public var id: String
    /// One line for a list of formats.
    public var summary: String
    /// The file extensions this adapter stands for, lower case, without the dot; the first is the usual one.
    public var extensions: [String]
    /// The options this adapter understands.
    public var settings: [Setting]

    public init(id: String, summary: String, extensions: [String], settings: [Setting] = []) {
        self.id = id
        self.summary = summary
        self.extensions = extensions
        self.settings = settings
    }
}
