extension LanguageTag {
    /// The certainty that a book in a language is read from right to left.
    package enum RightToLeft: Hashable, Sendable {
        /// The script and the pages run from right to left.
        case surely
        /// Both vertical and horizontal text are common. Novels and comics have vertical lines and pages from right to
        /// left. Technical books have horizontal lines.
        case perhaps
    }

    /// The languages whose usual script runs from right to left, by ISO 639, including three-letter codes that programs
    /// write.
    private static let rightToLeft: Set<String> = [
        "ar", "ara", "arc", "arz", "ckb", "dv", "fa", "fas", "he", "heb", "iw", "per", "prs", "ps", "sd", "syr", "ug",
        "ur",
        "urd", "yi",
    ]
    /// The scripts that run from right to left, by ISO 15924.
    private static let scripts: Set<String> = ["adlm", "arab", "hebr", "nkoo", "syrc", "thaa"]
    /// The scripts and regions in which Chinese is also set vertically.
    private static let vertical: Set<String> = ["hant", "tw", "hk", "mo"]

    /// Returns the certainty that a book with this language tag is read from right to left; nil without evidence.
    package static func rightToLeft(_ tag: String) -> RightToLeft? {
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
