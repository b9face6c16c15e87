/// What a page can lose in a strip even when that keeps every pixel: how it is laid down then.
enum StripLoss: String, Sendable {
    case size = "scaled to the widest"
    /// What holds fewer than 16 bits holds 8.
    case depth = "with 8 bits a sample"
    case transparency = "with its transparency laid on the background"
    case colors = "with its colors converted to sRGB"

    /// How to keep it.
    var advice: String {
        switch self {
        case .size: "--align center leaves its size"
        case .depth: "make a PNG"
        case .transparency: "a strip has no transparency; without --lossless the page is laid down all the same"
        case .colors: "pages of one strip share their colors; without --lossless they are converted"
        }
    }
}
