/// The translations of jisui's messages, as files in PO format. English stands in the code.
public enum Translations {
    /// The codes of the languages: "ja".
    public static let languages: Set<String> = ["ja"]

    /// Returns the file of a language by its code.
    public static func catalog(of language: String) -> [UInt8]? {
        language == "ja" ? PackageResources.ja_po : nil
    }
}
