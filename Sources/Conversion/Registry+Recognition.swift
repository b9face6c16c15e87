public import AdapterKit

extension Registry {
    /// The source that knows an input best.
    ///
    /// Content decides and the name settles ties: a source that verified the content bids its certainty, and a
    /// hundred more when the extension is its own too. A name alone is not enough.
    ///
    /// - Throws: `.unsupported` with what the input seems to be, when no source takes it.
    public func recognise(_ probe: Probe) throws(AdapterError) -> any SourceAdapter {
        var best: (bid: Int, source: any SourceAdapter)?
        var declined: String?
        for source in sources {
            switch source.recognise(probe) {
            case .no:
                break
            case .declined(let what):
                declined = declined ?? "it is \(what)"
            case .maybe(let certainty):
                let bid = certainty + (source.card.extensions.contains(probe.pathExtension) ? 100 : 0)
                if bid > best?.bid ?? 0 { best = (bid, source) }
            }
        }
        if let best { return best.source }
        if let declined {
            throw AdapterError(.unsupported, "cannot be read: \(declined)", file: probe.path)
        }
        throw AdapterError(
            .unsupported, probe.head.isEmpty ? "the file is empty" : "is of no kind that jisui reads",
            advice: "'jisui formats' lists what it reads", file: probe.path)
    }
}
