package import PageModel

/// The page types of an EPUB: properties of the spine's items, in the words of ComicInfo.xml.
///
/// EPUB itself has words only for covers. Properties of other vocabularies are allowed if the package document declares
/// their prefix (EPUB 3.3, §D.1). Reading apps ignore unknown ones.
package enum PageRoleProperty {
    private static let vocabulary = "https://anansi-project.github.io/docs/comicinfo/documentation#"

    /// The value of the package document's attribute `prefix` for them.
    package static let declaration = "comicinfo: \(vocabulary)"

    /// Returns the prefix that a package document declares for these words; nil without a declaration.
    package static func prefix(in declarations: String?) -> String? {
        let words = (declarations ?? "").split(whereSeparator: \.isWhitespace)
        guard let place = words.firstIndex(where: { $0 == vocabulary }), place > 0, words[place - 1].hasSuffix(":")
        else {
            return nil
        }
        return String(words[place - 1].dropLast())
    }

    /// Returns the properties of a page's item, with the prefix of `declaration`. Story pages need no property.
    package static func properties(of roles: [PageRole]) -> [String] {
        roles == [.story] ? [] : roles.map { "comicinfo:\($0.rawValue)" }
    }
}
