internal import PageModel

/// A format that jisui does not write although users may request it, with the reason and a hint.
struct UnwrittenFormat {
    private let message: Message
    private let hint: Message

    private init(name: String, reason: Message, hint: Message) {
        message = "\(name) cannot be written: \(reason)"
        self.hint = hint
    }

    /// A format for Amazon's devices.
    private init(kindle name: String) {
        message = "jisui writes no \(name)"
        hint = "write a .azw3 to copy by USB, or with --epub-for kindle an .epub for Send to Kindle"
    }

    /// A format of images.
    private init(image word: String, encoding: String) {
        message = "\(word) is a format of images, not of books"
        hint = "use --to folder --image-format \(encoding) for an image of each page, or --to strip for one long image"
    }

    /// The formats by extension.
    static let all: [String: UnwrittenFormat] = {
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
            "mobi": UnwrittenFormat(kindle: "MOBI"), "azw": UnwrittenFormat(kindle: "AZW"),
            "kfx": UnwrittenFormat(kindle: "KFX"), "kepub": kepub, "cbr": rar, "rar": rar,
            "jpg": UnwrittenFormat(image: "jpg", encoding: "jpeg"),
            "jpeg": UnwrittenFormat(image: "jpeg", encoding: "jpeg"),
            "png": UnwrittenFormat(image: "png", encoding: "png"),
            "webp": UnwrittenFormat(image: "webp", encoding: "webp"),
        ]
    }()

    /// Returns the error for an output in this format.
    func error(file: String?) -> AdapterError {
        AdapterError(.usage, message, hint: hint, file: file)
    }
}
