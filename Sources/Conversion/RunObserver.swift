package import AdapterKit
package import Files
package import Planning

/// An observer of a run. The conversion reports each event to it, and does not know its result.
///
/// The warnings that it returns are shown like those of the conversion itself. With `--strict` they end the run.
package protocol RunObserver: AnyObject {
    /// Returns the observer of a page; nil to observe no page.
    var pageObserver: (@Sendable () -> any PageObserver)? { get }

    /// Observes a book that is ready to be written.
    func prepared(_ book: TransformedBook, _ opened: OpenedBook, _ adapters: RunAdapters)

    /// Observes a warning or a note.
    func note(_ warning: Warning)

    /// Observes an option that had no effect.
    func note(_ option: UnusedOption)

    /// Observes the number of volumes that a real run would write.
    func foresaw(volumes: Int)

    /// Returns a destination at which the observer sees the written bytes. The output may wait there to be inspected.
    func observed(_ destination: Destination) -> Destination

    /// Observes that an output gets its pages.
    func began(_ capabilities: SinkCapabilities)

    /// Observes a converted page, which the sink may refuse.
    func converted(_ page: ConvertedPage, _ planner: Planner)

    /// Observes a page that the sink accepted, with its name in the output; without both in a dry run.
    func added(_ page: ConvertedPage, _ planner: Planner, as finished: FinishedPage?, named name: String?)

    /// Observes the images that the sink composed. Returns the warnings about damage in them.
    func composed(_ compositions: [Int: Composition]) -> [Warning]

    /// Returns the warnings about contents of the pages that no output of the run stores.
    func losses(_ adapters: RunAdapters, _ request: SinkRequest) -> [Warning]

    /// Observes an output that is complete. It may wait at its destination.
    ///
    /// - Parameter warn: reports a warning.
    /// - Throws: an error that makes the output useless; `CancellationError`.
    func finished(
        _ sink: any SinkAdapter, at destination: Destination, _ warn: (Warning) throws -> Void
    ) async throws

    /// Returns the observer of the same book in an additional format.
    ///
    /// - Parameter path: the path of that output; nil in a dry run.
    func observer(of sink: any SinkAdapter, at path: String?) -> any RunObserver

    /// Returns the observer of a volume of the book, or of an attempt to write the book. It may be discarded.
    func observerOfVolume() -> any RunObserver

    /// Observes that the output has the volume that this observer watched.
    ///
    /// - Parameter isOneOfSeveral: whether it is an output of its own.
    func kept(_ volume: WrittenVolume, isOneOfSeveral: Bool)
}
