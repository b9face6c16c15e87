internal import CTranslations
internal import Files

/// The translations of jisui's messages, as files in PO format. English stands in the code.
enum Translations {
    /// The codes of the languages: "ja".
    static let languages: Set<String> = ["ja"]

    /// Returns the file of a language by its code.
    static func catalog(of language: String) -> [UInt8]? {
        language == "ja" ? ja_po().bytes : nil
    }
}
