internal import OrderedJSON
package import PageModel

/// A ComicBookInfo, the JSON that ComicBookLover and others store in the comment of a zip
/// (<https://code.google.com/archive/p/comicbookinfo/>, version 1.0).
package struct ComicBookInfo: Sendable {
    private let info: JSON

    /// - Returns: nil for any other comment: many state the origin of an archive.
    /// - Parameter comment: the comment of an archive.
    package init?(_ comment: [UInt8]) {
        guard let json = JSON(parsing: comment),
            let info = (json.members ?? []).first(where: { $0.key.hasPrefix("ComicBookInfo/") })?.value,
            info.members != nil
        else { return nil }
        self.info = info
    }

    /// The document's metadata of the book.
    package var metadata: BookMetadata {
        let year = text("publicationYear").flatMap { Int($0) }
        let month = text("publicationMonth").flatMap { Int($0) }
        var facts = BookMetadata(
            title: text("title"), series: text("series"), volume: text("volume"), number: text("issue"),
            publisher: text("publisher"),
            date: year.flatMap { BookDate(year: $0, month: month) ?? BookDate(year: $0) },
            language: text("language").flatMap(ComicBookInfo.language))
        for credit in info["credits"]?.elements ?? [] {
            guard let name = credit["person"]?.asString.map(XMLText.clean), !name.isEmpty else { continue }
            facts.credits.append(Credit(name, ComicBookInfo.role(credit["role"]?.asString ?? "")))
        }
        facts.credits = facts.credits.unique
        facts.summary = info["comments"]?.asString.flatMap { PlainText.clean($0) }
        facts.genres = (text("genre") ?? "").split(separator: ",").map(String.init).clean.unique
        facts.tags = (info["tags"]?.elements ?? []).compactMap(\.asString).clean.unique
        facts.unsupportedFields = ["numberOfIssues", "numberOfVolumes", "rating", "country"].filter { name in
            text(name).map { $0 != "0" } ?? false
        }
        return facts
    }

    /// Returns the text of a value, which may be a number.
    private func text(_ name: String) -> String? {
        let text: String? =
            switch info[name] {
            case .string(let text): XMLText.clean(text)
            case .integer(let number): String(number)
            case .number(let number): JSON.number(number).text
            default: nil
            }
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the tag of a language. The format uses English names.
    private static func language(_ text: String) -> String? {
        let names = [
            "english": "en", "french": "fr", "german": "de", "italian": "it", "spanish": "es", "portuguese": "pt",
            "dutch": "nl", "japanese": "ja", "chinese": "zh", "korean": "ko", "polish": "pl", "russian": "ru",
            "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "czech": "cs", "hungarian": "hu",
            "greek": "el", "turkish": "tr",
        ]
        // A longer word may look like a tag, but it is a name that is not among these.
        let isTag = text.prefix { $0 != "-" && $0 != "_" }.count <= 3
        return names[text.lowercased()] ?? (isTag ? LanguageTag.normalized(text) : nil)
    }

    private static func role(_ word: String) -> CreatorRole {
        switch word.lowercased() {
        case "writer", "plotter", "scripter", "author": .author
        case "artist": .artist
        case "penciller", "penciler", "breakdowns": .penciller
        case "inker", "finishes": .inker
        case "colorist", "colourist", "colorer", "colourer": .colorist
        case "letterer": .letterer
        case "cover", "covers", "cover artist", "coverartist": .coverArtist
        case "translator": .translator
        case let word where word.contains("editor"): .editor
        default: .other
        }
    }
}
