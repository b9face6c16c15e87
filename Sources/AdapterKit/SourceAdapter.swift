/// Reads books of one kind.
public protocol SourceAdapter: Sendable {
    var card: AdapterCard { get }

    /// Says whether an input is of this kind, by content first: a name alone proves nothing.
    func recognise(_ probe: Probe) -> Recognition

    /// Lists the pages in reading order, without reading their pictures.
    ///
    /// - Parameter settings: the values of the card's settings.
    /// - Throws: when the input as a whole cannot be read, or exceeds `limits`. A single bad page does not
    ///   throw here: it throws when it is examined or read.
    func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook
}
