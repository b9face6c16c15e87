internal import PageModel

/// A format that jisui does not write although users may request it, with the reason and a hint.
struct UnwrittenFormat {
    private let name: String
    private let reason: Message
    private let hint: Message

    /// The formats by extension.
    static let all: [String: UnwrittenFormat] = {
        let kindle = { (name: String) in
            UnwrittenFormat(
                name: name, reason: "Amazon's formats are proprietary",
                hint: "use --epub-for kindle to write an .epub, which Amazon's programs accept")
        }
        let kepub = UnwrittenFormat(
            name: ".kepub", reason: "it is an EPUB with another extension", hint: "end the name in .kepub.epub")
        let rar = UnwrittenFormat(
            name: "RAR", reason: "only the program of its makers may write it",
            hint: "write a .cbz, which the same apps can read")
        let picture = { (name: String, format: String) in
            UnwrittenFormat(
                name: "one \(name) of all pages", reason: "a strip can be PNG, JPEG or WebP",
                hint: "use -o pages/ --image-format \(format) to write a folder of pages")
        }
        return [
            "tif": picture("TIFF", "tiff"), "tiff": picture("TIFF", "tiff"), "jxl": picture("JPEG XL", "jxl"),
            "mobi": kindle("MOBI"), "azw3": kindle("AZW3"), "kepub": kepub,
            "cbr": rar, "rar": rar,
        ]
    }()

    /// Returns the error for an output in this format.
    func error(file: String?) -> AdapterError {
        AdapterError(.usage, "\(name) cannot be written: \(reason)", hint: hint, file: file)
    }
}
