public import PageModel

/// Changes a page sequence: its order, its sides, the edits its pages ask for. Touches no pixel.
public protocol PageTransform: Sendable {
    var card: AdapterCard { get }

    func apply(to sequence: PageSequence, settings: Settings) async throws(AdapterError) -> PageSequence
}
