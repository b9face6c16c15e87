/// Something a person should know although the work went on.
public struct Warning: Hashable, Sendable {
    /// The kind of warning, for programs: stable, lower case, hyphenated.
    public var code: String
    /// The page it is about, as `Page.id`, if it is about one.
    public var page: Int?
    /// What is wrong, without a final stop.
    public var message: String
    /// What to do about it.
    public var advice: String?

    public init(code: String, page: Int? = nil, message: String, advice: String? = nil) {
        self.code = code
        self.page = page
        self.message = message
        self.advice = advice
    }
}
