internal import CTranslations
internal import Files
internal import PageModel

/// The language of help and messages, chosen as gettext chooses it.
enum Language {
    /// The files with translations in PO format, by the code of their language. English is in the code.
    private static let translations: [String: @Sendable () -> [UInt8]] = ["ja": { ja_po().bytes }]

    /// The language, for files that a run writes.
    static let current = MessageLanguage(tag: named ?? "en", translation: translated)

    /// The translation; nil for English.
    private static let catalog: MessageCatalog? = named.flatMap { translations[$0] }.map { MessageCatalog($0()) }

    /// The first language that is asked for and present: "ja" for "ja_JP.UTF-8".
    private static let named: String? = {
        let locale = Language.setting
        // The locale C means programs and scripts, which expect English, even where LANGUAGE is set.
        if isC(locale) { return nil }
        let wanted = (Environment.text("LANGUAGE")?.split(separator: ":").map(String.init) ?? []) + [locale]
        // As in gettext, C in the list means the untranslated messages, and the languages after it do not count.
        for name in wanted.prefix(while: { !isC($0) }) {
            let code = String(name.prefix { $0.isLetter && $0.isASCII })
            if code == "en" { return nil }
            if translations[code] != nil { return code }
        }
        return nil
    }()

    /// The locale of messages, as the system has it.
    private static let setting = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(Environment.text).first ?? "C"

    /// The language tag of the locale: "ja-JP" for "ja_JP.UTF-8"; nil for a locale without a language.
    static let locale: String? = {
        let name = setting.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
        return isC(setting) || name.isEmpty ? nil : String(name.replacing("_", with: "-"))
    }()

    /// Whether a locale is that of programs, without a language.
    private static func isC(_ locale: String) -> Bool {
        ["C", "POSIX"].contains(locale.prefix { $0 != "." })
    }

    /// Returns the translation of a pattern, or the pattern itself.
    static func translated(_ pattern: String) -> String { catalog?[pattern] ?? pattern }

    /// Returns a message in the language.
    static func text(_ message: Message) -> String { current.text(message) }
}

extension Message {
    /// The text in the user's language.
    var localized: String { Language.text(self) }
}
