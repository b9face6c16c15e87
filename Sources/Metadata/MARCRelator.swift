package import PageModel

/// The codes of the Library of Congress for the roles of contributors (<https://id.loc.gov/vocabulary/relators.html>).
///
/// EPUB requires them (EPUB 3.3, §D.3.10; OPF 2.0.1, §2.2.6). As RDF properties, they refine Dublin Core's contributor.
package enum MARCRelator {
    /// The namespace of the codes as properties.
    package static let namespace = "http://id.loc.gov/vocabulary/relators/"

    package static func code(for role: CreatorRole) -> String {
        switch role {
        case .author: "aut"
        case .adapter: "adp"
        case .artist: "art"
        case .penciller: "pnc"
        case .inker: "ink"
        case .colorist: "clr"
        case .letterer: "ltr"
        case .coverArtist: "cov"
        case .photographer: "pht"
        case .editor: "edt"
        case .translator: "trl"
        case .other: "ctb"
        }
    }

    /// Returns the role for a code; nil for one without an equivalent in jisui.
    package static func role(for code: String) -> CreatorRole? {
        switch code.lowercased() {
        // Creators and writers of all kinds.
        case "aut", "cre", "aus", "aud", "lbt": .author
        case "ill": .artist
        case let code: CreatorRole.allCases.first { MARCRelator.code(for: $0) == code }
        }
    }
}
