/// One book being written. Used by one task at a time, in this order: `add` for each page, then `finish`.
///
/// Nothing is at the destination until `finish` returns; a session let go without it leaves nothing behind.
public protocol SinkSession: AnyObject {
    /// Takes the next page, in reading order, and returns the name it got in the output.
    func add(_ page: FinishedPage) throws(AdapterError) -> String

    /// Makes the whole output appear at its destination.
    ///
    /// - Throws: `AdapterError`, or `CancellationError`.
    func finish() async throws

    /// What was made of pages' pictures, by the pages' numbers; told after `finish`. Nothing of those that were kept.
    var remakes: [Int: Remake] { get }
}

extension SinkSession {
    public var remakes: [Int: Remake] { [:] }
}
