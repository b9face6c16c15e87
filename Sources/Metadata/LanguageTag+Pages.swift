extension LanguageTag {
    /// How surely a book in a language is read from right to left.
    public enum RightToLeft: Hashable, Sendable {
        /// Its script runs from right to left, and so do its pages.
        case surely
        /// It is set in vertical lines, of which pages follow from right to left, as well as in horizontal ones: novels and
        /// comics in the former, technical books in the latter.
        case perhaps
    }

    /// Languages whose usual script runs from right to left, by ISO 639; with those of three letters that programs write.
    private static let rightToLeft: Set<String> = [
        "ar", "ara", "arc", "arz", "ckb", "dv", "fa", "fas", "he", "heb", "iw", "per", "prs", "ps", "sd", "syr", "ug",
        "ur",
        "urd", "yi",
    ]
    /// Scripts that run from right to left, by ISO 15924.
    private static let scripts: Set<String> = ["adlm", "arab", "hebr", "nkoo", "syrc", "thaa"]
    /// Where Chinese is set in vertical lines as well.
    private static let vertical: Set<String> = ["hant", "tw", "hk", "mo"]

    /// How surely a book is read from right to left whose language has a tag; nil where it tells nothing.
    public static func rightToLeft(_ tag: String) -> RightToLeft? {
        guard let parts = normalized(tag)?.lowercased().split(separator: "-").map(String.init),
            let language = parts.first
        else { return nil }
        let script = parts.dropFirst().first { $0.count == 4 && $0.utf8.allSatisfy(isLetter) }
        if let script, scripts.contains(script) { return .surely }
        if script == "latn" || script == "cyrl" { return nil }
        if rightToLeft.contains(language) { return .surely }
        if ["ja", "jpn"].contains(language) { return .perhaps }
        return language == "zh" && parts.dropFirst().contains(where: vertical.contains) ? .perhaps : nil
    }
}
