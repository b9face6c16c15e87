public import PageModel

/// Changes a page sequence: its order, its sides, the edits its pages ask for. Touches no pixel.
///
/// It may look at pages small, through the previews that comes with the request.
public protocol PageTransform: Sendable {
    var card: AdapterCard { get }

    /// Applies what the settings ask for: nothing, when they ask for nothing.
    ///
    /// - Throws: `AdapterError`, or `CancellationError`. A page that cannot be seen is no error: it stays as it is.
    func apply(to sequence: PageSequence, _ request: TransformRequest) async throws -> PageSequence

    /// Whether a setting on its card, which a sink has on its own as well, means the transform.
    ///
    /// - Parameter given: all values that were given, by name.
    func uses(_ setting: String, given: [String: String]) -> Bool
}

extension PageTransform {
    public func uses(_ setting: String, given: [String: String]) -> Bool { true }
}
