public import PageModel

/// How an EPUB says what its pages are for: by properties of the spine's items, in the words of ComicInfo.xml.
///
/// EPUB has no words of its own for it but for covers. Properties of other vocabularies may stand there, if the package
/// document declares their prefix (EPUB 3.3, §D.1), and readers pass over those that they do not know.
public enum PageRoleProperty {
    private static let vocabulary = "https://anansi-project.github.io/docs/comicinfo/documentation#"

    /// What the package document's attribute `prefix` says of it.
    public static let declaration = "comicinfo: \(vocabulary)"

    /// The prefix that a package document declares for these words; nil when it declares none.
    public static func prefix(in declarations: String?) -> String? {
        let words = (declarations ?? "").split(whereSeparator: \.isWhitespace)
        guard let place = words.firstIndex(where: { $0 == vocabulary }), place > 0, words[place - 1].hasSuffix(":")
        else {
            return nil
        }
        return String(words[place - 1].dropLast())
    }

    /// The properties of a page's item, with the prefix of `declaration`. That it is part of the story goes without saying.
    public static func properties(of roles: [PageRole]) -> [String] {
        roles == [.story] ? [] : roles.map { "comicinfo:\($0.rawValue)" }
    }
}
