internal import Imaging

/// The identifier by which reading apps recognize a book (EPUB 3.3, §5.5.3.1).
enum BookIdentifier {
    /// Returns an identifier that depends only on the stored images and their order.
    ///
    /// With a new title or another crop, reading apps keep the current page and the notes (RFC 9562, §5.8, of SHA-256).
    static func urn(of pages: [EPUBPage]) -> String {
        let text = pages.map { "\($0.checksum) \($0.byteCount)\n" }.joined()
        var bytes = Array(SHA256.digest(of: Array(text.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef")
        var name = "urn:uuid:"
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { name += "-" }
            name.append(digits[Int(byte >> 4)])
            name.append(digits[Int(byte & 15)])
        }
        return name
    }
}

/// The time that distinguishes one state of a book from another (`dcterms:modified`, EPUB 3.3, §5.5.5).
///
/// The current time would make every run a different file. So the time is that of `SOURCE_DATE_EPOCH`, if the environment has it,
/// otherwise one derived from the book's content. Any change of the book changes it.
enum ReleaseTime {
    /// A placeholder for the time while it is unknown.
    static let none = "1980-01-01T00:00:00Z"
    /// The time 1980-01-01 in seconds since 1970: nothing in a zip can be older.
    private static let start = 315_532_800
    /// A range in seconds, 34 years: times derived from content end in 2014, and none are in the future.
    private static let range = 1 << 30
    /// The last second of the year 9999, after which such dates do not exist.
    private static let last = 253_402_300_799

    /// - Parameters:
    ///   - epoch: the value of `SOURCE_DATE_EPOCH`: seconds since 1970.
    ///   - content: the whole content of the book.
    static func text(epoch: String?, content: [[UInt8]]) -> String {
        if let seconds = epoch.flatMap({ Int($0) }), (0...last).contains(seconds) { return text(seconds) }
        let digests = content.flatMap { SHA256.digest(of: $0) }
        let digest = SHA256.digest(of: digests).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return text(start + digest % range)
    }

    /// Returns seconds since 1970 in ISO 8601 format.
    private static func text(_ seconds: Int) -> String {
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        // Years that begin in March have their leap day at the end: eras of 400 years from the year 0.
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        func padded(_ number: Int, _ width: Int = 2) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
            + "T\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
    }
}
