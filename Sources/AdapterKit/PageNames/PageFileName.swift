internal import PageModel

/// The names jisui gives to page files: "0001.jpg".
public enum PageFileName {
    /// The name of a page in a book of `count` pages: zeros in front keep the order in programs that know no numbers.
    public static func name(for page: FinishedPage, of count: Int) -> String {
        "\(FileName.number(page.number, of: count)).\(page.encoding.fileExtension)"
    }

    /// Whether jisui could have given this name to a page.
    public static func matches(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count >= 4 else { return false }
        return parts[0].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && ImageEncoding.known.contains { $0.fileExtension == parts[1] }
    }
}
