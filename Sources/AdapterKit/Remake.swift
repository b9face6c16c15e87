public import PageModel

/// What a sink makes of a page's picture where it does not keep it as it came.
public struct Remake: Hashable, Sendable {
    public var treatment: Treatment
    /// What is done to it; a half sentence.
    public var reason: String
    /// The name of the file that the page is in, where it is known only at the end.
    public var output: String?

    public init(_ treatment: Treatment, _ reason: String, output: String? = nil) {
        self.treatment = treatment
        self.reason = reason
        self.output = output
    }
}
