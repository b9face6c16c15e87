internal import AdapterKit

/// Puts libarchive's diagnostics into the reader's words.
enum StreamFault {
    private static let unpackAdvice = "unpack it with another program, such as 7z or unrar, and give jisui the folder"

    /// The error for a diagnostic about an entry or a whole archive of a format, such as "RAR".
    static func error(_ diagnostic: String, format: String) -> AdapterError {
        if diagnostic.contains("Passphrase required") { return .passwordMissing }
        if diagnostic.contains("ncorrect passphrase") { return .passwordWrong }
        let words = diagnostic.lowercased()
        if words.contains("encrypt") || words.contains("crypto") || words.contains("decryption") {
            return unreadableEncryption(format: format, cause: diagnostic)
        }
        if ["unsupported", "not supported", "unavailable", "unknown codec"].contains(where: words.contains) {
            return AdapterError(
                .unsupported, "uses a kind of \(format) compression that cannot be read", advice: unpackAdvice,
                cause: diagnostic)
        }
        return AdapterError(.damaged, "the archive is damaged", cause: diagnostic)
    }

    /// libarchive decrypts nothing but zip.
    static func unreadableEncryption(format: String, cause: String? = nil) -> AdapterError {
        AdapterError(.unsupported, "its \(format) encryption cannot be read", advice: unpackAdvice, cause: cause)
    }
}

extension AdapterError {
    static let passwordMissing = AdapterError(
        .encrypted, "is encrypted", advice: "give the password with --password-file or in JISUI_PASSWORD")

    static let passwordWrong = AdapterError(
        .encrypted, "the password is wrong", advice: "give another with --password-file or in JISUI_PASSWORD")

    /// Typed errors leave no room for `CancellationError`.
    static let cancelled = AdapterError(.unreadable, "cancelled")
}
