/// The boxes a PDF page has (ISO 32000-1, 14.11.2), by the names `--page-box` takes.
enum PageBox: String, CaseIterable, Sendable {
    case crop, media, trim, bleed, art

    var key: String {
        switch self {
        case .crop: "CropBox"
        case .media: "MediaBox"
        case .trim: "TrimBox"
        case .bleed: "BleedBox"
        case .art: "ArtBox"
        }
    }
}
