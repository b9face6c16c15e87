/// How much larger an archive may become when all of its pages are unpacked.
///
/// Every page may keep to its own limits, and the book be a bomb all the same: 12 MB of zip that become 9 GB.
public enum Growth {
    /// Bytes that any archive may unpack to.
    private static let harmlessBytes = 1 << 30
    /// Bilevel scans without compression of their own shrink to a hundredth in an archive; coded pictures hardly at all.
    private static let greatest = 200

    /// - Parameters:
    ///   - total: the bytes of all pages together.
    ///   - archiveBytes: the size of the archive, all parts together.
    /// - Throws: `.tooLarge`.
    public static func check(_ total: Int, archiveBytes: Int) throws(AdapterError) {
        guard total > harmlessBytes, total > archiveBytes.multipliedReportingOverflow(by: greatest).partialValue else {
            return
        }
        throw AdapterError(
            .tooLarge, "would grow more than \(greatest) times when unpacked, to over a gigabyte",
            advice: "if you trust it, unpack it with another program and give jisui the folder")
    }
}
