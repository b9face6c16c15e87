public import Conversion
public import PageModel

/// The common options of adapters as typed values. Each stands for one of `settings`, where the other options are set by
/// their names on the command line.
extension Job {
    /// A way to crop empty margins.
    public enum Trimming: String, CaseIterable, Sendable {
        /// The way that suits the book.
        case auto
        /// Each page gets a box around its own content.
        case page
        /// All pages get one box.
        case book
        /// Left and right pages get one box each.
        case sides
        /// All pages get boxes of one size, each around its own content.
        case uniform
    }

    /// The way to crop empty margins; nil to keep them.
    public var trim: Trimming? {
        get { settings["trim"].flatMap(Trimming.init) }
        set { settings["trim"] = newValue?.rawValue }
    }

    /// Whether skewed pages are straightened.
    public var deskews: Bool {
        get { self[flag: "deskew"] }
        set { self[flag: "deskew"] = newValue }
    }

    /// The box in pixels to which larger pages are scaled down; nil to keep all sizes.
    public var fit: PixelSize? {
        get {
            let sides = settings["fit"]?.split(separator: "x").compactMap { Int($0) } ?? []
            return sides.count == 2 ? PixelSize(width: sides[0], height: sides[1]) : nil
        }
        set { settings["fit"] = newValue.map { "\($0.width)x\($0.height)" } }
    }

    /// Whether pages become gray.
    public var makesGray: Bool {
        get { self[flag: "gray"] }
        set { self[flag: "gray"] = newValue }
    }

    private subscript(flag name: String) -> Bool {
        get { settings[name] == "true" }
        set { settings[name] = newValue ? "true" : nil }
    }
}
