/// The syntax of language tags in BCP 47 (RFC 5646 §2.1).
package enum LanguageTag {
    /// Whether the text looks like a language tag: a language of two to eight letters, then subtags.
    ///
    /// Komga rejects a ComicInfo.xml with an invalid language tag.
    package static func isPlausible(_ tag: String) -> Bool {
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = parts.first, (2...8).contains(language.count), language.allSatisfy(isLetter) else {
            return false
        }
        return parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { isLetter($0) || isDigit($0) }
        }
    }

    /// Returns the tag with the case of BCP 47 (§2.1.1): "en-us" becomes "en-US". So does "en_US.UTF-8", the form of
    /// systems.
    ///
    /// - Returns: nil for invalid text.
    package static func normalized(_ text: String) -> String? {
        let tag = String(text.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
        guard isPlausible(tag) else { return nil }
        var isPrivate = false
        return tag.lowercased().split(separator: "-").enumerated().map { index, part in
            // The subtags after a single letter are an extension, in lower case.
            isPrivate = isPrivate || part.count == 1
            if index == 0 || isPrivate { return String(part) }
            return part.count == 2
                ? part.uppercased() : part.count == 4 ? part.prefix(1).uppercased() + part.dropFirst() : String(part)
        }.joined(separator: "-")
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
