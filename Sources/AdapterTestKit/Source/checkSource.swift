public import AdapterKit

/// Checks what every source promises, on one good input.
///
/// - Parameters:
///   - expectedPages: the number of pages the input has.
///   - settings: the settings to open it with; nil for the defaults.
///   - prefixes: how many of the input's prefixes are tried.
/// - Returns: the promises that were not kept; none for a source that keeps them all.
public func checkSource(
    _ source: any SourceAdapter, _ input: Input, expectedPages: Int, settings: Settings? = nil,
    prefixes: PrefixSweep = .standard
) async -> [ConformanceFailure] {
    let check = SourceCheck(source, input, settings)
    await check.recognition()
    guard let pages = await check.listing(count: expectedPages) else { return check.findings.failures }
    await check.reading(pages)
    await check.limits(pages)
    await check.cancellation()
    await check.prefixes(prefixes)
    return check.findings.failures
}

/// Checks that a source fails cleanly on one bad input: with an `AdapterError`, or with a warning.
///
/// - Parameter mayPass: whether saying nothing is right too, for faults that do no harm.
/// - Returns: the promises that were not kept.
public func checkBadInput(
    _ source: any SourceAdapter, _ input: Input, settings: Settings? = nil, mayPass: Bool = false
) async -> [ConformanceFailure] {
    let check = SourceCheck(source, input, settings)
    await check.badInput(mayPass: mayPass)
    return check.findings.failures
}
