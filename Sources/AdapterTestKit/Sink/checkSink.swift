public import AdapterKit
internal import PageModel

/// Checks what every sink promises, with books of several lengths.
///
/// - Parameters:
///   - settings: the settings to write with; nil for the defaults.
///   - picture: makes the picture of a page from its number; every page's must be different, and the sink must
///     display it.
///   - read: reads an output back: the bytes of its pages' pictures, in the order a reader shows them.
/// - Returns: the promises that were not kept; none for a sink that keeps them all.
public func checkSink(
    _ sink: any SinkAdapter, settings: Settings? = nil,
    picture: @escaping @Sendable (Int) -> NumberedPicture = NumberedPicture.gif,
    read: (_ path: String) async throws -> [[UInt8]]
) async -> [ConformanceFailure] {
    var failures: [ConformanceFailure] = []
    for count in [1, 9, 10, 99, 100, 1000, 1001] {
        let check = SinkCheck(sink, settings, picture, count: count)
        await check.roundTrip(read)
        failures += check.findings.failures
    }
    let check = SinkCheck(sink, settings, picture, count: 12)
    await check.pagesLeftOut(read)
    await check.atomicity(read)
    await check.sameBytes()
    return failures + check.findings.failures
}
