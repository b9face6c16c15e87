public import PageModel

/// The limit on the total size of an archive's pages after unpacking.
///
/// Every page may be within its own limits while the book is still a bomb: 12 MB of zip that unpack to 9 GB.
public enum ExpansionLimit {
    /// The number of bytes to which any archive may unpack.
    private static let harmlessBytes = 1 << 30
    /// The maximum ratio. Uncompressed bilevel scans shrink to a hundredth in an archive; encoded images hardly at all.
    private static let maximum = 200

    /// - Parameters:
    ///   - total: the bytes of all pages together.
    ///   - archiveBytes: the size of the archive, all parts together.
    /// - Throws: `.tooLarge`.
    public static func check(_ total: Int, archiveBytes: Int) throws(AdapterError) {
        guard total > harmlessBytes, total > archiveBytes.multipliedReportingOverflow(by: maximum).partialValue else {
            return
        }
        throw AdapterError(
            .tooLarge, "would grow more than \(maximum) times when unpacked, to over a gigabyte",
            hint: "if you trust it, unpack it with another program and give jisui the folder")
    }
}
