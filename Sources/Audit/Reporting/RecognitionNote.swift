internal import AdapterKit
internal import PageModel

/// The note on the pages whose text was recognized, and on those that keep their text.
enum RecognitionNote {
    /// Returns nil if the language was given and every page is recognized: then jisui chose nothing.
    static func note(on pages: [PageReport]) -> Warning? {
        let notes = pages.notes
        let recognized = notes.filter { $0.code == .textRecognized }
        let kept = notes.filter { $0.code == .ownText }
        guard let first = recognized.first else { return kept.isEmpty ? nil : nothing(kept, of: pages.count) }
        // Books that are combined may be in several languages.
        let languages = Set(recognized.map { [$0.values["language"], $0.values["languageFrom"]] })
        let language = languages.count == 1 ? self.language(first) : nil
        let isGiven = first.values["languageFrom"] == "option" || first.values["language"] == nil
        if kept.isEmpty, isGiven { return nil }
        let read = count(recognized.count)
        let done: Message = language.map { "recognized \(read) \($0)" } ?? "recognized \(read)"
        let again = hint(to: kept)
        let change: Message? = isGiven ? nil : "use --\(first.value("option"))-language to change it"
        let hint: Message? =
            if let change, let again { "\(change), and \(again)" } else { change ?? again.map { "use \($0)" } }
        return Warning(
            code: "text-recognized", message: kept.isEmpty ? done : "\(done); \(keeping(kept))", hint: hint,
            isNote: true)
    }

    /// Returns the note on a book without recognized pages.
    private static func nothing(_ kept: [Note], of pages: Int) -> Warning {
        let message: Message =
            kept.count == pages
            ? "no OCR: \(keeping(kept, isAll: pages > 1))"
            : "no OCR: \(keeping(kept)), and no text was found on the other pages"
        return Warning(code: "text-kept", message: message, hint: hint(to: kept).map { "use \($0)" }, isNote: true)
    }

    /// Returns the option that recognizes these pages; nil if none does.
    private static func hint(to kept: [Note]) -> Message? {
        let note = kept.first { $0.values["kind"] == "invisible" }
        return note.map { "--\($0.value("option"))-pages all" }
    }

    private static func keeping(_ kept: [Note], isAll: Bool = false) -> Message {
        let pages: Message = isAll ? "all \(count(kept.count))" : count(kept.count)
        // The text of a page in the middle says more about the book than that of a cover.
        let samples = kept.compactMap { $0.values["sample"] }
        let have: Message = kept.count == 1 ? "\(pages) has text already" : "\(pages) have text already"
        return samples.isEmpty ? have : "\(have), such as '\(samples[samples.count / 2])'"
    }

    private static func count(_ pages: Int) -> Message { pages == 1 ? "1 page" : "\(pages) pages" }

    /// Returns the language, and the place from which it is known, after "recognized 2 pages".
    private static func language(_ note: Note) -> Message? {
        guard let code = note.values["language"] else { return nil }
        let name = name(code)
        return switch note.values["languageFrom"] {
        case "book": "in \(name), the language of the book"
        case "lines": "in \(name), because their lines are vertical"
        case "script": "in \(name), because of their script"
        case "words": "in \(name), because of their words"
        case "locale": "in \(name), the language of your system"
        case "default": "in \(name), because nothing states their language"
        default: "in \(code)"
        }
    }

    /// Returns the name of a frequent language, or of one that is found by the script of pages.
    ///
    /// - Parameter code: tesseract's code.
    private static func name(_ code: String) -> Message {
        switch code.prefix(while: { $0 != "+" && $0 != "_" }) {
        case "ara": "Arabic"
        case "ben": "Bengali"
        case "chi": "Chinese"
        case "deu": "German"
        case "ell": "Greek"
        case "eng": "English"
        case "fra": "French"
        case "heb": "Hebrew"
        case "hin": "Hindi"
        case "hye": "Armenian"
        case "ita": "Italian"
        case "jpn": "Japanese"
        case "kat": "Georgian"
        case "kor": "Korean"
        case "nld": "Dutch"
        case "pol": "Polish"
        case "por": "Portuguese"
        case "rus": "Russian"
        case "spa": "Spanish"
        case "tam": "Tamil"
        case "tha": "Thai"
        default: Message(verbatim: code)
        }
    }
}
